package vectors

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/layout"
)

// Unit is a module that can be run alone: how to build it and how to drive its inputs.
type Unit struct {
	Name string // "pcs/scrambler": lower case, the package first
	Doc  string // one line
	Ref  string // where it is specified: "IEEE 802.3 49.2.6"

	// Latency is the least number of cycles from a change of an input to the change of an output that it causes: 1 if a
	// register stands between them, 0 if they are combinational. From and To, if set, are the ports between which it
	// counts; otherwise it is the least of any input to any output.
	Latency  int
	From, To string

	Clock clock.Freq

	// Build makes the module, not yet added to the simulation, and drives all its inputs. Every call makes a new one.
	Build func(b *Bench) rtl.Module

	// Clocks are the clocks of a unit that has several. Assemble then builds it in place of Build: the modules and the
	// drivers of their inputs, added to the bench's simulation on clocks made there. Clock is then the first clock's
	// frequency. Its rows are the instants at which at least one clock rises, and Latency counts such rows.
	Clocks   []UnitClock
	Assemble func(b *Bench) Assembly

	// Valid says when an output counts. The key is an output port or one of its fields, the value a field of one bit:
	// {"out": "out_valid"} makes all other fields of port out don't-care while out_valid is 0.
	Valid map[string]string

	// Ready names the handshakes of the inputs: {"in": "ready"} means that a beat at port in, offered by its field
	// in_valid, is taken at an edge before which the output ready is 1, and stands unchanged until then.
	Ready map[string]string

	// Streams names handshakes whose signals are ports of their own, by the port that carries the data. A unit of
	// several clocks has them so.
	Streams map[string]Handshake

	// ResetOnce, if set, says why the reset must not come again in the middle of a run. Else lockstep and exported vectors
	// pulse it.
	ResetOnce string

	// Machines are the module's state machines.
	Machines []Machine
	// Unmoved says of bits of ports and probes, and of transitions, why this unit can never show them: {"out_hi": "…",
	// "timer[31:7]": "…", "TX_T → TX_E": "…"}. Coverage does not ask for them.
	Unmoved map[string]string

	// Profiles tells that the stimulus has profiles. Profile is the one to run.
	Profiles bool
	Profile  Profile

	// Repair, if not nil, makes the inputs of a row follow from the row before it (nil for the first one) where the module
	// relies on that, so that a stimulus can be cut.
	Repair func(last, row *Values)

	// Environment is Verilog for proofs, with the same rules as Repair: assumptions over the fields, clk and rst, in a
	// module that has them.
	Environment string

	// Invariant is Verilog in the reference RTL's module: assertions about its registers after each edge, which are
	// proved by induction. Where a wire goldwire_counts_NAME is 0, the value of register NAME makes no difference. Some
	// mutants can be proved equal only with an Invariant.
	Invariant string

	// NotCovered is the reason why 20,000 cycles of the stimulus do not reach full coverage. Empty: they do.
	NotCovered string

	// FromFrames, if not nil, returns rows of inputs as the unit sees them while Ethernet frames pass through it.
	FromFrames func(frames [][]byte) ([][]uint64, error)

	// RTL is the source of the reference RTL, which has a module of the unit's name in Verilog. Optional.
	RTL string
	// Params are the parameters that a user can choose, and Settings their chosen values. [Parametric] fills both.
	Params   []Param
	Settings Settings
	make     func(s Settings) (Unit, error)

	// Bugs are planted by the tests, which must find each.
	Bugs []Bug
}

// Handshake names the fields of one bit around data: a beat moves at an edge of the clock before which both valid and
// ready are 1.
type Handshake struct{ Clock, Valid, Ready string }

// Exact returns the unit with all outputs compared in every cycle, whether they count or not: the project's own RTL has
// the model's values there too.
func (u Unit) Exact() Unit {
	u.Valid = nil
	return u
}

// ValidEach is what [Unit.Valid] says of n ports with a valid bit each: {"out_0": "out_0_valid", "out_1":
// "out_1_valid", …}.
func ValidEach(port string, n int) map[string]string {
	valid := map[string]string{}
	for i := range n {
		valid[fmt.Sprintf("%s_%d", port, i)] = fmt.Sprintf("%s_%d_valid", port, i)
	}
	return valid
}

// ValidWhile is what [Unit.Valid] says of n ports that one output is the valid bit of: {"word_0": "valid", "word_1":
// "valid", …}.
func ValidWhile(valid, port string, n int) map[string]string {
	all := map[string]string{}
	for i := range n {
		all[fmt.Sprintf("%s_%d", port, i)] = valid
	}
	return all
}

