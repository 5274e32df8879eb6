package rifl

import "fmt"

// Invariants of the reference RTL's registers, which proofs may assume.

// alignerInvariant bounds the counters of a unit with frames of that many words. Off a slide the second multiplexer
// follows the bits slid.
func alignerInvariant(words, upBit int) string {
	return fmt.Sprintf(`  always @* begin
    assert (phase < %d);
    assert (illegal_n <= 2 && window <= 16 && legal_n + illegal_n <= window);
    assert (level <= %d);
    assert (moving != 0 || fine == slid[2:0]);
  end`, words, 1<<upBit)
}

// transmitterInvariant bounds the frames still to come.
func transmitterInvariant(s, safe int) string {
	ids := 1 << s
	last := [...]int{5 * ids / 2, 3*ids - 1}[safe]
	return fmt.Sprintf(`  always @* begin
    assert (\core.init  <= %d && \core.start  <= %[1]d && \core.resume <= %[1]d);
    assert (\core.pass <= %d);
  end`, ids, last)
}
