package cosim

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// drop waits for the batches that nobody waits for any more.
func (p *process) drop() error {
	for len(p.begun) > 0 {
		if err := p.wait(p.begun[0].slot); err != nil {
			return err
		}
		p.begun = p.begun[1:]
	}
	return nil
}

// finished ends RTL that has ended the run itself.
func (p *process) finished(how uint32) error {
	if how == 0 {
		return nil
	}
	p.kill() // all it said is here now
	return fmt.Errorf("the RTL called %s%s", endings[min(how, uint32(len(endings)-1))], p.output.text())
}

func (p *process) transfer(s int, beats []int, drain, hurry bool) ([]int, error) {
	c := command{Op: opRun, Slot: uint32(s), beats: beats}
	if drain {
		c.Drain = 1
	}
	if hurry {
		c.Drain |= 2
	}
	if p.begins.fills {
		c.Drain |= 4
	}
	if p.noting {
		c.Drain |= 8
	}
	line := p.line(s)
	clear(line)
	a, err := p.do(c)
	done := make([]int, p.streams) // if there is no answer, these moved before
	for i := range done {
		done[i] = int(binary.NativeEndian.Uint32(line[4*i:]))
		if done[i] > beats[i] {
			p.kill()
			return make([]int, p.streams), errors.Join(err,
				fmt.Errorf("the RTL's program moved %d transfers of at most %d", done[i], beats[i]))
		}
	}
	p.most = int(binary.NativeEndian.Uint32(line[4*p.streams:]))
	p.full = binary.NativeEndian.Uint32(line[4*(p.streams+1):]) != 0
	return done, errors.Join(err, p.finished(a.Ending))
}

func (p *process) inside() (most int, full bool) { return p.most, p.full }

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
	p.place.choose()
	b := binary.NativeEndian.AppendUint32(p.buffer[:0], c.Op)
	b = binary.NativeEndian.AppendUint32(b, c.Slot)
	b = binary.NativeEndian.AppendUint32(b, c.Rows)
	b = binary.NativeEndian.AppendUint32(b, c.Drain)
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

// answer waits for the next answer, as long as wait does.
func (p *process) answer() (a answer, err error) {
	some := false
	err = p.inTime(func() bool { return some }, func() (err error) { some, err = ready(p.answers, nap); return err })
	if err != nil {
		return a, err
	}
	raw := slices.Grow(p.buffer[:0], 4)[:4]
	if _, err := io.ReadFull(p.answers, raw); err != nil {
		return a, p.gone()
	}
	a.Ending = binary.NativeEndian.Uint32(raw)
	return a, nil
}

// silent ends RTL that has not answered in time.
func (p *process) silent() error {
	p.kill()
	return silence(p.timeout)
}

// gone says how the process ended. Its end of the pipe is closed, so that it is about to end by itself: were it killed
// at once, it would seem that somebody else had killed it.
func (p *process) gone() error {
	if !p.ended {
		p.leave()
		p.begun, p.unsent = nil, 0
		p.answers.Close()
	}
	state := p.cmd.ProcessState
	return ending(state, fmt.Errorf("the RTL's process ended: %v%s", state, p.output.text()))
}

// leave waits for a process that has nothing left to do, and kills it if it stays.
func (p *process) leave() {
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
}

func (p *process) kill() {
	if p.ended {
		return
	}
	p.ended, p.begun, p.unsent = true, nil, 0
	p.commands.Close()
	_ = p.cmd.Cancel() // it may have gone already
	_ = p.cmd.Wait()   // its state tells
	p.answers.Close()
}

func (p *process) close() error {
	if !p.ended {
		p.leave()
		p.answers.Close()
	}
	err := p.file.Close()
	if p.shared != nil {
		err = errors.Join(err, unmapShared(p.shared))
		p.shared, p.parts, p.draft, p.ring = nil, nil, nil, nil
	}
	return err
}

// messages returns what the RTL has complained of since its reset up to a cycle, at the end of all batches that have
// begun.
func (p *process) messages(last int) (list []string) {
	if !p.ended {
		before := p.output.marks()
		speak := command{Op: opSpeak}
		if last == toTheEnd {
			speak.Rows = 1
		}
		_, err := p.do(speak)
		if err != nil && last == toTheEnd {
			list = append(list, fmt.Sprintf("at its end: %v", err))
		}
		if err == nil {
			for end := time.Now().Add(p.timeout); p.output.marks() == before && time.Now().Before(end); {
				time.Sleep(time.Millisecond)
			}
		}
	}
	return append(p.output.complaints(last), list...)
}
