package cosim

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/goldwire/goldwire/internal/faults"
	"github.com/goldwire/goldwire/internal/hdl"
)

// buildVerilator compiles the shell and the program around it.
func buildVerilator(ctx context.Context, d Design, t shellText, dir string) (program string, err error) {
	obj := filepath.Join(dir, "obj")
	if err := os.MkdirAll(obj, 0o755); err != nil {
		return "", err
	}
	shell := filepath.Join(obj, "goldwire_shell.v") // its whole path: another shell.v may stand beside the RTL
	first, harness := filepath.Join(dir, "stop.h"), filepath.Join(dir, "harness.cpp")
	for name, data := range map[string][]byte{shell: t.around(), first: t.fill("stop.h.tmpl"),
		harness: t.fill("harness.cpp.tmpl")} {
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return "", err
		}
	}
	command := append(
		[]string{
			"verilator", "--cc", "-O3", "--no-timing", "--assert", "--x-assign", "unique", "--x-initial", "unique",
			"-Wno-fatal", "-Wno-lint", "-Wno-style", "-Werror-USERFATAL", "-Werror-USERERROR",
			"--top-module", "goldwire_shell", "--Mdir", obj,
		},
		d.around(shell)...)
	if err := compile(ctx, d.limits(), dir, command, hearing{}); err != nil {
		return "", err
	}
	program = filepath.Join(dir, "rtl")
	v := hdl.Verilated{Top: "goldwire_shell", Obj: obj, First: []string{first}, More: []string{harness}, Optimise: "-O2"}
	return program, v.Build(ctx, program, func(ctx context.Context, command []string) error {
		return compile(ctx, d.limits(), dir, command, hearing{})
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
	place    *elsewhere
	commands *os.File
	answers  *os.File
	shared   []byte
	parts    []slot
	draft    []byte // outputs of the batch that runs: its slot has them when it has ended
	output   *tail
	ended    bool
	buffer   []byte    // of a command or an answer
	begun    []batch   // that have not ended yet, in their slots
	unsent   int       // how many of these, the last ones, the program has not been told of
	begins   beginning // how the next reset goes
	mutant   int       // that is planted
	most     int       // transfers that were held at once, since the reset
	full     bool      // the RTL took no more while nothing was taken from it
	number   uint32    // of batches that it has been told of since its start
	ring     []byte    // of streams: the latest cycles, if noting
	noting   bool
	told     time.Time // when it was told the last time
}

// slot is memory for a batch of rows.
type slot struct {
	in, out []byte
	unknown []uint64 // of a four-valued simulator: which bits of out are x or z, a word for each output; else nil
}

type command struct {
	Op, Slot, Rows, Drain uint32 // of opRun: Rows is how many batches begin with that slot's
	beats                 []int  // of each stream
}
type answer struct{ Ending uint32 }

const (
	opRun   = 1
	opReset = 2
	opSpeak = 3 // write out the messages, with a mark after them; with rows the RTL ends before, with its final blocks
	opPulse = 4 // another reset of the same RTL
)

// startProcess starts a program that buildVerilator built.
func startProcess(ctx context.Context, of program) (*process, error) {
	// a file system in memory, not on a disk; not everywhere, nor for everybody
	file, err := os.CreateTemp("/dev/shm", "goldwire-")
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

// slotLine is how many bytes are the words that tell of a slot's batch. Of streams these are the transfers of each, the
// most that were held at once, and whether the RTL was full. It is whole lines of a processor's cache, so that no slot
// disturbs another's.
func slotLine(streams int) int {
	const line = 64
	return (4*max(4, streams+2) + line - 1) / line * line
}

// The words that tell of a slot's batch, by their places in its line.
const (
	wordRan = iota // rows that have run
	// not 0: the batch has ended, and the slot has its outputs; above 1 the RTL has ended the run, see endings
	wordDone
	wordRows // how many rows it has
)

// endings are how RTL ends a run: 1 and so on, as stop.h numbers them.
var endings = []string{1: "$finish", 2: "$stop", 3: "$fatal"}

// line says how far a slot's batch has come.
func (p *process) line(slot int) []byte {
	size := slotLine(p.streams)
	return p.shared[(1+slot)*size:][:size]
}

// word is one of a slot's words.
func (p *process) word(slot, place int) *atomic.Uint32 {
	return (*atomic.Uint32)(unsafe.Pointer(&p.line(slot)[4*place]))
}

// bell is the number of the batch at whose end this process wants to be woken, or 0. It has the line before the slots'.
func (p *process) bell() *atomic.Uint32 { return (*atomic.Uint32)(unsafe.Pointer(&p.shared[0])) }

// share maps the memory for the slots, their lines first and the draft last.
func (p *process) share() error {
	in, each, lines := p.rows*p.in, p.rows*(p.in+p.out), (1+p.batches)*slotLine(p.streams)
	ring := 0
	if p.streams > 0 {
		ring = ringRows * (8 + p.in + p.out + p.streams)
	}
	size := lines + p.batches*each + p.rows*p.out + ring
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
	p.draft = p.shared[lines+p.batches*each:][:p.rows*p.out]
	p.ring = p.shared[size-ring:]
	return nil
}

// start starts the program, anew if it has ended.
func (p *process) start() error {
	commandsIn, commandsOut, err := os.Pipe()
	if err != nil {
		return err
	}
	answersIn, answersOut, err := pipeToSleepOn()
	if err != nil {
		return errors.Join(err, commandsIn.Close(), commandsOut.Close())
	}
	p.begun, p.unsent, p.number = nil, 0, 0
	p.bell().Store(0)
	args := []string{p.path, fmt.Sprint(p.batches), fmt.Sprint(p.rows)}
	if p.mutant > 0 {
		args = append(args, fmt.Sprintf("+%s=%d", faults.Selector, p.mutant))
	}
	p.cmd = hdl.Command(p.ctx, p.memory, args) // it runs where the user is: $readmemh finds its files
	p.cmd.ExtraFiles = []*os.File{commandsIn, answersOut, p.file}
	p.output = &tail{}
	p.cmd.Stdout, p.cmd.Stderr = p.output, p.output
	err = hdl.Start(p.cmd)
	commandsIn.Close()
	answersOut.Close()
	if err != nil {
		return errors.Join(err, commandsOut.Close(), answersIn.Close())
	}
	p.commands, p.answers, p.ended, p.place = commandsOut, answersIn, false, newElsewhere(p.cmd.Process.Pid)
	_, err = p.do(p.resetting(0)) // the program has the memory mapped when it first answers
	return err
}

func (p *process) slots() []slot { return p.parts }

// reset starts the program anew if it has ended: a run stops at its first difference, and what RTL does in the batches
// that had begun may be a loop without an end.
func (p *process) reset(s int) error {
	_ = p.drop() // if it fails, the program has ended
	if p.begins.pulse {
		if p.ended {
			return errGone
		}
		_, err := p.do(command{Op: opPulse | uint32(p.begins.wait)<<16, Slot: uint32(s)})
		return err
	}
	if p.ended {
		if err := p.start(); err != nil {
			return err
		}
	}
	_, err := p.do(p.resetting(s))
	return err
}

func (p *process) reseed(seed uint64) { p.seed = seed }

func (p *process) prepare(b beginning) { p.begins, p.seed = b, b.seed }

func (p *process) setsContents() bool { return true }

// choose has the next reset start a program with that mutant.
func (p *process) choose(mutant int) {
	p.kill()
	p.mutant = mutant
}

// resetting is the command of a reset, with the seed in two words.
func (p *process) resetting(slot int) command {
	p.told = time.Time{}
	return command{
		Op: opReset | uint32(p.begins.contents)<<8 | uint32(p.begins.wait)<<16, Slot: uint32(slot), Rows: uint32(p.seed),
		Drain: uint32(p.seed >> 32),
	}
}

// gather is how long batches are gathered for a program that has nothing to do: waking it costs this process up to 30
// µs.
const gather = 400 * time.Microsecond

func (p *process) begin(s, rows int) {
	clear(p.line(s))
	p.word(s, wordRows).Store(uint32(rows))
	p.begun = append(p.begun, batch{slot: s, rows: rows})
	p.unsent++
	known := len(p.begun) - p.unsent
	busy := known > 0 && p.word(p.begun[known-1].slot, wordDone).Load() == 0
	if busy || p.unsent == p.batches/2 || time.Since(p.told) > gather {
		p.tell()
	}
}

// tell tells the program of the batches that it does not know.
func (p *process) tell() {
	for p.unsent > 0 {
		first, n := p.begun[len(p.begun)-p.unsent].slot, p.unsent
		n = min(n, p.batches-first) // the slots follow one another
		// a program that has gone is told of where it is waited for
		_ = p.send(command{Op: opRun, Slot: uint32(first), Rows: uint32(n)})
		p.unsent, p.number, p.told = p.unsent-n, p.number+uint32(n), time.Now()
	}
}

// end tells how far the program came where it fails: its mark in the memory says so. RTL may have written there
// whatever it likes.
func (p *process) end() (int, error) {
	b := p.begun[0]
	err := p.wait(b.slot)
	p.begun = p.begun[min(1, len(p.begun)):] // none if the program has ended
	rows := int(p.word(b.slot, wordRan).Load())
	if rows > b.rows {
		p.kill()
		return 0, errors.Join(err, fmt.Errorf("the RTL's program ran %d of %d rows", rows, b.rows))
	}
	done := p.word(b.slot, wordDone).Load()
	if done == 0 { // else it was too late, and may have gone on to the next batch
		copy(p.parts[b.slot].out, p.draft[:rows*p.out])
	}
	if err != nil {
		return rows, err
	}
	return rows, p.finished(max(done, 1) - 1)
}

// nap is how long this process sleeps at most before it looks itself. RTL that takes so long for some batches is slower
// than any waking.
const nap = 10 * time.Millisecond

// wait waits until a slot's batch has ended, no longer than the time limit.
func (p *process) wait(slot int) error {
	done := p.word(slot, wordDone)
	if done.Load() == 0 {
		p.tell()
	}
	return p.inTime(func() bool { return done.Load() != 0 }, p.sleep)
}

// inTime takes naps until something is done, no longer than the time limit. It counts naps, so that time in which this
// process is stopped is one.
func (p *process) inTime(done func() bool, takeNap func() error) error {
	for slept := time.Duration(0); !done(); slept += nap {
		if slept >= p.timeout {
			return p.silent()
		}
		if err := takeNap(); err != nil {
			return err
		}
	}
	return nil
}

// sleep takes a nap, or sleeps until half of the cycles under way have ended: then the program has work left while this
// process wakes up and makes more, and to wake it, which costs the program up to 30 µs, is rare.
func (p *process) sleep() error {
	half := len(p.begun) / 2
	number := p.number - uint32(len(p.begun)-1-half)
	p.bell().Store(number)
	some := false
	if p.word(p.begun[half].slot, wordDone).Load() == 0 { // else the program may not have seen that it is to ring
		var err error
		if some, err = ready(p.answers, nap); err != nil {
			return err
		}
	}
	p.place.choose()
	if p.bell().CompareAndSwap(number, 0) { // it has not rung, and will not
		if some &&
			p.word(p.begun[0].slot, wordDone).
				Load() ==
				0 { // no writer is left; but batches that ended before count, whenever that is seen
			return p.gone()
		}
		return nil
	}
	_, err := p.answer()
	return err
}
