package experiment

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/goldwire/goldwire/output"
	"github.com/goldwire/goldwire/rtl"
)

// Checkpoints says where a run keeps the state of its simulations. Each point has a file there, which a later one replaces.
type Checkpoints struct {
	// Dir is the directory. It must be there.
	Dir string
	// Every is after how many cycles of a simulation its state is written; 0 for never.
	Every uint64
	// Resume lets each point go on from its file. A point without one starts from its beginning; that none has one is an error.
	Resume bool
}

// Simulation is a simulation that a measurement runs, as [Run.Simulate] wants it.
type Simulation struct {
	Sim   *rtl.Sim
	Clock *rtl.Clock // whose cycles count
	// Faulty tells whether something has gone wrong; nil if nothing can.
	Faulty func() bool
	// Roots are pointers to what the measurement knows of its run besides the simulation; see [rtl.Sim.Save].
	Roots []any
}

// Simulate is [Run.Watch] for a simulation that can be left and taken up again: a measurement that calls it between elaboration and the
// first edge, and then [Run.Between] between runs of the clock, can be resumed. What it does from then on follows from the simulation and its
// roots. If the point is resumed, the simulation and the roots are at the cycle of the checkpoint when Simulate returns.
func (r *Run) Simulate(s Simulation) error {
	r.simulation, r.simulations = s, r.simulations+1
	if err := r.resume(); err != nil {
		return err
	}
	r.written = s.Clock.Cycle()
	// a stall is shown by what was recorded before it: there is no fault to run to again
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

// Between is called where nothing that a measurement has to remember lies outside of the simulation and the roots that it gave to
// [Run.Simulate]: in its loop, after a run of the clock. It writes a checkpoint when one is due, and looks for the fault that
// [Waves].OnFault waits for.
func (r *Run) Between() error {
	if r.replay != nil {
		if err := r.replay.between(); err != nil {
			return err
		}
	}
	c := r.checkpoints
	if c == nil || c.Every == 0 || r.simulation.Clock.Cycle() < r.written+c.Every {
		return nil
	}
	r.written = r.simulation.Clock.Cycle()
	return output.Write(r.checkpointPath(), func(w io.Writer) error {
		if _, err := fmt.Fprintf(w, "%s%d %s\n", pointMagic, r.simulations, r.key); err != nil {
			return err
		}
		return r.simulation.Sim.Save(w, r.simulation.Roots...)
	})
}

// The file of a point is a line with the number of the simulation in it, for measurements that have several, and the point's key, then that
// simulation's checkpoint.
const (
	pointMagic = "goldwire point "
	mostLine   = 200
)

func (r *Run) checkpointPath() string { return r.checkpoints.path(r.key) }

func (c *Checkpoints) path(key string) string {
	return filepath.Join(c.Dir, key[:16]+".checkpoint")
}

// resume takes the simulation to the point's checkpoint, if there is one and it is of this simulation.
func (r *Run) resume() error {
	c := r.checkpoints
	if c == nil || !c.Resume {
		return nil
	}
	path := r.checkpointPath()
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	line, err := readLine(f)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	number, key, found := bytes.Cut(bytes.TrimPrefix(line, []byte(pointMagic)), []byte(" "))
	n, err := strconv.Atoi(string(number))
	switch {
	case !bytes.HasPrefix(line, []byte(pointMagic)) || !found || err != nil || n < 1:
		return fmt.Errorf("%s: it is no checkpoint of a point", path)
	case string(key) != r.key:
		return fmt.Errorf("%s: it is of another experiment, point or seed", path)
	case n != r.simulations:
		return nil // an earlier simulation of the measurement, which is run again, or a later one
	}
	if err := r.simulation.Sim.Restore(f, r.simulation.Roots...); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// readLine reads a line byte by byte, and nothing after it.
func readLine(r io.Reader) ([]byte, error) {
	var line []byte
	for b := make([]byte, 1); len(line) < mostLine; {
		if _, err := io.ReadFull(r, b); err != nil {
			return nil, errors.New("it is no checkpoint of a point")
		}
		if b[0] == '\n' {
			return line, nil
		}
		line = append(line, b[0])
	}
	return nil, errors.New("it is no checkpoint of a point")
}

// keysOf returns the keys of the points of an experiment, none without checkpoints.
func keysOf[Q any](experiment string, points []Point[Q], c *Checkpoints) ([]string, error) {
	if c == nil {
		return nil, nil
	}
	keys, found := make([]string, len(points)), false
	for i, p := range points {
		var err error
		if keys[i], err = pointKey(experiment, p.Params, p.Seed); err != nil {
			return nil, err
		}
		_, err = os.Lstat(c.path(keys[i]))
		found = found || err == nil
	}
	if c.Resume && !found {
		return nil, fmt.Errorf("%s: it has no checkpoint of this experiment with these parameters and this seed", c.Dir)
	}
	return keys, nil
}

// pointKey names a point: two points have the same if all that decides their results is the same.
func pointKey(experiment string, point any, seed uint64) (string, error) {
	b, err := json.Marshal(point)
	if err != nil {
		return "", fmt.Errorf("experiment %s: a point that is no JSON: %w", experiment, err)
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%d\n%s", experiment, seed, b))
	return hex.EncodeToString(sum[:]), nil
}