// Profile is what a stimulus is like.
type Profile string

// The profiles.
const (
	Mixed   Profile = ""        // stretches of both
	Legal   Profile = "legal"   // as the unit's specification allows: all lengths, long runs
	Hostile Profile = "hostile" // every kind of disorder
)

// WithProfile returns the unit with its stimulus in a profile: "mixed", "legal" or "hostile".
func (u Unit) WithProfile(name string) (Unit, error) {
	switch {
	case name == "mixed":
		u.Profile = Mixed
	case Profile(name) != Legal && Profile(name) != Hostile:
		return u, fmt.Errorf("profile %.40q, want mixed, legal or hostile", name)
	case !u.Profiles:
		return u, fmt.Errorf("profile %s: the stimulus of %s has no profiles", name, u.Name)
	default:
		u.Profile = Profile(name)
	}
	return u, nil
}

// Values is a row whose values go by their fields' names.
type Values struct {
	Fields []Field
	Row    []uint64
}

// Get returns the value of a field. It panics if there is no such field.
func (v *Values) Get(field string) uint64 { return v.Row[v.column(field)] }

// Set sets a field of the row, cut to its width.
func (v *Values) Set(field string, x uint64) {
	c := v.column(field)
	v.Row[c] = x & v.Fields[c].max()
}

func (v *Values) column(field string) int {
	for i, f := range v.Fields {
		if f.Name == field {
			return i
		}
	}
	panic(fmt.Sprintf("vectors: no field %s", field))
}

// Module returns the name that the unit has in Verilog: "pcs_scrambler".
func (u Unit) Module() string { return strings.ReplaceAll(u.Name, "/", "_") }

var unitNameForm = regexp.MustCompile(`^[a-z][a-z0-9_]*(/[a-z0-9_]+)*$`)

func checkUnitName(name string) error {
	if !unitNameForm.MatchString(name) {
		return fmt.Errorf("unit %q: the name is not of the form package/unit in lower-case letters, digits and _", name)
	}
	return nil
}

func (u Unit) check() error {
	if err := checkUnitName(u.Name); err != nil {
		return err
	}
	if err := checkLine("doc", u.Doc); err != nil {
		return fmt.Errorf("unit %s: %w", u.Name, err)
	}
	if err := checkLine("ref", u.Ref); err != nil {
		return fmt.Errorf("unit %s: %w", u.Name, err)
	}
	switch {
	case u.Build == nil && u.Assemble == nil:
		return fmt.Errorf("unit %s: Build is nil", u.Name)
	case u.Build != nil && u.Assemble != nil:
		return fmt.Errorf("unit %s: want Build or, for several clocks, Assemble", u.Name)
	case u.Assemble != nil && len(u.Clocks) < 2:
		return fmt.Errorf("unit %s: Assemble and %d clocks, want at least 2", u.Name, len(u.Clocks))
	case u.Clock == clock.Freq{}:
		return fmt.Errorf("unit %s: the clock has no frequency", u.Name)
	case u.Assemble != nil && u.Clock.Hz().Cmp(u.Clocks[0].Freq.Hz()) != 0:
		return fmt.Errorf("unit %s: clock %v, want that of the first of several, %v", u.Name, u.Clock, u.Clocks[0].Freq)
	case u.Latency < 0:
		return fmt.Errorf("unit %s: latency %d, want at least 0", u.Name, u.Latency)
	}
	if word := takesForGranted.FindString(noCode.ReplaceAllString(u.Invariant, " ")); word != "" {
		return fmt.Errorf(
			"unit %s: its Invariant has %q, want assertions alone: what is taken for granted of the inputs stands in "+
				"Environment",
			u.Name, word,
		)
	}
	return u.checkParams()
}

// takesForGranted is what an Invariant may not have: it would be a rule of the inputs, and no proof.
var takesForGranted = regexp.MustCompile(`\b(assume|restrict)\b`)

// noCode matches comments of Verilog and strings. Whichever begins first hides a start of the other inside it.
var noCode = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"`)

