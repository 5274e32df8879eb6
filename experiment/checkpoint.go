package experiment

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/internal/output"
	"github.com/goldwire/goldwire/internal/state"
	"github.com/goldwire/goldwire/rtl"
)

// Checkpoints says where a run keeps the state of its simulations. Each point has a file there, which a later one
// replaces.
type Checkpoints struct {
	// Dir is the directory. It must be there. Empty if nothing is kept.
	Dir string
	// Every is after how many cycles of its simulations a point's state is written; 0 for never.
	Every uint64
	// Resume lets each point go on from its file. A point without one starts from its beginning; that none has one is an
	// error.
	Resume bool
	// Fork, if not empty, is the file of a point from which all points go on: a warm-up that they share. They may differ
	// from that point by their knobs alone: the fields of a point with the tag `knob:"true"`.
	Fork string
}

// Simulation is a simulation that a measurement runs, as [Run.Simulate] wants it.
type Simulation struct {
	Sim   *rtl.Sim   // nil for a model without clock edges: its roots are its whole state
	Clock *rtl.Clock // whose cycles count
	// Cycle tells how far a model without clock edges has come: in frames, slots or ns, as its experiment counts them.
	Cycle func() uint64
	// Faulty tells whether something has gone wrong; nil if nothing can.
	Faulty func() bool
	// Roots are pointers to the measurement's own state of its run, besides the simulation; see [rtl.Sim.Save].
	Roots []any
	// Knobs sets in the simulation what the knobs of the point say. It is called where a point goes on from another's
	// state, which had other ones. Nil if this point's simulation has none.
	Knobs func() error
}

func (s *Simulation) cycle() uint64 {
	if s.Sim == nil {
		return s.Cycle()
	}
	return s.Clock.Cycle()
}

func (s *Simulation) save() ([]byte, error) {
	if s.Sim == nil {
		return state.Save(s.Roots...)
	}
	return s.Sim.Checkpoint(s.Roots...)
}

func (s *Simulation) restore(r io.Reader) error {
	if s.Sim == nil {
		return state.Restore(r, s.Roots...)
	}
	return s.Sim.Restore(r, s.Roots...)
}

// Simulate is [Run.Watch] for a simulation that can be left and taken up again: a measurement that calls it between
// elaboration and the first edge, and then [Run.Between] between runs of the clock, can be resumed. Its further steps
// follow from the simulation and its roots. If the point is resumed, the simulation and the roots are at the cycle of
// the checkpoint when Simulate returns.
func (r *Run) Simulate(s Simulation) error {
	r.simulation, r.simulations = s, r.simulations+1
	if err := r.takeUp(); err != nil {
		return err
	}
	r.seen = s.cycle()
	if s.Sim == nil {
		return nil
	}
	// a stall is shown by the records before it: there is no fault to run to again
	if r.Waves == nil || r.Waves.OnFault == "" || s.Faulty == nil || r.monitor != nil && r.monitor.stalls() {
		return r.Watch(s.Sim, s.Clock, s.Faulty)
	}
	if r.monitor != nil {
		r.monitor.attach(r.watched, s.Sim, s.Clock)
	}
	if err := r.waves.open(r.Waves, s.Sim); err != nil {
		return err
	}
	r.replay = newReplay(r.Waves, r.waves.vcd, s)
	return r.replay.between()
}

// Passed tells a measurement that has several simulations, one after the other, whether it can leave out the next one:
// the checkpoint from which it goes on is of a later one, whose roots have this one's result.
func (r *Run) Passed() bool {
	if r.simulations+1 >= r.from.simulation {
		return false
	}
	r.simulations++
	return true
}

// Between is called where nothing that a measurement has to remember lies outside of the simulation and the roots that
// it gave to [Run.Simulate]: in its loop, after a run of the clock. It writes a checkpoint when one is due, and looks
// for the fault that [Waves].OnFault waits for. From one call to the next the simulation has been run and nothing else;
// see [Run.Touched].
func (r *Run) Between() error {
	if r.replay != nil {
		if err := r.replay.between(); err != nil {
			return err
		}
	}
	c := r.checkpoints
	if c == nil || c.Every == 0 {
		return nil
	}
	now := r.simulation.cycle()
	r.unsaved += now - r.seen
	r.seen = now
	if r.unsaved < c.Every || r.simulations < r.from.simulation { // that one's state is further on
		return nil
	}
	r.unsaved = 0
	b, err := r.simulation.save()
	if err != nil {
		return err
	}
	return output.Write(c.path(r.keys), func(w io.Writer) error {
		if _, err := fmt.Fprintf(w, "%s%d %s\n", pointMagic, r.simulations, r.keys.words()); err != nil {
			return err
		}
		_, err := w.Write(b)
		return err
	})
}

