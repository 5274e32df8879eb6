package cosim

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/internal/input"
)

// Define is a macro, and its text, that is set before the first file is read.
type Define struct {
	Name, Value string
	List        string // file and line of the file list that has it; "" if it is the user's own
}

// parseDefine reads "WIDTH=64", or "FAST", whose text is 1.
func parseDefine(s string) (Define, error) {
	name, value, given := strings.Cut(s, "=")
	if !given {
		value = "1" // as Icarus has it
	}
	if !identifier.MatchString(name) || strings.ContainsAny(value, "\n\r") {
		return Define{}, fmt.Errorf("macro %s, want NAME or NAME=TEXT", quote(s))
	}
	return Define{Name: name, Value: value}, nil
}

// ReadArguments returns the design that arguments describe, as simulators take them on a command line or in a file
// list: files, -f LIST
// (-F: names in the list are relative to it), +incdir+DIR or -I DIR, +define+NAME=TEXT or -D NAME=TEXT, -G NAME=VALUE,
// -y DIR with
// +libext+.v, -v FILE, -top NAME. Names are relative to the working directory, also those in a list of -f. A list may
// have comments
// (// and /* */ and #, before which a space stands), quotes, a \ before any character, other lists, and $VAR, $(VAR) or
// ${VAR} of the environment.
// What only chooses the language, warnings or the time scale is passed over; all else is an error with its place.
func ReadArguments(args []string) (Design, error) {
	r := &argumentReader{files: map[string]bool{}}
	tokens := make([]token, len(args))
	for i, a := range args {
		tokens[i] = token{text: a}
	}
	err := r.read(tokens, "")
	return r.d, err
}

// Bounds of a design's arguments.
const (
	maxListSize  = 1 << 20 // bytes
	maxListDepth = 16      // lists in lists
	maxFiles     = 10_000
)

type argumentReader struct {
	d     Design
	lists []string // that are open, by their absolute names
	files map[string]bool
}

// token is an argument and where it stands.
type token struct {
	text string
	list string
	line int
}

func (t token) place() string {
	if t.list == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", t.list, t.line)
}

func (t token) fault(format string, args ...any) error {
	text := clip(fmt.Sprintf(format, args...), 240)
	if t.list == "" {
		return fmt.Errorf("%s", text)
	}
	return fmt.Errorf("%s: %s", t.place(), text)
}

var (
	// options with a value, which follows or is joined to the name
	valued = regexp.MustCompile(
		`^(?:(-incdir|-include|-I|-define|-D|-f|-F|-y|-v|-G|-top|-top-module|--top-module)$|(-I|-D|-G|-y)(.+))`,
	)
	plus = regexp.MustCompile(`^\+(incdir|define|libext)\+(.*)$`)
	// options that change neither the RTL that is read nor its behaviour from edge to edge: the language, warnings, the
	// time scale
	harmless = regexp.MustCompile(
		`^(--?sv|-sverilog|-full64|\+v2k|-g20(05|05-sv|09|12)|\+1\d{3}(-\d+)?ext\+\w+|(--?|\+)timescale[=+]\S+|-W\S+|-w)$`,
	)
	otherLanguage = regexp.MustCompile(`(?i)\.(vhdl?|c|cc|cpp|cxx|vlt|sdc|xdc|tcl)$`)
)

// wanted says what may stand among the arguments.
const wanted = "want a Verilog file, -f, -F, +incdir+, -I, +define+, -D, -G, -y, -v, +libext+ or -top"

