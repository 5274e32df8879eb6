package rtl

import "fmt"

// Offer is a beat of a stream, whose rules are in the package comment: a signal type with a valid bit, for which
// Offered returns that bit.
type Offer interface {
	comparable
	Offered() bool
}

// Producer is the side of a stream that offers beats. A module returns it from a method, so that its ports stay fields
// in the order of its own declaration.
type Producer[T Offer] struct {
	Beat  *Out[T]
	Words []Out[uint64] // payload that is too wide for a signal type, under the same rules; usually nil
	Ready *In[bool]
}

// Consumer is the side of a stream that takes beats. Ready is an Out or a Wire.
type Consumer[T Offer] struct {
	Beat  *In[T]
	Words []In[uint64]
	Ready Source[bool]
}

// StreamTap is a listener's view of a stream: it drives nothing.
type StreamTap[T Offer] struct {
	Beat  *In[T]
	Words []In[uint64]
	Ready *In[bool]
}

// ConnectStream connects all signals of a stream, before elaboration: the beat and its words to the consumer and the
// taps, ready to the producer and the taps. It panics if they do not have the same number of words.
func ConnectStream[T Offer](from Producer[T], to Consumer[T], taps ...StreamTap[T]) {
	connectBeat(from, to.Beat, to.Words)
	Connect(to.Ready, from.Ready)
	for _, t := range taps {
		connectBeat(from, t.Beat, t.Words)
		Connect(to.Ready, t.Ready)
	}
}

func connectBeat[T Offer](from Producer[T], beat *In[T], words []In[uint64]) {
	if len(words) != len(from.Words) {
		panic(fmt.Sprintf("rtl: a stream of %d words besides its beat connected to one of %d", len(from.Words), len(words)))
	}
	Connect(from.Beat, beat)
	for i := range words {
		Connect(&from.Words[i], &words[i])
	}
}
