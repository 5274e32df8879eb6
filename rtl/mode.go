package rtl

import (
	"github.com/goldwire/goldwire/internal/enum"
)

// MarshalText implements [encoding.TextMarshaler].
func (m Mode) MarshalText() ([]byte, error) { return enum.Marshal(m, modeNames[:]) }

// UnmarshalText implements [encoding.TextUnmarshaler]: it reads fast, strict or parallel.
func (m *Mode) UnmarshalText(text []byte) error { return enum.Unmarshal(m, text, modeNames[:]) }
