package cosim

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/goldwire/goldwire/internal/faults"
	"github.com/goldwire/goldwire/internal/hdl"
	"github.com/goldwire/goldwire/rtl/layout"
)

// buildIcarus compiles the shell and the testbench that reads rows.
//
// It does so twice: only the program says which registers there are, and then the testbench can give them contents. If
// it cannot, there are no registers.
func buildIcarus(
	ctx context.Context, d Design, t shellText, dir string,
) (program string, registers []register, err error) {
	build := func(program string) error {
		shell, bench := filepath.Join(dir, "goldwire_shell.v"), filepath.Join(dir, "goldwire_tb.sv")
		for name, data := range map[string][]byte{shell: t.around(), bench: t.fill("icarus.sv.tmpl")} {
			if err := os.WriteFile(name, data, 0o644); err != nil {
				return err
			}
		}
		command := append([]string{"iverilog", "-g2012", "-s", "goldwire_tb", "-o", program, bench}, d.around(shell)...)
		return compile(ctx, d.limits(), dir, command, hearing{})
	}
	program = filepath.Join(dir, "rtl.vvp")
	if err := build(program); err != nil {
		return "", nil, err
	}
	if t.Registers, err = readRegisters(program); err != nil || len(t.Registers) == 0 {
		return program, nil, nil
	}
	second := filepath.Join(dir, "registers.vvp")
	if build(second) != nil {
		return program, nil, ctx.Err()
	}
	return second, t.Registers, nil
}

// interpreter is RTL under vvp. Each reset starts it anew, so that all registers are x again.
type interpreter struct {
	ctx     context.Context
	program string
	memory  int64
	timeout time.Duration
	seed    uint64
	stall   float64
	ins     layout.Rows
	outs    layout.Rows
	masks   []uint64 // of the inputs
	held    []Bound  // inputs, whose held bits have their values in noise too
	streams []shellStream
	offered []bool // of streams in: a beat stands
	paced   *pace  // of several clocks
	load    load
	noise   splitmix // of the streams
	cycle   uint64   // since the reset
	noting  bool
	noted   []step // the latest, if noting

	selected []string // the argument that selects a mutant

	registers []register // whose contents the program can set
	begins    beginning  // how the next reset goes

	parts   []slot
	begun   []batch // that have not run yet
	cmd     *exec.Cmd
	to      *os.File
	from    *os.File
	answers *bufio.Reader
	output  *tail
	rng     *rand.Rand
	stopped bool // it has not answered in time, and was asked to end
}

func newInterpreter(
	ctx context.Context, program string, memory int64, b *Binding, in, out layout.Rows, streams []shellStream,
	slots, rows int, seed uint64, timeout time.Duration,
) *interpreter {
	p := &interpreter{ctx: ctx, program: program, memory: memory, timeout: timeout, seed: seed, stall: b.stall,
		ins: in, outs: out, streams: streams, offered: make([]bool, len(streams))}
	for _, f := range b.Fields {
		if f.Dir == 0 {
			p.masks = append(p.masks, ^uint64(0)>>(64-f.Width))
			p.held = append(p.held, f)
		}
	}
	if b.enable == nil {
		p.stall = 0
	}
	for range slots {
		p.parts = append(
			p.parts, slot{make([]byte, rows*in.Bytes), make([]byte, rows*out.Bytes), make([]uint64, rows*out.Fields())},
		)
	}
	return p
}

func (p *interpreter) slots() []slot { return p.parts }

func (p *interpreter) reseed(seed uint64) { p.seed = seed }

func (p *interpreter) prepare(b beginning) { p.begins, p.seed = b, b.seed }

// choose has the next reset start a program with that mutant.
func (p *interpreter) choose(mutant int) {
	p.selected = []string{fmt.Sprintf("+%s=%d", faults.Selector, mutant)}
}

func (p *interpreter) setsContents() bool { return len(p.registers) > 0 }

// unknownRegisters are the registers that hold x. It follows a reset.
func (p *interpreter) unknownRegisters() (list []register, err error) {
	if _, err := p.to.WriteString("7\n"); err != nil {
		return nil, err
	}
	if err := p.from.SetReadDeadline(time.Now().Add(p.timeout)); err != nil {
		return nil, err
	}
	line, err := p.answers.ReadString('\n')
	if err != nil {
		return nil, err
	}
	for _, word := range strings.Fields(line) {
		k, err := strconv.Atoi(word)
		if err != nil || k < 0 || k >= len(p.registers) {
			return nil, fmt.Errorf("vvp answered %q, want numbers of registers", strings.TrimSpace(line))
		}
		list = append(list, p.registers[k])
	}
	return list, nil
}

