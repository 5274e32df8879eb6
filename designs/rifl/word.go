package rifl

// Word is a word of a frame on its way out, one a transceiver cycle. It carries the ID that its frame's code needs.
type Word struct {
	Data uint64
	ID   uint16 `bits:"12"`
	WordPlace
	Valid bool
}

// WordPlace says whether a word is the first of its frame or the last. By itself it makes [Word] a struct of four
// fields, which Go's compiler keeps in registers.
type WordPlace struct{ First, Last bool }

// LineWord is an aligned word of the line, one a cycle of the recovered clock.
type LineWord struct {
	Data  uint64
	First bool // it has the SYN
}

// RxWord is a descrambled word.
type RxWord struct {
	Data  uint64
	First bool
	Last  bool
	Good  bool // of the last word: the frame is the expected one
}
