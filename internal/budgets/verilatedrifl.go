package budgets

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/designs/rifl"
	"github.com/goldwire/goldwire/internal/hdl"
)

// riflLinkRTL joins two endpoints of the reference RTL, riflLinkCPP clocks them and is their users.
var (
	//go:embed verilog/rifl_link.v
	riflLinkRTL string
	//go:embed verilog/rifl_link.cpp
	riflLinkCPP string
)

// fullLink returns a link of modules, not yet run, whose users always have packets of 1,500 bytes.
func fullLink(cfg rifl.Config) (*rifl.Link, error) {
	c := rifl.LinkConfig{Config: cfg}
	for e := range uint64(2) {
		c.Send[e], c.Expect[1-e] = rifl.Packets(e, packetBytes, packetBytes), rifl.Packets(e, packetBytes, packetBytes)
	}
	return rifl.NewLink(c)
}

// packetBytes is the size of all packets, as rifl_link.cpp has it.
const packetBytes = 1500

// buildRIFL compiles a full link in RTL.
func buildRIFL(ctx context.Context, cfg rifl.Config, optimise string) (*verilated, error) {
	l, err := fullLink(cfg)
	if err != nil {
		return nil, err
	}
	instants, err := riflInstants(l)
	if err != nil {
		return nil, err
	}
	endpoint, parameters := l.RTL()
	edges, _ := blocks.Recover(cfg.LineTime(), clock.Time{}, l.Ends[0].Transceiver.Freq().Period())
	var options []string
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		options = append(options, fmt.Sprintf("-G%s=%d", name, parameters[name]))
	}
	return verilate(ctx, optimise, "rifl_link", map[string]string{
		"endpoint.v": endpoint, "rifl_link.v": riflLinkRTL, "main.cpp": riflLinkCPP,
		"link.h": fmt.Sprintf("#define WIDTH %d\n#define WORDS %d\n#define INSTANTS %s\n", parameters["WIDTH"],
			cfg.Words(), instants),
	}, append(options, fmt.Sprintf("-GLINE=%d", edges-1))...)
}

// riflInstants returns the table INSTANTS of rifl_link.cpp. It has a number for each instant of a common period of the
// link's clocks; its bits say which clocks rise then. Both ends have the same crystal and all lanes the same cable. So
// the clocks of one kind (frame, transceiver, recovered, free) rise together, and are one clock in the RTL with one
// bit.
func riflInstants(l *rifl.Link) (string, error) {
	const most = 1 << 12
	table := l.Sim.Schedule().Clone().Learn(most)
	if table == nil {
		return "", fmt.Errorf("the clocks of the RIFL link have no common period of %d instants", most)
	}
	kinds := [4][]int{} // clocks by bit: FRAME, TRANSCEIVER, RECOVERED, FREE of rifl_link.cpp
	for _, end := range l.Ends {
		kinds[0], kinds[1], kinds[3] = append(kinds[0], end.Frame.Index()), append(kinds[1], end.Transceiver.Index()),
			append(kinds[3], end.Free.Index())
		for _, lane := range end.Lanes {
			kinds[2] = append(kinds[2], lane.Recovered.Index())
		}
	}
	var all []string
	last := 0
	for k, due := range slices.Concat(table, table[:1]) {
		now, n := 0, 0
		for bit, clocks := range kinds {
			if slices.Contains(due, clocks[0]) {
				now |= 1 << bit
				n += len(clocks)
			}
		}
		if n != len(due) || now&last != 0 {
			return "", fmt.Errorf("instant %d of the RIFL link: %d of %d clocks rise, %04b after %04b", k,
				len(due), n, now, last)
		}
		last = now
		all = append(all, fmt.Sprint(now))
	}
	return strings.Join(all[:len(table)], ","), nil
}

// riflArrived counts the beats and bytes that have arrived at a user from the reset on.
type riflArrived struct{ Beats, Bytes uint64 }

// flits returns how many flits of a size the bytes fill. A flit has bytes of one packet only.
func (a riflArrived) flits(size int) uint64 {
	n := uint64(size)
	return a.Bytes/packetBytes*((packetBytes+n-1)/n) + a.Bytes%packetBytes/n
}

// riflRun is a run of the RTL. It has had its reset and riflWarm frame cycles.
type riflRun struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out io.ReadCloser
}

// startRIFL starts a run. If every is not 0, a bit on lane 0 to end 1 flips once in that number of the frame cycles
// that come then. The run is to be stopped.
func startRIFL(ctx context.Context, v *verilated, every int) (*riflRun, error) {
	r := &riflRun{cmd: exec.CommandContext(ctx, filepath.Join(v.dir, "rifl_link"),
		fmt.Sprint(riflWarm), fmt.Sprint(every))}
	var err error
	if r.in, err = r.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if r.out, err = r.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	if err := hdl.Start(r.cmd); err != nil {
		return nil, fmt.Errorf("the verilated RIFL link: %w", err)
	}
	return r, nil
}

// stop ends the program, whatever it does.
func (r *riflRun) stop() {
	_ = r.cmd.Process.Kill()
	_ = r.cmd.Wait()
}

// reason returns how the program ended if that is why it could not be told or asked something, else the error of that.
func (r *riflRun) reason(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.EPIPE) {
		return cmp.Or(r.cmd.Wait(), err)
	}
	return err
}

// step runs frame cycles and returns the processor seconds that they took.
func (r *riflRun) step(frames int) (seconds float64, err error) {
	if _, err = fmt.Fprintln(r.in, frames); err == nil {
		_, err = fmt.Fscanln(r.out, &seconds)
	}
	if err != nil {
		err = fmt.Errorf("the verilated RIFL link, asked for the time of %d frame cycles: %w", frames, r.reason(err))
	}
	return seconds, err
}

// arrived ends the run and returns what arrived at each end.
func (r *riflRun) arrived() (arrived [2]riflArrived, err error) {
	if err := r.in.Close(); err != nil {
		return arrived, err
	}
	for e := range arrived {
		var wrong, lost uint64
		if _, err := fmt.Fscanln(r.out, &arrived[e].Beats, &arrived[e].Bytes, &wrong, &lost); err != nil {
			return arrived, fmt.Errorf("the verilated RIFL link, asked what arrived at end %d: %w", e, r.reason(err))
		}
		if wrong > 0 || lost > 0 {
			return arrived, fmt.Errorf(
				"the verilated RIFL link: end %d gets %d of %d beats wrong, and has no room for %d frames", e, wrong,
				arrived[e].Beats, lost,
			)
		}
	}
	return arrived, nil
}

// runRIFL runs the RTL for frame cycles, with every as [startRIFL] has it, and returns what arrived at each end.
func runRIFL(ctx context.Context, v *verilated, frames, every int) (arrived [2]riflArrived, err error) {
	r, err := startRIFL(ctx, v, every)
	if err != nil {
		return arrived, err
	}
	defer r.stop()
	if _, err := r.step(frames); err != nil {
		return arrived, err
	}
	return r.arrived()
}