func (p *interpreter) reset(s int) error {
	if p.begins.pulse {
		if p.cmd == nil {
			return errGone
		}
		clear(p.offered)
		p.paced, p.load, p.cycle = nil, load{}, 0
		again := p.line(nil, '6', p.ins.Row(p.parts[s].in, 0))
		_, err := p.to.Write(fmt.Appendf(again[:len(again)-1], " %d\n", p.begins.wait))
		return err
	}
	p.kill()
	p.begun, p.stopped = nil, false
	commandsIn, commandsOut, err := os.Pipe()
	if err != nil {
		return err
	}
	answersIn, answersOut, err := os.Pipe()
	if err != nil {
		return errors.Join(err, commandsIn.Close(), commandsOut.Close())
	}
	p.output = &tail{}
	// where the user is: $readmemh finds its files
	p.cmd = hdl.Command(p.ctx, p.memory, append([]string{"vvp", "-n", p.program}, p.selected...))
	p.cmd.ExtraFiles = []*os.File{commandsIn, answersOut}
	p.cmd.Stdout, p.cmd.Stderr = p.output, p.output
	err = hdl.Start(p.cmd)
	commandsIn.Close()
	answersOut.Close()
	p.to, p.from, p.answers = commandsOut, answersIn, bufio.NewReader(answersIn)
	if err != nil {
		p.cmd = nil
		return errors.Join(err, commandsOut.Close(), answersIn.Close())
	}
	p.rng, p.noise = rand.New(rand.NewPCG(p.seed, 1)), splitmix{p.seed}
	clear(p.offered)
	p.paced, p.load, p.cycle = nil, load{}, 0
	start := p.line(nil, '2', p.ins.Row(p.parts[s].in, 0))
	start = fmt.Appendf(start[:len(start)-1], " %d %d %d\n", p.begins.contents, uint32(p.seed), p.begins.wait)
	_, err = p.to.Write(start)
	return err
}

// line appends a command with a row.
func (p *interpreter) line(dst []byte, op byte, row []uint64) []byte {
	dst = append(dst, op)
	for _, v := range row {
		dst = append(dst, ' ')
		dst = strconv.AppendUint(dst, v, 16)
	}
	return append(dst, '\n')
}

func (p *interpreter) begin(s, rows int) { p.begun = append(p.begun, batch{slot: s, rows: rows}) }

// end runs the batch: vvp takes far longer than the model: running ahead would save nothing.
func (p *interpreter) end() (int, error) {
	part, rows := p.parts[p.begun[0].slot], p.begun[0].rows
	p.begun = p.begun[1:]
	sent := make(chan error, 1)
	go func() {
		var text []byte
		noise := make([]uint64, p.ins.Fields())
		for k := range rows {
			for p.stall > 0 && p.rng.Float64() < p.stall {
				for i := range noise {
					noise[i] = p.rng.Uint64() & p.masks[i]
				}
				text = p.line(text, '4', noise)
			}
			text = p.line(text, '1', p.ins.Row(part.in, k))
		}
		_, err := p.to.Write(append(text, '3', '\n'))
		sent <- err
	}()
	k, err := p.read(part, rows)
	if err != nil {
		p.kill() // the writer, if it is stuck, fails
		<-sent
		return k, err
	}
	return k, <-sent
}

// ended is the error of a vvp that has ended by itself: with -n it takes $stop for $finish, and ends well.
func (p *interpreter) ended(status error) error {
	how := "the RTL called $finish or $stop"
	if status != nil {
		how = "it ended with " + status.Error()
	}
	return ending(p.cmd.ProcessState, fmt.Errorf("vvp ended: %s%s", how, p.output.text()))
}

func (p *interpreter) read(part slot, rows int) (int, error) {
	if err := p.from.SetReadDeadline(time.Now().Add(p.timeout)); err != nil {
		return 0, err
	}
	for k := range rows {
		words, err := p.answer(p.outs.Fields())
		if err != nil {
			return k, err
		}
		for i, w := range words {
			value, unknown := parseFourValued(w)
			p.outs.Put(part.out, k, i, value)
			part.unknown[k*p.outs.Fields()+i] = unknown
		}
	}
	if p.stopped {
		return rows, silence(p.timeout)
	}
	return rows, nil
}

// answer reads a line of values. A vvp that is late is asked to end, which has it write out the lines that it keeps
// back.
func (p *interpreter) answer(values int) ([]string, error) {
	line, err := p.answers.ReadString('\n')
	if errors.Is(err, os.ErrDeadlineExceeded) && !p.stopped {
		p.stopped = true
		_ = p.cmd.Process.Signal(os.Interrupt) // if it cannot be asked, nothing more comes
		begun := line
		if err = p.from.SetReadDeadline(time.Now().Add(time.Second)); err == nil {
			line, err = p.answers.ReadString('\n')
		}
		line = begun + line
	}
	switch {
	case err != nil && p.stopped:
		return nil, silence(p.timeout)
	case errors.Is(err, io.EOF):
		return nil, p.ended(p.cmd.Wait())
	case err != nil:
		return nil, err
	}
	words := strings.Fields(line)
	if len(words) != values {
		return nil, fmt.Errorf("vvp answered %q, want %d values", strings.TrimSpace(line), values)
	}
	return words, nil
}

// Bounds of a wait, in cycles: the RTL costs some 20 µs each.
const (
	icarusPatience = 10_000 // without a transfer while beats wait
	icarusDrain    = 1_000  // without a transfer after the last beat
	hurry          = 300    // in place of both while a stimulus is made short, under Verilator too
)

