package engine

import (
	"unsafe"

	"github.com/goldwire/goldwire/internal/fusedcode"
)

// border lists the signals that cross the border of an island, for its generated code. Delays of the island's own are
// not among it.
type border struct {
	leaves map[*Node]mover // by the delay outside that reads
	gives  map[*Output]mover
	comes  map[*unsafe.Pointer]mover // by the Cur of an input
}

// alone tells whether generated code moves each value that crosses the part's border by itself.
func (p *part) alone() bool { return p.code.make != nil }

// crossings are the border's as generated code numbers them: by the lines of the shape.
func (p *part) crossings() *fusedcode.Border {
	b := &fusedcode.Border{Comes: func(cur *unsafe.Pointer) any { return p.code.border.comes[cur] }}
	for _, n := range p.leaves {
		b.Leaves = append(b.Leaves, p.code.border.leaves[n])
	}
	for _, src := range p.gives {
		b.Gives = append(b.Gives, p.code.border.gives[src])
	}
	return b
}
