package edm

import (
	"github.com/goldwire/goldwire/internal/enum"
)

// The texts of policies, releases and sharings, as flags and JSON have them.
var (
	policies = enum.Texts{"srpt", "fcfs"}
	releases = enum.Texts{"port", "slot"}
	sharings = enum.Texts{"fair", "strict"}
)

func (p Policy) String() string { return enum.String(p, policies) }

// MarshalText implements [encoding.TextMarshaler].
func (p Policy) MarshalText() ([]byte, error) { return enum.Marshal(p, policies) }

// UnmarshalText implements [encoding.TextUnmarshaler]: it reads srpt or fcfs.
func (p *Policy) UnmarshalText(text []byte) error { return enum.Unmarshal(p, text, policies) }

func (r Release) String() string { return enum.String(r, releases) }

// MarshalText implements [encoding.TextMarshaler].
func (r Release) MarshalText() ([]byte, error) { return enum.Marshal(r, releases) }

// UnmarshalText implements [encoding.TextUnmarshaler]: it reads port or slot.
func (r *Release) UnmarshalText(text []byte) error { return enum.Unmarshal(r, text, releases) }

func (s Sharing) String() string { return enum.String(s, sharings) }

// MarshalText implements [encoding.TextMarshaler].
func (s Sharing) MarshalText() ([]byte, error) { return enum.Marshal(s, sharings) }

// UnmarshalText implements [encoding.TextUnmarshaler]: it reads fair or strict.
func (s *Sharing) UnmarshalText(text []byte) error { return enum.Unmarshal(s, text, sharings) }