// transfer goes cycle by cycle, since the offered beats depend on the accepted ones.
func (p *interpreter) transfer(s int, beats []int, drain, quick bool) ([]int, error) {
	part, done := p.parts[s], make([]int, len(p.streams))
	if p.paced == nil {
		p.paced = newPace(p.streams, p.clocks(), p.ins.Row(part.in, 0))
	}
	row := p.paced.row
	out, unknown := make([]uint64, p.outs.Fields()), make([]uint64, p.outs.Fields())
	patience, enough := icarusPatience, icarusDrain
	if quick {
		patience, enough = hurry, hurry
	}
	var text []byte
	for idle := 0; ; idle++ {
		all, full := true, false
		for k, x := range p.streams {
			all = all && (!x.Input || done[k] == beats[k])
			full = full || !x.Input && done[k] == beats[k]
		}
		if full || all && (!drain || idle > enough) || idle > patience {
			return done, nil
		}
		closed := p.load.closes(p.begins.fills, all && drain)
		p.paced.tick(&p.noise)
		takes := p.paced.takes
		for k, x := range p.streams {
			fresh := p.paced.fresh[k]
			p.paced.fresh[k] = p.paced.rises(x)
			if !fresh {
				continue
			}
			if !x.Input {
				takes[k] = !x.Ready || !p.noise.chance(x.Stall) && !closed
				continue
			}
			p.offered[k] = p.offered[k] || done[k] < beats[k] && !p.noise.chance(x.Stall)
			for _, i := range x.Beat {
				if p.offered[k] {
					row[i] = p.ins.Get(part.in, done[k], i)
				} else {
					row[i] = p.noise.next()&p.masks[i]&^p.held[i].held | p.held[i].value
				}
			}
			if !p.offered[k] {
				row[x.Valid] = 0
			}
		}
		text = p.line(text[:0], '5', row)
		text = text[:len(text)-1]
		for k, x := range p.streams {
			if !x.Input {
				text = append(text, ' ', '0')
				if takes[k] {
					text[len(text)-1] = '1'
				}
			}
		}
		if _, err := p.to.Write(append(text, '\n')); err != nil {
			err = p.ended(p.cmd.Wait())
			p.kill()
			return done, err
		}
		if err := p.from.SetReadDeadline(time.Now().Add(p.timeout)); err != nil {
			return done, err
		}
		words, err := p.answer(p.outs.Fields() + len(p.streams))
		if err != nil {
			p.kill()
			return done, err
		}
		for o := range out {
			out[o], unknown[o] = parseFourValued(words[o])
		}
		if p.noting && idle <= quiet {
			p.keep(row, out, unknown, takes, words[p.outs.Fields():])
		}
		p.cycle++
		for k, x := range p.streams {
			moves := !x.Input && takes[k] && (out[x.Valid] == 1 || unknown[x.Valid] != 0)
			before := p.paced.took[k]
			if x.Latency > 0 && p.paced.rises(x) { // the data come as many edges after the transfer
				p.paced.took[k] <<= 1
				if moves {
					p.paced.took[k] |= 1
					p.load.held--
					idle = 0
				}
				moves = before>>x.Before()&1 == 1
				out[x.Valid], unknown[x.Valid] = 1, 0
			}
			switch {
			case !p.paced.rises(x):
			case x.Input && p.offered[k] && words[p.outs.Fields()+k] == "1":
				done[k]++
				p.load.taken()
				p.offered[k] = false
				idle = 0
			case x.Input && p.offered[k]:
				p.load.refused++
			case moves:
				for _, o := range x.Beat {
					p.outs.Put(part.out, done[k], o, out[o])
					part.unknown[done[k]*p.outs.Fields()+o] = unknown[o]
				}
				done[k]++
				if x.Latency == 0 {
					p.load.held--
				}
				idle = 0
			}
		}
		p.load.count()
	}
}

// parseFourValued reads binary digits: the ones, and which are x or z.
func parseFourValued(digits string) (value, unknown uint64) {
	for _, c := range digits {
		value, unknown = value<<1, unknown<<1
		switch c {
		case '1':
			value |= 1
		case '0':
		default:
			unknown |= 1
		}
	}
	return value, unknown
}

func (p *interpreter) kill() {
	if p.cmd == nil {
		return
	}
	p.to.Close()
	_ = p.cmd.Cancel() // it may have gone already
	_ = p.cmd.Wait()
	p.from.Close()
	p.cmd = nil
}

// messages ends the RTL, as vvp keeps back its messages till then.
func (p *interpreter) messages(last int) []string {
	if p.cmd == nil {
		return nil
	}
	p.to.Close() // its loop ends
	done := make(chan struct{})
	go func() { _ = p.cmd.Wait(); close(done) }()
	var late []string
	select {
	case <-done:
	case <-time.After(p.timeout):
		_ = p.cmd.Cancel()
		<-done
		if last == toTheEnd {
			late = append(late, fmt.Sprintf("at its end: %v", silence(p.timeout)))
		}
	}
	p.from.Close()
	p.cmd = nil
	return append(p.output.complaints(last), late...)
}

func (p *interpreter) close() error {
	p.kill()
	return nil
}