// checkLine wants text that can stand in a // comment.
func checkLine(what, s string) error {
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\u2028' || r == '\u2029' }) {
		return fmt.Errorf("%s %q: want one line without control characters", what, s)
	}
	if strings.HasSuffix(s, `\`) {
		return fmt.Errorf("%s %q: ends with a backslash, which continues a Verilog comment", what, s)
	}
	return nil
}

// Instance is a unit in a simulation of its own, elaborated.
type Instance struct {
	Sim    *rtl.Sim
	Clock  *rtl.Clock
	Module rtl.Module // nil for a unit of several clocks
	// the leaves of the module's ports, in declaration order; before them the clocks, if there are several
	Fields []Field

	ports   []rtl.PortInfo
	taps    []layout.Tap // of the fields that are no clocks
	all     layout.Taps  // the same
	bench   *Bench
	time    *instants    // of several clocks; nil for one
	domains []*rtl.Clock // of the ports, if there are several
	shared  *sharedRows  // that drive them in a replay
}

// Ports returns the unit's ports, in the order of its fields.
func (in *Instance) Ports() []rtl.PortInfo { return in.ports }

// Clocks returns the clocks of a unit of several, in their order.
func (in *Instance) Clocks() []*rtl.Clock {
	if in.time == nil {
		return []*rtl.Clock{in.Clock}
	}
	return in.time.clocks
}

// Roots returns the state that a checkpoint of the simulation needs besides its modules: the state of the drivers'
// functions.
func (in *Instance) Roots() []any {
	roots := []any{&in.bench.rands}
	return append(roots, in.bench.kept...)
}

// Simulate builds the unit with its drivers. The seed is the stimulus's; cfg.Seed is strict mode's own.
func (u Unit) Simulate(cfg rtl.Config, seed uint64) (*Instance, error) {
	return u.simulate(cfg, &Bench{seed: seed}, nil)
}

// simulate elaborates the unit on the bench. Rewire, if not nil, may change what the module's inputs read.
func (u Unit) simulate(cfg rtl.Config, b *Bench, rewire func(b *rtl.Scope, in *Instance)) (*Instance, error) {
	if err := u.check(); err != nil {
		return nil, err
	}
	in := &Instance{Sim: rtl.New(cfg), bench: b}
	b.profile = u.Profile
	if b.root = b; u.Assemble != nil {
		if err := in.assemble(u, b); err != nil {
			return nil, err
		}
	} else {
		in.Clock = in.Sim.Clock("clk", u.Clock)
		b.scope = in.Sim.Scope("bench").On(in.Clock)
		in.Module = u.Build(b)
		if in.Module == nil {
			return nil, fmt.Errorf("unit %s: Build returned no module", u.Name)
		}
		var err error
		if in.ports, err = rtl.Ports(in.Module); err != nil {
			return nil, fmt.Errorf("unit %s: %w", u.Name, err)
		}
	}
	fields, err := fieldsOf(in.ports, u.Valid)
	if err == nil {
		in.Fields = append(in.Fields, fields...)
		err = checkFields(in.Fields)
	}
	if err != nil {
		return nil, fmt.Errorf("unit %s: %w", u.Name, err)
	}
	for _, name := range []string{u.From, u.To} {
		if name != "" && !hasPort(in.ports, name) {
			return nil, fmt.Errorf("unit %s: the latency is declared for a port %s, which the module does not have", u.Name,
				name)
		}
	}
	if rewire != nil {
		rewire(b.scope, in)
	}
	if in.Module != nil {
		b.scope.Add("dut", in.Module)
	}
	if err := in.Sim.Elaborate(); err != nil {
		return nil, fmt.Errorf("unit %s: %w", u.Name, err)
	}
	if err := in.elaborated(u); err != nil {
		return nil, err
	}
	for p := range in.ports {
		for l := range in.ports[p].Leaves {
			in.taps = append(in.taps, in.ports[p].Tap(l))
		}
	}
	in.all = layout.Join(in.taps)
	return in, nil
}

func hasPort(ports []rtl.PortInfo, name string) bool {
	for i := range ports {
		if ports[i].Name == name {
			return true
		}
	}
	return false
}

// Row reads the settled value of every field into dst, which has one element a field. Wires are settled after Elaborate
// and when an observer is called.
func (in *Instance) Row(dst []uint64) {
	if in.time != nil {
		in.time.follow()
		dst = dst[copy(dst, in.time.next):]
	}
	in.all.Read(dst)
}

// Writer writes some of the fields, which are no clocks, as rows in memory. They are read as [Instance.Row] does.
func (in *Instance) Writer(rows layout.Rows, fields []int) layout.Writer {
	var taps []layout.Tap
	for _, f := range fields {
		taps = append(taps, in.taps[f-len(in.Fields)+len(in.taps)])
	}
	return rows.Writer(taps)
}
