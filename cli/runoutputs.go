package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/goldwire/goldwire/experiment"
)

// showSize says how large the waveform has become.
func (o *experimentRun) showSize(w io.Writer) {
	if info, err := os.Stat(o.waves.VCD); o.waves.VCD != "" && err == nil && info.Mode().IsRegular() {
		fmt.Fprintf(w, "%s: %s\n", visible(o.waves.VCD), size(info.Size()))
	}
}

func (o *experimentRun) print(w io.Writer, out *experiment.Outcome) error {
	if o.json {
		return out.WriteJSON(w)
	}
	columns := 0 // in a file nothing is wrapped
	if isTerminal(w) {
		columns = width(w)
	}
	return out.Report.WriteText(w, columns)
}

// outputs are the files that the flags name.
func (o *experimentRun) outputs() map[string]string {
	out := map[string]string{
		"--csv": o.csv, "--plot": o.plot, "--vcd": o.waves.VCD, "--journeys": o.ways, "--on-fault": o.waves.OnFault,
	}
	if save := o.waves.SaveFile(); save != "" {
		out["--vcd (its save file)"] = save
	}
	for _, p := range o.params.Fields {
		if p.File == "out" {
			out["--"+p.Flag] = p.String()
		}
	}
	return out
}

// inputs are the files that the parameters name.
func (o *experimentRun) inputs() map[string]string {
	in := map[string]string{}
	for _, p := range o.params.Fields {
		if p.File != "in" {
			continue
		}
		for _, path := range p.Paths() {
			in[cmp.Or(p.Arg, "--"+p.Flag)+" "+path] = path
		}
	}
	return in
}

// checkOutputs refuses, before anything runs, outputs that cannot be written where they shall be.
func (o *experimentRun) checkOutputs() error {
	taken := map[string]string{}
	for _, path := range o.inputs() {
		taken[filepath.Clean(path)] = "an input"
	}
	outputs := o.outputs()
	for _, flag := range sortedKeys(outputs) {
		path := outputs[flag]
		if path == "" {
			continue
		}
		if other, ok := taken[filepath.Clean(path)]; ok {
			return fmt.Errorf("%s %s: this file is %s already", flag, experiment.Quote(path), other)
		}
		taken[filepath.Clean(path)] = "the output of " + flag
		dir := filepath.Dir(path)
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return fmt.Errorf("%s %s: there is no directory %s", flag, experiment.Quote(path), experiment.Quote(dir))
		}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return fmt.Errorf("%s %s: is a directory", flag, experiment.Quote(path))
		}
	}
	return checkPaths(outputs, o.inputs())
}

// files writes charts, tables and further outputs. A file that cannot be written does not keep the others from being
// written.
func (o *experimentRun) files(out *experiment.Outcome) error {
	var faults []error
	r := out.Report
	tables := r.Tables()
	write := func(flag, path string, i int, name string, draw func(io.Writer) error) error {
		file := nth(path, i, name)
		if file != path { // its name was not known before the run
			named := o.outputs()
			named[flag+" ("+name+")"] = file
			if err := checkPaths(named, o.inputs()); err != nil {
				return err
			}
		}
		return writeFile(file, draw)
	}
	switch {
	case o.ways == "":
	case out.Journeys == nil:
		faults = append(faults, errors.New("--journeys: no message was followed to its end"))
	default:
		faults = append(faults, writeFile(o.ways, func(w io.Writer) error { return out.Journeys.Write(o.ways, w) }))
	}
	if o.plot != "" && len(r.Charts) == 0 {
		faults = append(faults, errors.New("--plot: this run has no chart"))
	}
	for i := range r.Charts {
		faults = append(faults, write("--plot", o.plot, i, r.Charts[i].Name, r.Charts[i].Draw))
	}
	if o.csv != "" && len(tables) == 0 {
		faults = append(faults, errors.New("--csv: this run has no table"))
	}
	for i, t := range tables {
		faults = append(faults, write("--csv", o.csv, i, t.Name, t.WriteCSV))
	}
	for _, f := range r.Files {
		faults = append(faults, writeFile(f.Path, f.Write))
	}
	return errors.Join(faults...)
}

// nth is the path of the i-th file of several: the first has the path itself, others their name before the ending.
func nth(path string, i int, name string) string {
	if path == "" || i == 0 {
		return path
	}
	ext := filepath.Ext(path)
	return strings.TrimSuffix(path, ext) + "-" + name + ext
}
