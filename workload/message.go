package workload

import "fmt"

// MessageType is the operation of a memory message (EDM §2.3).
type MessageType uint8

// The types of memory messages.
const (
	Read        MessageType = iota // RREQ there, RRES with the message's bytes back
	Write                          // WREQ with the message's bytes
	CompareSwap                    // RMWREQ there, RRES back
)

var messageTypes = [...]string{"read", "write", "cas"}

const typesWanted = "read, write or cas"

// String returns the type as traces have it.
func (t MessageType) String() string {
	if int(t) < len(messageTypes) {
		return messageTypes[t]
	}
	return fmt.Sprintf("MessageType(%d)", uint8(t))
}

// ParseMessageType is the inverse of String.
func ParseMessageType(s string) (MessageType, error) {
	for t, name := range messageTypes {
		if s == name {
			return MessageType(t), nil
		}
	}
	return 0, fmt.Errorf("message type %q, want %s", s, typesWanted)
}

// MarshalText implements [encoding.TextMarshaler].
func (t MessageType) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (t *MessageType) UnmarshalText(text []byte) error {
	v, err := ParseMessageType(string(text))
	if err == nil {
		*t = v
	}
	return err
}

// Message is a remote memory access that a compute node asks for.
type Message struct {
	ID     uint64
	Type   MessageType
	Source int   // the compute node
	Dest   int   // the memory node
	Bytes  int   // read or written
	Start  int64 // picoseconds
	Class  uint8 // traffic class, below Classes, for networks that tell classes apart
}