// read takes arguments whose names are relative to a directory.
func (r *argumentReader) read(tokens []token, dir string) error {
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if m := plus.FindStringSubmatch(t.text); m != nil {
			for part := range strings.SplitSeq(m[2], "+") {
				if part == "" {
					return t.fault("%s: nothing stands between two +", quote(t.text))
				}
				if err := r.option(t, "+"+m[1], part, dir); err != nil {
					return err
				}
			}
			continue
		}
		if m := valued.FindStringSubmatch(t.text); m != nil {
			option, value := m[1]+m[2], m[3]
			if m[1] != "" {
				if i++; i == len(tokens) || strings.HasPrefix(tokens[i].text, "-") || strings.HasPrefix(tokens[i].text, "+") {
					return t.fault("%s: nothing follows it", t.text)
				}
				value = tokens[i].text
			}
			if err := r.option(t, option, value, dir); err != nil {
				return err
			}
			continue
		}
		switch {
		case harmless.MatchString(t.text):
		case strings.HasPrefix(t.text, "-") || strings.HasPrefix(t.text, "+"):
			return t.fault("%s: no option that is known here; %s", quote(t.text), wanted)
		default:
			if err := r.file(t, t.text, dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// option takes an option with its value.
func (r *argumentReader) option(t token, option, value, dir string) error {
	switch option {
	case "+incdir", "-incdir", "-include", "-I":
		path, err := directory(t, option, value, dir)
		if err == nil && !slices.Contains(r.d.Includes, path) {
			r.d.Includes = append(r.d.Includes, path)
		}
		return err
	case "-y":
		path, err := directory(t, option, value, dir)
		if err == nil && !slices.Contains(r.d.Libraries, path) {
			r.d.Libraries = append(r.d.Libraries, path)
		}
		return err
	case "+libext":
		if !strings.HasPrefix(value, ".") || strings.ContainsAny(value, "/\\ ") {
			return t.fault("+libext+%s: want an ending of a file name, +libext+.v", clip(value, 40))
		}
		if !slices.Contains(r.d.Extensions, value) {
			r.d.Extensions = append(r.d.Extensions, value)
		}
	case "+define", "-define", "-D":
		d, err := parseDefine(value)
		if err != nil {
			return t.fault("%v", err)
		}
		d.List = t.place()
		return r.define(t, d)
	case "-G":
		p, err := parseParameter(value)
		if err != nil {
			return t.fault("%v", err)
		}
		for _, q := range r.d.Parameters {
			if q.Name == p.Name && q.Value != p.Value {
				return t.fault("parameter %s is %s and %s, want one value", clip(p.Name, 40), clip(q.Value, 40), clip(p.Value, 40))
			}
			if q == p {
				return nil
			}
		}
		r.d.Parameters = append(r.d.Parameters, p)
	case "-top", "-top-module", "--top-module":
		if r.d.Top != "" && r.d.Top != value {
			return t.fault("the top module is %s and %s, want one", clip(r.d.Top, 40), clip(value, 40))
		}
		r.d.Top = value
	case "-v":
		return r.file(t, value, dir)
	case "-f", "-F":
		return r.list(t, value, dir, option == "-F")
	}
	return nil
}

func (r *argumentReader) define(t token, d Define) error {
	for _, e := range r.d.Defines {
		if e.Name != d.Name {
			continue
		}
		if e.Value == d.Value {
			return nil
		}
		at := ""
		if e.List != "" {
			at = " (" + e.List + ")"
		}
		return t.fault("macro %s is %s and %s%s, want one text", clip(d.Name, 40), quote(d.Value), quote(e.Value), at)
	}
	r.d.Defines = append(r.d.Defines, d)
	return nil
}

func absolute(name, dir string) (string, error) {
	if dir != "" && !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	return filepath.Abs(name)
}

// directory wants a directory that is there: one that is mistyped would be passed over.
func directory(t token, option, name, dir string) (string, error) {
	path, err := absolute(name, dir)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return "", t.fault(
			"%s %s: no such directory%s", strings.TrimPrefix(option, "+"), clip(name, 120), t.beside(name, dir),
		)
	}
	return path, nil
}

// beside says that a name of a list of -f would be found relative to the list.
func (t token) beside(name, dir string) string {
	if t.list == "" || dir != "" || filepath.IsAbs(name) {
		return ""
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(t.list), name)); err != nil || filepath.Dir(t.list) == "." {
		return ""
	}
	return "; it is there relative to the list, which is how -F reads it"
}

// file takes a source file. One that is named again is the same file.
func (r *argumentReader) file(t token, name, dir string) error {
	if otherLanguage.MatchString(name) {
		return t.fault("%s: want Verilog or SystemVerilog", clip(name, 120))
	}
	path, err := absolute(name, dir)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return t.fault("%s: no such file%s", clip(name, 120), t.beside(name, dir))
	case !info.Mode().IsRegular():
		return t.fault("%s: is no regular file, want a Verilog file", clip(name, 120))
	case r.files[path]:
		return nil
	case len(r.d.Sources) == maxFiles:
		return t.fault("%s: more than %d files", clip(name, 120), maxFiles)
	}
	r.files[path] = true
	r.d.Sources = append(r.d.Sources, path)
	return nil
}

// list reads a file list, whose names are relative to it or to the working directory.
func (r *argumentReader) list(t token, name, dir string, relative bool) error {
	path, err := absolute(name, dir)
	if err != nil {
		return err
	}
	if slices.Contains(r.lists, path) {
		return t.fault("file list %s: it is being read already: it contains itself", clip(name, 120))
	}
	if len(r.lists) == maxListDepth {
		return t.fault("file list %s: more than %d lists within each other", clip(name, 120), maxListDepth)
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return t.fault("file list %s: no such file%s", clip(name, 120), t.beside(name, dir))
	case !info.Mode().IsRegular() || info.Size() > maxListSize:
		return t.fault("file list %s: want a text file of at most %d bytes", clip(name, 120), maxListSize)
	}
	data, err := input.Read(path, maxListSize)
	if err != nil {
		return err
	}
	shown := name
	if dir != "" && !filepath.IsAbs(name) {
		shown = path
		if here, err := os.Getwd(); err == nil {
			if near, err := filepath.Rel(here, path); err == nil && filepath.IsLocal(near) {
				shown = near
			}
		}
	}
	tokens, err := splitList(shown, string(data), os.LookupEnv)
	if err != nil {
		return err
	}
	inside := ""
	if relative {
		inside = filepath.Dir(path)
	}
	r.lists = append(r.lists, path)
	err = r.read(tokens, inside)
	r.lists = r.lists[:len(r.lists)-1]
	return err
}
