package study

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/experiment"
)

func planReport(p *planParams, done []experiment.Result[planPoint, plan]) (*experiment.Report, error) {
	r := &experiment.Report{}
	if p.Check != "" {
		return r, checkReport(r, done[0].Value)
	}
	t := &experiment.Table{
		Name: "schedules",
		Columns: experiment.Columns(
			"Program", "", "Machine", "", "Processors", "", "Length", "", "In flight", "", "Threads", "", "Actions", "",
			"Waiting", "",
		),
	}
	why := &experiment.Table{Name: "proofs", Columns: experiment.Columns("Program", "", "Machine", "", "", "", "By", "")}
	refused := map[string]bool{} // said once, not for each machine
	for _, d := range done {
		v := d.Value
		if v.Refused != "" {
			refused[v.Refused] = true
			continue
		}
		if d.Point.Machine == rmtCoarse || d.Point.Machine == rmtFine {
			t.Row(v.Program, d.Point.Machine, v.Periods.String(), "", v.Threads, "", "", "")
		} else {
			t.Row(
				v.Program, d.Point.Machine, v.Periods.String(), v.Length.String(), v.Threads, v.MostThreads, v.Actions,
				v.ScratchPad,
			)
		}
		for _, x := range [][2]string{
			{"no fewer", v.PeriodProof}, {"no shorter", v.LengthWhy}, {"hardware costs", v.Cost},
		} {
			if x[1] != "" {
				why.Row(v.Program, d.Point.Machine, x[0], x[1])
			}
		}
	}
	r.Table(t)
	r.Table(why)
	for _, c := range pictures(done) {
		r.Chart(c)
	}
	for _, d := range done {
		if refused[d.Value.Refused] {
			r.Linef("%s", d.Value.Refused)
			delete(refused, d.Value.Refused)
			r.Failf("%s is no program or graph", d.Value.Program)
		}
	}
	for _, d := range done {
		if p.Proofs && len(d.Value.Certificate) > 0 {
			r.Linef("%s, %s: %d are not enough:", d.Value.Program, d.Point.Machine, d.Value.Periods.Low-1)
			for _, line := range d.Value.Certificate {
				r.Linef("  %s", line)
			}
		}
		if v := d.Value; v.Valid && v.Length.High > 0 && !v.Length.Proved() {
			r.Linef(
				"%s, %s: the least length is not proved with %d clauses; it is %s", v.Program, d.Point.Machine,
				d.Point.Limit, v.Length,
			)
		}
		if v := d.Value; !v.Valid && v.Refused == "" {
			r.Linef(
				"%s, %s: no schedule found with %d clauses; %s needed", d.Value.Program, d.Point.Machine, d.Point.Limit,
				d.Value.Periods,
			)
		}
	}
	if p.Out != "" {
		return r, writeSchedules(r, p.Out, done)
	}
	return r, nil
}

// checkReport is about a schedule of the user's.
func checkReport(r *experiment.Report, v plan) error {
	if v.Broken == nil {
		r.Linef("%s", v.Checked)
		r.Chart(experiment.Chart{Grid: v.picture})
		return nil
	}
	for _, line := range v.Broken {
		r.Linef("%s", line)
	}
	r.Failf("rules that the schedule breaks: %d", len(v.Broken))
	return nil
}

// writeSchedules writes the last program's schedule at the highest IPC to a file, and the others beside it.
func writeSchedules(r *experiment.Report, path string, done []experiment.Result[planPoint, plan]) error {
	last := -1
	for i, d := range done {
		if d.Value.Schedule != nil {
			last = i
		}
	}
	if last < 0 {
		return errors.New("no schedule to write")
	}
	ext := filepath.Ext(path)
	for i, d := range done {
		if d.Value.Schedule == nil {
			continue
		}
		name := path
		if i != last {
			name = strings.TrimSuffix(path, ext) + "-" + fileWord(d.Value.Program+" "+d.Point.Machine) + ext
		}
		if slices.ContainsFunc(r.Files, func(f experiment.File) bool { return f.Path == name }) {
			return fmt.Errorf("--out: two schedules would go to %s: two programs have one name", name)
		}
		r.File(name, func(w io.Writer) error {
			_, err := w.Write(d.Value.Schedule)
			return err
		})
	}
	return nil
}
