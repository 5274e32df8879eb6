package pqueue

import (
	"embed"
	"fmt"

	"github.com/goldwire/goldwire/vectors"
	"github.com/goldwire/goldwire/vectors/property"
)

//go:embed properties/*.sv
var harnesses embed.FS

// Properties are the proofs about this package's RTL.
func Properties() []property.Property {
	inside := map[string]string{"used": "list.used"}
	for i := range 4 {
		inside[fmt.Sprintf("entry[%d:%d]", 26*i+25, 26*i)] = fmt.Sprintf("list.entry[%d]", i)
	}
	return property.Load(harnesses, Verilog, property.Property{
		Name: "pqueue/ordered_list",
		Doc: "a list of 4 has what was inserted and not deleted, sorted, the older of equal keys first, and shows the " +
			"first that may go",
		Modules: []string{"pqueue_ordered_list"}, Connect: inside, Registers: true, Slow: true, Engine: property.SAT,
		Show: []string{"insert", "delete", "key", "id", "flow", "eligible", "done", "outcome", "some", "best_key",
			"best_id", "length", "ida", "idb", "ina", "inb", "older", "used", "entry"},
		Bugs: []vectors.Bug{
			{Kind: "the newest of equal keys leads", Edits: []string{"entry[i][25:10] > key", "entry[i][25:10] >= key"}},
			{Kind: "a full list takes one more", Edits: []string{"!found && !full", "!found"}},
			{Kind: "what is deleted takes its neighbour along",
				Edits: []string{"gone[j] = gone[j-1] | same[j]", "gone[j] = same[j]"}},
			{Kind: "what is not eligible is shown", Edits: []string{"used[k] && eligible[entry[k][3:0]]", "used[k]"}},
			{Kind: "an empty list shows something", Edits: []string{"hit  = 1'b0;", "hit  = 1'b1;"}},
			{Kind: "nothing was asked and it answers", Edits: []string{"result_valid   <= insert || delete;",
				"result_valid   <= 1'b1;"}},
		},
	})
}
