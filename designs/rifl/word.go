package rifl

// Word is a word of a frame in a transceiver's clock domain, one a cycle. On its way out it carries the ID that its frame's
// code needs.
type Word struct {
	Data  uint64
	ID    uint16 `bits:"12"`
	First bool
	Last  bool
	Valid bool
}

// RxWord is a descrambled word of a data frame on its way to the transmitter's clock domain.
type RxWord struct {
	Data    uint64
	First   bool
	Last    bool
	Deliver bool // of the last word: the frame goes to the user
}
