package edm

import "github.com/goldwire/goldwire/internal/enum"

// Policy is the order in which messages of different sources are served.
type Policy uint8

// The policies (§3.1.1). Ties go to the message that came first.
const (
	SRPT Policy = iota // least bytes remaining first
	FCFS               // in the order of arrival
)

var policies = enum.Texts{"srpt", "fcfs"}

// String returns "srpt" or "fcfs".
func (p Policy) String() string { return enum.String(p, policies) }

// MarshalText implements [encoding.TextMarshaler].
func (p Policy) MarshalText() ([]byte, error) { return enum.Marshal(p, policies) }

// UnmarshalText implements [encoding.TextUnmarshaler]: it reads srpt or fcfs.
func (p *Policy) UnmarshalText(text []byte) error { return enum.Unmarshal(p, text, policies) }

// Release is when the ports of a matching are free for the next one.
type Release uint8

// The readings of the paper.
const (
	// ReleaseByPort frees a source and its destination as soon as their own chunk has passed, as the steps of §3.1.2
	// say.
	ReleaseByPort Release = iota
	// ReleaseBySlot frees all ports of a matching together, when its longest chunk has passed, and forms the next one
	// among all of them, as §3.1.3's "maximal matching" for each chunk can be read. A request that comes when the matching
	// is formed waits for its end.
	ReleaseBySlot
)

var releases = enum.Texts{"port", "slot"}

// String returns "port" or "slot".
func (r Release) String() string { return enum.String(r, releases) }

// MarshalText implements [encoding.TextMarshaler].
func (r Release) MarshalText() ([]byte, error) { return enum.Marshal(r, releases) }

// UnmarshalText implements [encoding.TextUnmarshaler]: it reads port or slot.
func (r *Release) UnmarshalText(text []byte) error { return enum.Unmarshal(r, text, releases) }

// Sharing is how a transmit multiplexer shares the line between memory and other traffic (§3.2.3).
type Sharing uint8

// The policies.
const (
	Fair        Sharing = iota // as many blocks for waiting frames as for memory: the paper's default
	MemoryFirst                // frames only when there is no memory block
)

var sharings = enum.Texts{"fair", "strict"}

// String returns "fair" or "strict".
func (s Sharing) String() string { return enum.String(s, sharings) }

// MarshalText implements [encoding.TextMarshaler].
func (s Sharing) MarshalText() ([]byte, error) { return enum.Marshal(s, sharings) }

// UnmarshalText implements [encoding.TextUnmarshaler]: it reads fair or strict.
func (s *Sharing) UnmarshalText(text []byte) error { return enum.Unmarshal(s, text, sharings) }
