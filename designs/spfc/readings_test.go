package spfc_test

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/designs/spfc"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// scene drives circuits of two readings with one sequence of events, windows of 8 slots and a count of 6 cells, and
// draws both. In the sequence a digit is as many cells dequeued in a slot, P a PAUSE, R a RESUME.
func scene(other spfc.Readings, events string) {
	captured := func(r spfc.Readings) *vectors.Set {
		u := vectors.Unit{
			Name:    "spfc/state_decision",
			Latency: 1,
			Clock:   clock.MHz(195.3125),
			Build: func(b *vectors.Bench) rtl.Module {
				d, err := spfc.NewStateDecision(r, 14)
				if err != nil {
					panic(err)
				}
				vectors.Drive(
					b, &d.Config, func(uint64) spfc.DecisionConfig { return spfc.DecisionConfig{Window: 8, Threshold: 6} },
				)
				vectors.Drive(b, &d.Events, func(cycle uint64) spfc.PortEvents {
					c := events[min(int(cycle), len(events)-1)]
					e := spfc.PortEvents{Pause: c == 'P', Resume: c == 'R'}
					if c >= '0' && c <= '9' {
						e.Cells = c - '0'
					}
					return e
				})
				return d
			},
		}
		set, err := vectors.Capture(u, len(events), 1)
		if err != nil {
			panic(err)
		}
		return set
	}
	line := func(name string, set *vectors.Set, field string, levels bool) {
		text := ""
		for _, row := range set.Rows {
			switch v := row[set.Column(field)]; {
			case !levels:
				text += fmt.Sprint(v)
			case v == 0:
				text += "▁"
			default:
				text += "▔"
			}
		}
		fmt.Printf("%-16s%s\n", name, text)
	}
	ours, theirs := captured(spfc.Readings{}), captured(other)
	windows := strings.Repeat("│       ", len(events)/8+1) // a bar where a window begins
	fmt.Printf("%-16s%s\n", "window", strings.TrimRight(string([]rune(windows)[:len(events)]), " "))
	fmt.Printf("%-16s%s\n", "events", events)
	line("paused", ours, "out_paused", true)
	line("count", ours, "out_count", false)
	line("victim", ours, "out_victim", true)
	line("… other count", theirs, "out_count", false)
	line("… other victim", theirs, "out_victim", true)
}

// A set/reset latch keeps a port a victim that has gone silent: only a PAUSE ends it, against Figure 7's R_depart <
// C/K.
func ExampleReadings_latch() {
	scene(spfc.Readings{Latch: true}, ".11111111111.........................P....")
	// Output:
	// window          │       │       │       │       │       │
	// events          .11111111111.........................P....
	// paused          ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▔▔▔▔
	// count           001234566123444440000000000000000000000000
	// victim          ▁▁▁▁▁▁▁▔▔▔▔▔▔▔▔▔▔▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
	// … other count   001234566123444440000000000000000000000000
	// … other victim  ▁▁▁▁▁▁▁▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▁▁▁▁
}

// At the window's end 5 cells of 6 are counted, and a sixth leaves in that very slot. In the old window it makes the
// port a victim, in the new one it does not.
func ExampleReadings_countOld() {
	scene(spfc.Readings{CountOld: true}, ".11111..1......................")
	// Output:
	// window          │       │       │       │
	// events          .11111..1......................
	// paused          ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
	// count           0012345551111111100000000000000
	// victim          ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
	// … other count   0012345550000000000000000000000
	// … other victim  ▁▁▁▁▁▁▁▁▁▔▔▔▔▔▔▔▔▁▁▁▁▁▁▁▁▁▁▁▁▁▁
}

// Six cells leave while the port is paused. With the RESUME it is a victim at once; if the RESUME waits, with the next
// dequeue or with the window's end.
func ExampleReadings_resumeWaits() {
	scene(spfc.Readings{ResumeWaits: true}, ".P33.R.1.........P33R...........")
	// Output:
	// window          │       │       │       │
	// events          .P33.R.1.........P33R...........
	// paused          ▁▁▔▔▔▔▁▁▁▁▁▁▁▁▁▁▁▁▔▔▔▁▁▁▁▁▁▁▁▁▁▁
	// count           00036666600000000003666660000000
	// victim          ▁▁▁▁▁▁▔▔▔▔▔▔▔▔▔▔▔▁▁▁▁▔▔▔▔▔▔▔▔▔▔▔
	// … other count   00036666600000000003666660000000
	// … other victim  ▁▁▁▁▁▁▁▁▔▔▔▔▔▔▔▔▔▁▁▁▁▁▁▁▁▔▔▔▔▔▔▔
}

// The dequeue that reaches the count makes a port a victim at once; if only windows' ends do, up to a window later.
func ExampleReadings_sampleOnly() {
	scene(spfc.Readings{SampleOnly: true}, ".33.............................")
	// Output:
	// window          │       │       │       │
	// events          .33.............................
	// paused          ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
	// count           00366666600000000000000000000000
	// victim          ▁▁▁▔▔▔▔▔▔▔▔▔▔▔▔▔▔▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
	// … other count   00366666600000000000000000000000
	// … other victim  ▁▁▁▁▁▁▁▁▁▔▔▔▔▔▔▔▔▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
}
