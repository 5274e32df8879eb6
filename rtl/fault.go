package rtl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/internal/engine"
)

// FaultKind is the kind of a fault.
type FaultKind int

// The faults of elaboration, then the faults that only strict mode finds while running.
const (
	BadName         FaultKind = iota // not an identifier, or the name of two ports, or of an output and a probe
	NotAStruct                       // a module that is no pointer to a struct
	NoClock                          // a module added to a scope without a clock
	AddedTwice                       // the same module, or two of the same path
	Unconnected                      // an input that reads nothing
	DrivenTwice                      // an input with two drivers, or an output owned by two modules
	NotAdded                         // an input that reads a module which is not in the simulation
	CombLoop                         // Wires that depend on each other in a circle
	ClockCrossing                    // an In that reads a register of another clock
	NoFixedWidth                     // a signal type that is not a plain value of known width
	BadTag                           // a bits or comb tag that does not fit its field
	BadClock                         // clocks that have no exact common time unit
	BadDelay                         // a delay of less than one edge, or one that is embedded
	TooWide                          // strict: a value wider than its declaration
	ReadUndriven                     // strict: a read of an output that nothing has driven
	Latch                            // strict: a Comb that leaves a Wire undriven
	ImpureComb                       // strict: a Comb that gives another value when called again
	UndeclaredInput                  // strict: a Comb that reads an input its comb tags leave out
	MisplacedDrive                   // strict: an Out set in Comb, or a Wire set in Tick
)

var faultNames = [...]string{
	"bad name", "not a struct", "no clock", "added twice", "unconnected", "driven twice", "not added",
	"combinational loop", "clock crossing", "no fixed width", "bad tag", "bad clock", "bad delay", "too wide",
	"read of undriven",
	"latch", "impure comb", "undeclared input", "misplaced drive",
}

func (k FaultKind) String() string { return faultNames[k] }

// Fault is one thing that is wrong, with the full path of where.
type Fault struct {
	Kind   FaultKind
	Path   string
	Detail string
}

func (f Fault) String() string { return fmt.Sprintf("%v: %s %s", f.Kind, f.Path, f.Detail) }

// Faults is the error of Elaborate and, in strict mode, of Run: everything that was found, one a line.
type Faults []Fault

func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, one := range f {
		lines[i] = one.String()
	}
	return strings.Join(lines, "\n")
}

func (s *Sim) fault(k FaultKind, path, format string, args ...any) {
	f := Fault{k, path, fmt.Sprintf(format, args...)}
	if !slices.Contains(s.faults, f) {
		s.faults = append(s.faults, f)
	}
}

// strictFaults are the kinds of strict mode.
var strictFaults = [...]FaultKind{
	engine.TooWide: TooWide, engine.ReadUndriven: ReadUndriven, engine.Latch: Latch, engine.ImpureComb: ImpureComb,
	engine.UndeclaredInput: UndeclaredInput, engine.MisplacedDrive: MisplacedDrive, engine.AsyncInComb: ClockCrossing,
}

// takeStrict returns what strict mode found as an error, nil if that is nothing.
func (s *Sim) takeStrict(found []engine.Fault) error {
	for _, f := range found {
		s.fault(strictFaults[f.Kind], f.Path, "%s", f.Detail)
	}
	return s.takeFaults()
}

// takeFaults returns the faults found so far as an error, nil if there are none, and forgets them.
func (s *Sim) takeFaults() error {
	if len(s.faults) == 0 {
		return nil
	}
	f := s.faults
	s.faults = nil
	return f
}
