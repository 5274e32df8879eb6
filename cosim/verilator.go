package cosim

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/goldwire/goldwire/hdl"
)

// buildVerilator compiles the shell and the program around it.
func buildVerilator(ctx context.Context, d Design, t shellText, dir string) (program string, err error) {
	obj := filepath.Join(dir, "obj")
	if err := os.MkdirAll(obj, 0o755); err != nil {
		return "", err
	}
	shell := filepath.Join(obj, "goldwire_shell.v") // its whole path: another shell.v may stand beside the RTL
	for name, data := range map[string][]byte{shell: t.fill("shell.v.tmpl"), filepath.Join(dir, "harness.cpp"): t.fill("harness.cpp.tmpl")} {
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return "", err
		}
	}
	command := append([]string{"verilator", "--cc", "-O3", "--no-timing", "--x-assign", "unique", "--x-initial", "unique", "-Wno-fatal",
		"-Wno-lint", "-Wno-style", "--top-module", "goldwire_shell", "--Mdir", obj, shell}, d.sources()...)
	if err := compile(ctx, d.limits(), dir, command); err != nil {
		return "", err
	}
	program = filepath.Join(dir, "rtl")
	v := hdl.Verilated{Top: "goldwire_shell", Obj: obj, More: []string{filepath.Join(dir, "harness.cpp")}, Optimise: "-O2"}
	return program, v.Build(ctx, program, func(ctx context.Context, command []string) error {
		return compile(ctx, d.limits(), dir, command)
	})
}

// program is what a process runs, and how it is fed.
type program struct {
	path    string
	dir     string // for the shared memory, if no file system in memory takes it
	memory  int64  // the most that it may have, in bytes
	timeout time.Duration
	seed    uint64

	in, out, streams int // bytes of a row of inputs and outputs; streams
	batches, rows    int // slots in the shared memory, and rows of each
}

// process is RTL in a process of its own, with shared memory.
type process struct {
	program
	ctx  context.Context
	file *os.File // that is the shared memory

	cmd      *exec.Cmd
	commands *os.File
	answers  *os.File
	shared   []byte
	parts    []slot
	draft    []byte // outputs of the batch that runs: its slot has them when it has ended
	output   *tail
	ended    bool
	buffer   []byte // of a command or an answer
	begun    []int  // slots whose batches are not answered yet
}

// slot is memory for a batch of rows.
type slot struct {
	in, out []byte
	unknown []uint64 // of a four-valued simulator: which bits of out are x or z, a word for each output; else nil
}

type command struct {
	Op, Slot, Rows, Drain uint32
	Processor             uint32 // that the model runs on, as processor tells it; 0 if the model waits for the answer
	beats                 []int  // of each stream
}
type answer struct{ Rows, Finished uint32 }

const (
	opRun   = 1
	opReset = 2
	opSpeak = 3 // write out what was said, with a mark after it
)

// startProcess starts a program that buildVerilator built.
func startProcess(ctx context.Context, of program) (*process, error) {
	file, err := os.CreateTemp("/dev/shm", "goldwire-") // a file system in memory, not on a disk; not everywhere, nor for everybody
	if err != nil {
		file, err = os.CreateTemp(of.dir, "goldwire-")
	}
	if err != nil {
		return nil, err
	}
	p := &process{program: of, ctx: ctx, file: file, ended: true}
	err = os.Remove(file.Name()) // both sides have it open
	if err == nil {
		err = p.share()
	}
	if err == nil {
		err = p.start()
	}
	if err != nil {
		_ = p.close() // the first error says more
		return nil, err
	}
	return p, nil
}

// slotLine is how many bytes say how many rows of a slot's batch have run and whether the slot has their outputs, or how many transfers there were of
// each stream: whole lines of a processor's cache, so that no slot disturbs another's.
func slotLine(streams int) int {
	const line = 64
	return (4*max(1, streams) + line - 1) / line * line
}

// line says how far a slot's batch has come.
func (p *process) line(slot int) []byte {
	size := slotLine(p.streams)
	return p.shared[slot*size:][:size]
}

