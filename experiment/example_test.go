package experiment_test

import (
	stdcontext "context"
	"fmt"
	"os"

	"github.com/goldwire/goldwire/experiment"
)

// side is the end of a queue at which a packet is dropped when it is full. It reads and prints itself.
type side int

const (
	tail side = iota
	head
)

func (s side) MarshalText() ([]byte, error) { return []byte([]string{"tail", "head"}[s]), nil }

func (s *side) UnmarshalText(text []byte) error {
	switch string(text) {
	case "tail":
		*s = tail
	case "head":
		*s = head
	default:
		return fmt.Errorf("%s: want tail or head", experiment.Quote(string(text)))
	}
	return nil
}

// dropPoint is one run: everything that decides its result.
type dropPoint struct {
	Drop  side `flag:"drop" choices:"tail,head" help:"where packets are dropped" json:"drop"`
	Depth int  `flag:"-" json:"depth" column:"Depth"`
	Sent  int  `flag:"packets" min:"1" max:"1000" help:"packets of the burst" json:"packets"`
}

// dropParams are a point, and a list of depths in place of its one.
type dropParams struct {
	dropPoint
	Depths []int `flag:"depth" each:"Depth" min:"1" max:"64" unit:"packets" help:"depths of the queue; several with commas"`
}

// dropResult is what a run has shown: columns of the table, and JSON.
type dropResult struct {
	Dropped int     `json:"dropped" column:"Dropped"`
	Share   float64 `json:"share" column:"Share" format:"%.2f"`
	First   int     `json:"first" column:"First kept"`
}

func Example() {
	drops := experiment.Define(experiment.Spec[dropParams, dropPoint, dropResult]{
		Name: "drops", Short: "A burst into a queue that nobody reads",
		Defaults: dropParams{dropPoint{Sent: 10}, []int{4, 8, 16}},
		Run: func(_ stdcontext.Context, _ *experiment.Run, q dropPoint) (r dropResult, err error) {
			r.Dropped = max(0, q.Sent-q.Depth)
			r.Share = float64(r.Dropped) / float64(q.Sent)
			if q.Drop == head {
				r.First = r.Dropped
			}
			return r, nil
		},
		Report: func(p *dropParams, done []experiment.Result[dropPoint, dropResult]) (*experiment.Report, error) {
			r := &experiment.Report{}
			r.Linef("A burst of %d packets", p.Sent)
			r.Table(experiment.Tabulate("drops", done))
			return r, nil
		},
	})

	params := drops.Params()
	fmt.Println(params.Find("drop").Set("middle"))
	_ = params.Find("drop").Set("head")
	out, err := drops.Run(stdcontext.Background(), params, experiment.Options{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = out.Report.WriteText(os.Stdout, 0)

	// Output:
	// middle: want tail or head
	// A burst of 10 packets
	//  Depth  Dropped  Share  First kept
	//      4        6   0.60           6
	//      8        2   0.20           2
	//     16        0   0.00           0
}
