// Package blocks holds the parts that every design needs: queues, memories, delays, CRCs, pattern generators, encoders,
// arbiters, width conversion and a lossy channel.
//
// A part is a plain struct, or a plain function, that a hardware module owns and calls from its own Tick. It knows
// nothing of clocks and ports. One call is one cycle of the hardware, and a part's fields are registers and memories
// of the module that owns it: share a part between modules and the order in which they tick begins to matter.
//
// Conventions that hold throughout:
//
//   - Nothing allocates after construction.
//   - A constructor panics for sizes that no program text could mean (a FIFO of -1 entries), as make does. It returns
//     an error where the parameters are likely to come from a file: polynomials, seeds, error rates.
//   - What hardware can run into (a full FIFO, no request) is a result. What only a bug can cause (an address outside
//     the memory) is a panic.
//   - Bit 0 of a word is the first on the line, except in the CRC's non-reflected forms, which say so.
//
// README.md lists the parts by topic.
package blocks
