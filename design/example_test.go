package design_test

import (
	"fmt"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// Register is a byte, one cycle later.
type Register struct {
	In  rtl.In[uint8]
	Out rtl.Out[uint8]
}

// Tick is one rising edge.
func (r *Register) Tick() { r.Out.Set(r.In.Get()) }

// Design is what a package offers to the tool: func main() { os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr,
// Design())) } makes a command of it.
func Design() design.Design {
	return design.Design{Name: "demo", Title: "A register", Units: vectors.Catalogue{{
		Name: "demo/register", Doc: "a byte, one cycle later", Ref: "this example", Latency: 1, Clock: clock.MHz(100),
		Build: func(b *vectors.Bench) rtl.Module {
			r := &Register{}
			vectors.Drive(b, &r.In, vectors.Uniform[uint8](b.Rand()))
			return r
		},
	}}}
}

func Example() {
	house := design.House{Design()}
	fmt.Println(house.Check(), house.Units().Names())
	d, err := house.Find("demo")
	fmt.Println(d.Title, err)
	// Output:
	// <nil> [demo/register]
	// A register <nil>
}
