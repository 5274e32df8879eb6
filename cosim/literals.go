package cosim

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// RTL that is wrong for one value of many bits has that value in its text: random inputs never meet it. So the
// constants of the RTL are put on its inputs.

// written is a value in the RTL's text.
type written struct {
	value uint64
	width int
}

// sized matches a constant with its base: 16'hdead, 'h1f, 64'd12.
var sized = regexp.MustCompile(`(\d*)\s*'[sS]?([hHdDbBoO])\s*([0-9a-fA-F_]+)`)

const (
	leastConstant = 10 // bits: random inputs meet shorter ones
	mostConstants = 64
	mostOfThem    = 4096 // rows with a constant
	rowsOfEach    = 4    // all but one with the valid bit set
	rowsOfDrain   = 256  // without constants, in which words come out
)

// constants lists the constants of many bits in files, the first ones.
func constants(files []string) (list []written) {
	bases := map[string]int{"h": 16, "d": 10, "b": 2, "o": 8}
	for _, path := range files {
		_, code, _ := readCode(path)
		for _, m := range sized.FindAllStringSubmatch(code, -1) {
			n, ok := new(big.Int).SetString(strings.ReplaceAll(m[3], "_", ""), bases[strings.ToLower(m[2])])
			if !ok || !n.IsUint64() {
				continue
			}
			width, _ := strconv.Atoi(m[1]) // 0 for none
			c := written{n.Uint64(), min(max(width, n.BitLen()), 64)}
			plain := c.value == 0 || c.value == ^uint64(0)>>(64-max(c.width, 1)) // random stimuli have them
			if c.width >= leastConstant && !plain && !slices.Contains(list, c) && len(list) < mostConstants {
				list = append(list, c)
			}
		}
	}
	return list
}

// places are where a constant fits into a field: at both ends, at each byte and at each multiple of its width.
func (c written) places(width int) (list []int) {
	if c.width >= width {
		return []int{0}
	}
	for at := 0; at <= width-c.width; at++ {
		if at%8 == 0 || at%c.width == 0 || at == width-c.width {
			list = append(list, at)
		}
	}
	return list
}

// constantsLook runs model and RTL on the unit's own stimulus with constants of the RTL in it. It compares nothing if
// the unit may not allow that: if the unit has no reference RTL, or its reference parts from the model as well. It
// returns the number of constants.
func (s *Session) constantsLook(ctx context.Context, st Stimulus, t *tally) (int, *Divergence, error) {
	list := constants(s.files)
	if len(list) == 0 || len(s.unit.Clocks) > 0 || s.unit.RTL == "" {
		return 0, nil, nil
	}
	rows := s.withConstants(st, list)
	if rows == nil {
		return 0, nil, nil
	}
	part := Stimulus{Rows: rows, Cycles: len(rows), Seed: st.Seed, exact: true}
	s.prepare(s.dut.(beginner), beginning{seed: s.opt.Seed})
	d, err := s.look(ctx, part, t)
	switch {
	case err != nil && ctx.Err() != nil:
		return 0, nil, err
	case err != nil && s.referenceAgrees(ctx, part):
		return 0, nil, fmt.Errorf("with constants of the RTL's text on its inputs: %w", err)
	case err != nil:
		return 0, nil, nil // the model takes no such inputs
	}
	if d != nil {
		if !s.referenceAgrees(ctx, d.UpTo(part)) {
			return 0, nil, nil
		}
		d.Constants, d.stimulus, d.legs = true, &part, []leg{{part, beginning{seed: s.opt.Seed}}}
	}
	return len(list), d, nil
}

// put is a constant in a field.
type put struct {
	column, valid int // valid is the column of the port's valid bit, -1 for none
	at            int
	written
}

// puts are the constants in all fields where they fit, at most as many as fit into the rows.
func (s *Session) puts(list []written) (puts []put) {
	for _, c := range list {
		for _, column := range s.inputs {
			f := s.fields[column]
			if f.Width < leastConstant {
				continue
			}
			valid := slices.IndexFunc(s.fields, func(v vectors.Field) bool {
				return v.Dir == f.Dir && v.Width == 1 && v.Name == f.Port+"_valid"
			})
			for _, at := range c.places(f.Width) {
				puts = append(puts, put{column, valid, at, c})
			}
		}
	}
	slices.SortStableFunc(puts, func(a, b put) int { return cmp.Compare(min(a.at, 1), min(b.at, 1)) }) // whole words first
	return puts[:min(len(puts), mostOfThem/rowsOfEach)]
}

// withConstants makes the rows: the unit's own stimulus with a constant in each. Beats stand until they are ready. It
// returns nil if there are none.
func (s *Session) withConstants(st Stimulus, list []written) (rows [][]uint64) {
	puts := s.puts(list)
	lead := s.Binding.skip + 16
	st.Rows, st.Cycles = nil, lead+4*rowsOfEach*len(puts)+rowsOfDrain
	source, err := s.withoutLead().model(st)
	if err != nil || len(puts) == 0 {
		return nil
	}
	shakes, used, behind := s.handshakes(), 0, 0
	last := make([]uint64, len(s.fields))
	var given *vectors.Values
	next := func(row []uint64) bool {
		if source.next() != nil {
			return false
		}
		copy(row, source.row)
		stands := make([]bool, len(s.fields))
		for _, h := range shakes {
			for _, c := range h.fields {
				if stands[c] = len(rows) > 0 && h.waits(last); stands[c] {
					row[c] = last[c]
				}
			}
		}
		if p := puts[min(used/rowsOfEach, len(puts)-1)]; used == rowsOfEach*len(puts) {
			behind++
		} else if len(rows) >= lead && !stands[p.column] {
			mask := ^uint64(0) >> (64 - min(p.width, s.fields[p.column].Width))
			row[p.column] = row[p.column]&^(mask<<p.at) | (p.value&mask)<<p.at
			if p.valid >= 0 && used%rowsOfEach > 0 {
				row[p.valid] = 1
			}
			used++
		}
		s.fix(given, row)
		rows = append(rows, slices.Clone(row))
		given = &vectors.Values{Fields: s.fields, Row: rows[len(rows)-1]}
		return true
	}
	err = caught(func() error {
		driven, err := s.unit.SimulateFrom(rtl.Config{}, next)
		for err == nil && behind < rowsOfDrain && len(rows) < st.Cycles {
			driven.Row(last)
			err = driven.Run(1)
		}
		return err
	})
	if err != nil {
		return nil // the model takes no such inputs
	}
	return rows
}

// referenceAgrees tells whether the unit's reference RTL agrees with the model on rows.
func (s *Session) referenceAgrees(ctx context.Context, st Stimulus) bool {
	own, file := s.opt, filepath.Join(s.dir, s.unit.Module()+".v")
	if os.WriteFile(file, []byte(s.unit.RTL), 0o644) != nil {
		return false
	}
	own.Map, own.Extra, own.Continue = Map{}, 0, false
	own.Design = Design{
		Sources: []string{file}, Top: s.unit.Module(), Simulator: s.opt.Design.Simulator, Memory: s.opt.Design.Memory,
	}
	ref, err := Start(ctx, own)
	if err != nil {
		return false
	}
	defer ref.Close()
	d, err := ref.run(ctx, st, 0, newTally(ref.view, nil, false), nil)
	return d == nil && err == nil
}