// share maps the memory for the slots, before them their lines and behind them the draft.
func (p *process) share() error {
	in, each, lines := p.rows*p.in, p.rows*(p.in+p.out), p.batches*slotLine(p.streams)
	size := lines + p.batches*each + p.rows*p.out
	if err := p.file.Truncate(int64(size)); err != nil {
		return err
	}
	var err error
	if p.shared, err = mapShared(p.file, size); err != nil {
		return err
	}
	for i := range p.batches {
		part := p.shared[lines+i*each:][:each]
		p.parts = append(p.parts, slot{in: part[:in:in], out: part[in:]})
	}
	p.draft = p.shared[lines+p.batches*each:]
	return nil
}

// start starts the program, anew if it has ended.
func (p *process) start() error {
	commandsIn, commandsOut, err := os.Pipe()
	if err != nil {
		return err
	}
	answersIn, answersOut, err := os.Pipe()
	if err != nil {
		return errors.Join(err, commandsIn.Close(), commandsOut.Close())
	}
	args := []string{p.path, fmt.Sprint(p.batches), fmt.Sprint(p.rows)}
	p.cmd = hdl.Command(p.ctx, p.memory, args) // it runs where the user is: $readmemh finds its files
	p.cmd.ExtraFiles = []*os.File{commandsIn, answersOut, p.file}
	p.output = &tail{}
	p.cmd.Stdout, p.cmd.Stderr = p.output, p.output
	err = p.cmd.Start()
	commandsIn.Close()
	answersOut.Close()
	if err != nil {
		return errors.Join(err, commandsOut.Close(), answersIn.Close())
	}
	p.commands, p.answers, p.ended = commandsOut, answersIn, false
	_, err = p.do(p.resetting(0)) // the program has the memory mapped when it first answers
	return err
}

func (p *process) slots() []slot { return p.parts }

// reset starts the program anew if it has ended: a run stops at its first difference, and what RTL does in the batches that had begun may be a
// loop without an end.
func (p *process) reset(s int) error {
	_ = p.drop() // if it fails, the program has ended
	if p.ended {
		if err := p.start(); err != nil {
			return err
		}
	}
	_, err := p.do(p.resetting(s))
	return err
}

func (p *process) reseed(seed uint64) { p.seed = seed }

// resetting is the command of a reset, with the seed in two words.
func (p *process) resetting(slot int) command {
	return command{Op: opReset, Slot: uint32(slot), Rows: uint32(p.seed), Drain: uint32(p.seed >> 32)}
}

func (p *process) begin(s, rows int) {
	clear(p.line(s))
	_ = p.send(command{Op: opRun, Slot: uint32(s), Rows: uint32(rows), Processor: processor()}) // a program that has gone is told of where its answer is missing
	p.begun = append(p.begun, s)
}

func (p *process) end() (int, error) {
	slot := p.begun[0]
	p.begun = slices.Delete(p.begun, 0, 1)
	a, err := p.answer()
	if err != nil { // the program has ended, and what it left in the memory says how far it came
		line := p.line(slot)
		rows := int(binary.NativeEndian.Uint32(line))
		if binary.NativeEndian.Uint32(line[4:]) == 0 { // else it was too late, and may have gone on to the next batch
			copy(p.parts[slot].out, p.draft[:rows*p.out])
		}
		return rows, err
	}
	return int(a.Rows), p.finished(a)
}

// drop waits for the batches that nobody waits for any more.
func (p *process) drop() error {
	for len(p.begun) > 0 {
		p.begun = p.begun[1:]
		if _, err := p.answer(); err != nil {
			return err
		}
	}
	return nil
}

// finished ends RTL that has called $finish.
func (p *process) finished(a answer) error {
	if a.Finished == 0 {
		return nil
	}
	p.kill() // all it said is here now
	return fmt.Errorf("the RTL called $finish%s", p.output.text())
}

