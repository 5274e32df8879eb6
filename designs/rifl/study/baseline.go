package study

// Framing efficiencies for Fig. 8: user bytes of a packet by line bytes it takes, from the public rules of each
// protocol.

// flitEfficiency is RIFL's: a flit of p payload bytes takes q bytes of line, and a packet takes whole flits.
func flitEfficiency(n, p, q int) float64 { return float64(n) / float64((n+p-1)/p*q) }

// ethernetEfficiency is the efficiency of a MAC client's n bytes at 100 Gb/s: padding to 60, FCS, preamble, a gap of 12
// on average, and 64b/66b (IEEE 802.3 4A and 82).
func ethernetEfficiency(n int) float64 {
	const fcs, preamble, gap = 4, 8, 12
	return float64(n) / float64(max(n, 60)+fcs+preamble+gap) * 64 / 66
}

// auroraEfficiency is Aurora 64B/66B's (SP011): blocks of 8 bytes, and a separator block that ends the packet with its
// 0 to 7 last bytes.
func auroraEfficiency(n int) float64 { return float64(n) / float64(8*(n/8+1)) * 64 / 66 }

// interlakenEfficiency is Interlaken's with bursts of at most 64 bytes, at least 32, each followed by a control word of
// 8; 64b/67b (protocol definition 1.2). The meta frame's four words in 2048 are taken off.
func interlakenEfficiency(n int) float64 {
	const word, long, short = 8, 64, 32
	line := n / long * (long + word)
	if rest := n % long; rest > 0 {
		line += max((rest+word-1)/word*word, short) + word
	}
	return float64(n) / float64(line) * 64 / 67 * (2048 - 4) / 2048
}
