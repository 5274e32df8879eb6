package study

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/experiment"
)

// component is a row of Table 5: area per processor in mm2 at 16 nm and 1.2 GHz, of RMT, dRMT with IPC 1 and with IPC
// 2. The figures are the paper's synthesis; nothing here repeats it.
type component struct {
	name string
	area [3]float64
}

var table5 = []component{
	{"match key configuration register", [3]float64{0.007, 0.004, 0.005}},
	{"match key crossbar", [3]float64{0.098, 0.049, 0.071}},
	{"packet header vectors", [3]float64{0.110, 0.326, 0.470}},
	{"scratch pad", [3]float64{0, 0.051, 0.051}},
	{"action input selector", [3]float64{0.486, 0.171, 0.315}},
	{"ALUs", [3]float64{0.170, 0.071, 0.071}},
	{"action output selector", [3]float64{0, 0.048, 0.048}},
	{"VLIW instruction table", [3]float64{0.372, 0.336, 0.336}},
}

// Table 6's crossbar with 32 memory clusters, wires included, in mm2, and Table 7's power in W, by processors.
var (
	crossbarArea  = map[int]float64{16: 0.857, 24: 1.254, 32: 1.740}
	crossbarPower = map[int]float64{16: 0.88, 24: 1.31, 32: 1.75}
)

// crossbarOf takes a printed figure in proportion, from the smallest printed size that is large enough.
func crossbarOf(printed map[int]float64, processors int) float64 {
	for _, n := range []int{16, 24, 32} {
		if processors <= n {
			return printed[n] * float64(processors) / float64(n)
		}
	}
	return printed[32] * float64(processors) / 32
}

// perProcessor is the sum of Table 5's column: 0 RMT, 1 and 2 dRMT by IPC.
func perProcessor(column int) (sum float64) {
	for _, c := range table5 {
		sum += c.area[column]
	}
	return sum
}

// areaParams are the parameters of the experiment area: none but which programs.
type areaParams struct {
	Programs []string `flag:"programs" choices:"acl_tunnel,classifier,l2l3,rewriter" help:"programs that come with the tool; without any program, all of them" json:"programs"`
	Files    []string `flag:"bmv2" file:"in" help:"programs, as p4c-bm2-ss writes them, beside --programs" json:"bmv2"`
}

// areaPoint is a program.
type areaPoint ProgramSource

// areaResult is how many processors, or stages, a packet a cycle takes: RMT, dRMT with IPC 1 and 2. Refused says why
// RMT, which has no registers for one, does not run the program.
type areaResult struct {
	Units   [3]int
	Refused string
}

// area reckons area and power of programs' needs.
var area = experiment.Define(experiment.Spec[areaParams, areaPoint, areaResult]{
	Name: "area", Short: "Area and power: printed unit figures times what programs need", Source: "dRMT Tables 5 to 7",
	Long: "Area of processors and crossbar as the paper printed it for one processor, times the processors or stages " +
		"that a packet a cycle takes of the compiled program. The crossbar is that with 32 memory clusters, in " +
		"proportion to its processors. Nothing is synthesised.",
	Examples: []string{"area --programs rewriter", "area --bmv2 mine.json"},
	Points: func(p *areaParams, seed uint64) ([]experiment.Point[areaPoint], error) {
		var qs []areaPoint
		names := p.Programs
		if len(names)+len(p.Files) == 0 {
			names = p4.ProgramNames()
		}
		for _, name := range names {
			qs = append(qs, areaPoint{Program: name})
		}
		for _, name := range p.Files {
			qs = append(qs, areaPoint{JSON: name})
		}
		return experiment.Each(seed, qs...), nil
	},
	Run: func(ctx context.Context, run *experiment.Run, q areaPoint) (r areaResult, err error) {
		p, err := ProgramParams{ProgramSource: ProgramSource(q)}.load(run.Seed)
		if err != nil {
			return r, err
		}
		if c, err := compile.RMT(p.P4, nil, compile.Options{}); err != nil {
			r.Refused = err.Error()
		} else {
			r.Units[0] = len(c.Image.Stages)
		}
		for ipc := 1; ipc <= 2; ipc++ {
			s, _, err := Build(ctx, p, ipc, 0, run.Seed)
			if err != nil {
				return r, err
			}
			r.Units[ipc] = s.Period
		}
		return r, nil
	},
	Report: func(_ *areaParams, done []experiment.Result[areaPoint, areaResult]) (*experiment.Report, error) {
		r := &experiment.Report{}
		t := &experiment.Table{
			Name: "area",
			Columns: experiment.Columns("Program", "", "Machine", "", "Processors or stages", "", "Each mm²", "%.3f",
				"Crossbar mm²", "%.3f", "Together mm²", "%.2f", "Crossbar W", "%.2f"),
		}
		for _, d := range done {
			for i, machine := range []string{"RMT", "dRMT IPC 1", "dRMT IPC 2"} {
				n, bar, power := d.Value.Units[i], 0.0, 0.0
				if i > 0 {
					bar, power = crossbarOf(crossbarArea, n), crossbarOf(crossbarPower, n)
				}
				name := d.Point.Program
				if d.Point.JSON != "" {
					name = strings.TrimSuffix(filepath.Base(d.Point.JSON), ".json")
				}
				if i == 0 && d.Value.Refused != "" {
					continue // a line says why
				}
				t.Row(name, machine, n, perProcessor(i), bar, float64(n)*perProcessor(i)+bar, power)
			}
		}
		r.Table(t)
		for _, d := range done {
			if d.Value.Refused != "" {
				r.Linef("No row of RMT: %s", d.Value.Refused)
			}
		}
		r.Linef(
			"Figures of one processor, of the crossbar and of its power are printed ones (Tables 5 to 7); the numbers of " +
				"processors are those of the compiled programs.",
		)
		return r, nil
	},
})