func (p *process) transfer(s int, beats []int, drain, hurry bool) ([]int, error) {
	c := command{Op: opRun, Slot: uint32(s), beats: beats}
	if drain {
		c.Drain = 1
	}
	if hurry {
		c.Drain |= 2
	}
	line := p.line(s)
	clear(line)
	a, err := p.do(c)
	done := make([]int, p.streams) // if there is no answer, these moved before
	for i := range done {
		done[i] = int(binary.NativeEndian.Uint32(line[4*i:]))
	}
	return done, errors.Join(err, p.finished(a))
}

// do sends a command and waits for its answer.
func (p *process) do(c command) (answer, error) {
	if err := p.drop(); err != nil {
		return answer{}, err
	}
	if p.send(c) != nil {
		return answer{}, p.gone()
	}
	return p.answer()
}

func (p *process) send(c command) error {
	b := binary.NativeEndian.AppendUint32(p.buffer[:0], c.Op)
	b = binary.NativeEndian.AppendUint32(b, c.Slot)
	b = binary.NativeEndian.AppendUint32(b, c.Rows)
	b = binary.NativeEndian.AppendUint32(b, c.Drain)
	b = binary.NativeEndian.AppendUint32(b, c.Processor)
	for i := range p.streams {
		n := 0
		if c.beats != nil {
			n = c.beats[i]
		}
		b = binary.NativeEndian.AppendUint32(b, uint32(n))
	}
	p.buffer = b
	_, err := p.commands.Write(b)
	return err
}

// answer waits for the next answer, no longer than the time limit, and then a second more: if this process was stopped meanwhile, it may be there.
func (p *process) answer() (a answer, err error) {
	raw, n := slices.Grow(p.buffer[:0], 8)[:8], 0
	for _, wait := range []time.Duration{p.timeout, time.Second} {
		if err := p.answers.SetReadDeadline(time.Now().Add(wait)); err != nil {
			return a, err
		}
		var more int
		more, err = io.ReadFull(p.answers, raw[n:])
		if n += more; !errors.Is(err, os.ErrDeadlineExceeded) {
			break
		}
	}
	if err != nil {
		if errors.Is(err, os.ErrDeadlineExceeded) {
			p.kill()
			return a, fmt.Errorf("the RTL has not answered for %v and was stopped: a loop without an end, or a batch too long for --timeout", p.timeout)
		}
		return a, p.gone()
	}
	a.Rows, a.Finished = binary.NativeEndian.Uint32(raw), binary.NativeEndian.Uint32(raw[4:])
	return a, nil
}

// gone says how the process ended.
func (p *process) gone() error {
	p.kill()
	return fmt.Errorf("the RTL's process ended: %v%s", p.cmd.ProcessState, p.output.text())
}

func (p *process) kill() {
	if p.ended {
		return
	}
	p.ended, p.begun = true, nil
	p.commands.Close()
	_ = p.cmd.Cancel() // it may have gone already
	_ = p.cmd.Wait()   // its state tells
	p.answers.Close()
}

func (p *process) close() error {
	if !p.ended {
		p.ended = true
		p.commands.Close() // its loop ends
		done := make(chan struct{})
		go func() { _ = p.cmd.Wait(); close(done) }()
		select {
		case <-done:
		case <-time.After(5 * time.Second):
			_ = p.cmd.Cancel()
			<-done
		}
		p.answers.Close()
	}
	err := p.file.Close()
	if p.shared != nil {
		err = errors.Join(err, unmapShared(p.shared))
		p.shared, p.parts, p.draft = nil, nil, nil
	}
	return err
}

// messages returns what the RTL has complained of since its reset up to a cycle, at the end of all batches that have begun.
func (p *process) messages(last int) []string {
	if !p.ended {
		before := p.output.marks()
		if _, err := p.do(command{Op: opSpeak}); err == nil {
			for end := time.Now().Add(p.timeout); p.output.marks() == before && time.Now().Before(end); {
				time.Sleep(time.Millisecond)
			}
		}
	}
	return p.output.complaints(last)
}