// Touched is [Run.Between] where the measurement has just done something to its simulation: has sent frames, has
// planned a fault. The steps after it can be run again from here on, and not from before.
func (r *Run) Touched() error {
	if r.replay != nil {
		r.replay.kept = nil
	}
	return r.Between()
}

// The file of a point is a line with the number of the simulation in it, for measurements that have several, and the
// point's keys, then that simulation's checkpoint.
const (
	pointMagic = "goldwire point "
	mostLine   = 1 << 16
)

func (c *Checkpoints) path(k keys) string {
	return filepath.Join(c.Dir, k.point[:16]+".checkpoint")
}

// source is the checkpoint that a point goes on from.
type source struct {
	path       string // empty: none
	simulation int    // its number
}

var errNoPoint = errors.New("it is no checkpoint of a point")

// open reads the first line of the checkpoint that the point goes on from, if there is one, and leaves the file behind
// that line.
func (c *Checkpoints) open(k keys) (*os.File, source, error) {
	path := c.Fork
	if c.Resume {
		path = c.path(k)
	}
	if path == "" {
		return nil, source{}, nil
	}
	f, err := os.Open(path)
	if c.Resume && errors.Is(err, fs.ErrNotExist) {
		return nil, source{}, nil
	}
	if err != nil {
		return nil, source{}, err
	}
	n, err := c.readHead(f, k)
	if err != nil {
		return nil, source{}, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return f, source{path, n}, nil
}

// readHead reads the first line and returns the number of the simulation.
func (c *Checkpoints) readHead(f io.Reader, k keys) (int, error) {
	n, of, err := readKeys(f)
	if err != nil {
		return 0, err
	}
	switch changed := k.changed(of); {
	case c.Fork != "" && k.knobs == "":
		return 0, errors.New("no parameter of this experiment can change on the way: it has no knobs")
	case changed != "" && (c.Fork != "" || of.point != k.point):
		return 0, fmt.Errorf("it is of other contents of %s", changed)
	case c.Fork != "" && of.warm != k.warm:
		return 0, fmt.Errorf("it is of another experiment or seed, or of a point that differs by more than %s", k.knobs)
	case c.Fork == "" && of.point != k.point:
		return 0, errors.New("it is of another experiment, point or seed")
	}
	return n, nil
}

// readKeys reads the first line: the number of the simulation, and the point's keys.
func readKeys(f io.Reader) (int, keys, error) {
	line, err := readLine(f)
	if err != nil {
		return 0, keys{}, err
	}
	text, magic := strings.CutPrefix(string(line), pointMagic)
	number, text, _ := strings.Cut(text, " ")
	n, err := strconv.Atoi(number)
	of, whole := parseKeys(text)
	if !magic || !whole || err != nil || n < 1 {
		return 0, keys{}, errNoPoint
	}
	return n, of, nil
}

// takeUp takes the simulation to the point's checkpoint, if there is one and it is of this simulation.
func (r *Run) takeUp() error {
	if r.from.path == "" || r.from.simulation != r.simulations {
		return nil // an earlier simulation of the measurement, which is run again, or a later one
	}
	f, _, err := r.checkpoints.open(r.keys)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := r.simulation.restore(f); err != nil {
		return fmt.Errorf("%s: %w", r.from.path, err)
	}
	if r.checkpoints.Fork == "" {
		return nil
	}
	if r.simulation.Knobs == nil {
		return fmt.Errorf("%s: the simulation of this point has nothing that can change on the way", r.from.path)
	}
	return r.simulation.Knobs()
}

// readLine reads a line byte by byte, and nothing after it.
func readLine(r io.Reader) ([]byte, error) {
	var line []byte
	for b := make([]byte, 1); len(line) < mostLine; {
		if _, err := io.ReadFull(r, b); err != nil {
			return nil, errNoPoint
		}
		if b[0] == '\n' {
			return line, nil
		}
		line = append(line, b[0])
	}
	return nil, errNoPoint
}
