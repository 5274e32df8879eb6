package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"github.com/goldwire/goldwire/cosim"
)

// rtlFlags are the flags that say which RTL is meant, for cosim and prove.
type rtlFlags struct {
	arguments []string // as simulators take them, in the order of the command line
	files     int
	top       string
	mapFile   string
	params    []string // NAME=VALUE, of the top module
}

// argument is a flag that stands for an argument of a simulator, with the option before it.
type argument struct {
	to     *rtlFlags
	option string // "" for a file
	kind   string // in the help
}

func (a argument) String() string { return "" }

func (a argument) Type() string { return a.kind }

func (a argument) Set(text string) error {
	if a.option != "" {
		a.to.arguments = append(a.to.arguments, a.option)
	}
	if a.option == "" || a.option == "-f" || a.option == "-F" {
		a.to.files++
	}
	a.to.arguments = append(a.to.arguments, text)
	return nil
}

func (r *rtlFlags) flags(f *pflag.FlagSet) {
	f.Var(
		argument{r, "", "FILE"}, "rtl",
		"Verilog file; may be repeated, or followed by more files, +incdir+DIR and +define+NAME=TEXT",
	)
	f.VarP(
		argument{r, "-f", "FILE"}, "files", "f",
		"file list as simulators read it, its names relative to the working directory; may be repeated",
	)
	f.VarP(argument{r, "-F", "FILE"}, "files-beside", "F", "file list whose names are relative to it")
	f.VarP(argument{r, "-I", "DIR"}, "include", "I", "directory that is searched for includes; may be repeated")
	f.VarP(
		argument{r, "-D", "NAME=TEXT"}, "define", "D", "macro that is set before the first file is read; may be repeated",
	)
	f.VarP(
		argument{r, "-y", "DIR"}, "library", "y",
		"directory that is searched for modules which no file has, in NAME.v and NAME.sv or as +libext+.v says",
	)
	f.VarP(argument{r, "-G", "NAME=VALUE"}, "rtl-param", "G", "parameter of the RTL's top module; may be repeated")
	f.StringVar(&r.top, "top", "", "the RTL's top module; not needed if the files have one module")
	f.StringVar(&r.mapFile, "map", "", "YAML file that says how ports stand for fields where their names do not")
}

// rtlHelp explains the flags in the help of both commands.
const rtlHelp = `Which RTL it is stands on the command line as simulators take it: files in their order (packages
first), -f LIST, +incdir+DIR or -I DIR, +define+NAME=TEXT or -D NAME=TEXT, -G NAME=VALUE for a parameter of the top
module, -y DIR. Lists may have the same, lists, comments (// /* */ #) and variables of the environment ($VAR, $(VAR),
${VAR}). A macro that no file looks at, and a parameter that the top module does not have, is an error.`

// design returns what the flags and the arguments after the module's name say.
func (r *rtlFlags) design(more []string) (cosim.Design, error) {
	if r.files == 0 {
		return cosim.Design{}, errors.New("--rtl: want at least one Verilog file, or a file list (-f)")
	}
	arguments := append(r.arguments, more...) // a shell expands --rtl *.v to one flag and more arguments
	for _, p := range r.params {
		arguments = append(arguments, "-G", p)
	}
	if r.top != "" {
		arguments = append(arguments, "-top", r.top)
	}
	d, err := cosim.ReadArguments(arguments)
	if err == nil && d.Top == "" {
		if d.Top, err = d.TopModule(); err != nil {
			err = fmt.Errorf("--top: want the name of the RTL's top module: %w", err)
		}
	}
	r.top = d.Top
	return d, err
}

// showNotes prints what may be a mistake in a design's arguments.
func showNotes(w io.Writer, notes []string) {
	for _, n := range notes {
		fmt.Fprintln(w, "note: "+n)
	}
}
