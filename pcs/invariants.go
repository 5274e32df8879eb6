package pcs

import "fmt"

// Invariants of the reference RTL's registers, which proofs may assume.

// gearboxInvariant: bits that are not held are 0, and less than a block is held, or nothing as long as bits are to be
// dropped.
const gearboxInvariant = `  always @* begin
    assert (n < 66);
    assert (owed == 0 || n == 0);
    assert (held[255:66] == 0);
    assert ((held[65:0] & {66{1'b1}} << n) == 0);
  end`

// deframerInvariant: more than an FCS and a word are never held. What q has above n bytes makes no difference, nor
// does the reason of a fault before a frame's end, nor the CRC and the length outside of one.
const deframerInvariant = `  always @* begin
    assert (state != 3);
    assert (n <= 12);
    assert (got <= 64);
    assert (flush || state == 2 || n == 0);
  end
  (* keep *) wire [191:0] goldwire_counts_q = ~({192{1'b1}} << 8 * n);
  (* keep *) wire [2:0] goldwire_counts_fault = {3{flush}};
  (* keep *) wire [31:0] goldwire_counts_crc = {32{state == 2}};
  (* keep *) wire [6:0] goldwire_counts_got = {7{state == 2}};`

// lineCheckerInvariant: the bits that are missing before the first prediction go down by a word's.
func lineCheckerInvariant(width int) string {
	text := "  always @* assert (blind == 0"
	for b := 31; b > 0; b -= width {
		text += fmt.Sprintf(" || blind == %d", b)
	}
	return text + ");"
}
