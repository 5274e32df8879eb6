package wave

import (
	"fmt"
	"slices"
	"strings"
)

// varPair is a variable of A and its counterpart in B.
type varPair struct {
	a, b int
	turn side // whose bits are turned round, since it counts them the other way
	real bool
}

// side is one of the dumps, or none.
type side int

const (
	neither side = iota
	sideA
	sideB
)

// pair finds the variables that are the same.
func pair(a, b *Reader, opt DiffOptions, res *DiffResult) ([]varPair, error) {
	inA, inB := map[string][]int{}, map[string][]int{}
	for j, v := range b.Vars {
		inB[v.Path] = append(inB[v.Path], j)
	}
	if err := wanted(a, b, opt); err != nil {
		return nil, err
	}
	var order []string
	for i, v := range a.Vars {
		if !named(v.Path, opt.Map, Rename.from) || len(opt.Only) > 0 &&
			!slices.ContainsFunc(opt.Only, func(p string) bool { return matches(p, v.Path) }) {
			continue
		}
		if inA[v.Path] == nil {
			order = append(order, v.Path)
		}
		inA[v.Path] = append(inA[v.Path], i)
	}
	var pairs []varPair
	met := map[string]bool{} // paths of B
	for _, path := range order {
		to := rename(path, opt.Map)
		ofB := inB[to]
		met[to] = true
		if len(ofB) == 0 {
			res.OnlyA = append(res.OnlyA, repeat(path, len(inA[path]))...)
			continue
		}
		found, restA, restB := pairOne(a, b, inA[path], ofB)
		pairs = append(pairs, found...)
		if len(restA)+len(restB) > 0 {
			res.Unlike = append(res.Unlike, unlike(path, a, b, restA, restB))
		}
	}
	for j, v := range b.Vars {
		if inB[v.Path][0] == j && !met[v.Path] && len(opt.Only) == 0 && named(v.Path, opt.Map, Rename.to) {
			res.OnlyB = append(res.OnlyB, repeat(v.Path, len(inB[v.Path]))...)
		}
	}
	if len(pairs) == 0 {
		if len(res.Unlike) > 0 {
			return nil, fmt.Errorf("%s and %s have no variable in common that is the same: %s", a.name, b.name,
				printable(res.Unlike[0]))
		}
		return nil, fmt.Errorf("%s and %s have no variable in common: want a name map, such as top.dut=tb.dut", a.name,
			b.name)
	}
	res.Compared = len(pairs)
	return pairs, nil
}

// wanted tells of a path that the options name and that a dump does not have: what the user wants compared would not
// be.
func wanted(a, b *Reader, opt DiffOptions) error {
	has := func(r *Reader, fits func(Declared) bool, path string) error {
		if slices.ContainsFunc(r.Vars, fits) {
			return nil
		}
		return fmt.Errorf("%s has no variable or scope %s", r.name, printable(path))
	}
	for _, p := range opt.Only {
		if err := has(a, func(v Declared) bool { return matches(p, v.Path) }, p); err != nil {
			return err
		}
	}
	for _, r := range opt.Map {
		rule := []Rename{r}
		if err := has(a, func(v Declared) bool { return named(v.Path, rule, Rename.from) }, r.From); err != nil {
			return err
		}
		if err := has(b, func(v Declared) bool { return named(v.Path, rule, Rename.to) }, r.To); err != nil {
			return err
		}
	}
	return nil
}

func repeat(path string, n int) []string { return slices.Repeat([]string{path}, n) }

// pairOne pairs the variables of one path, which a dump may declare several times: the first with the first that is
// the same, and so on. If one side has one and the other several, all of those are compared with it.
func pairOne(a, b *Reader, as, bs []int) (pairs []varPair, restA, restB []int) {
	used := make([]bool, len(bs))
	left := as[:0:0]
	for _, i := range as {
		k := -1
		for n, j := range bs {
			if _, ok := same(a, b, i, j); ok && !used[n] {
				k = n
				break
			}
		}
		if k < 0 {
			left = append(left, i)
			continue
		}
		used[k] = true
		turn, _ := same(a, b, i, bs[k])
		pairs = append(pairs, varPair{i, bs[k], turn, a.Vars[i].real()})
	}
	more := func(i, j int) bool {
		turn, ok := same(a, b, i, j)
		if ok {
			pairs = append(pairs, varPair{i, j, turn, a.Vars[i].real()})
		}
		return ok
	}
	for _, i := range left {
		if len(bs) > 1 || !more(i, bs[0]) {
			restA = append(restA, i)
		}
	}
	for n, j := range bs {
		if !used[n] && (len(as) > 1 || !more(as[0], j)) {
			restB = append(restB, j)
		}
	}
	return pairs, restA, restB
}

// same tells whether two variables of one path are the same, and which one's bits are to be turned round. A range that
// a dump does not tell fits any. Bits that are dumped one by one do not tell their direction.
func same(a, b *Reader, i, j int) (turn side, ok bool) {
	v, w := a.Vars[i], b.Vars[j]
	upA, upB := a.loose[i] && v.Left < v.Right, b.loose[j] && w.Left < w.Right
	switch {
	case v.real() != w.real() || v.Text() != w.Text() || (v.Kind == "event") != (w.Kind == "event"):
		return neither, false
	case v.Text() || v.Kind == "event":
		return neither, true
	case v.Width != w.Width:
		return neither, false
	case v.Width == 1:
		return neither, v.Left == w.Left // a single bit is bit 0
	case upA && !w.Ranged: // which counts down, mostly
		return sideA, true
	case upB && !v.Ranged:
		return sideB, true
	case !v.Ranged || !w.Ranged || v.Left == w.Left && v.Right == w.Right:
		return neither, true
	case v.Left != w.Right || v.Right != w.Left:
		return neither, false
	case a.loose[i]:
		return sideA, true
	}
	return sideB, b.loose[j]
}

// unlike tells how variables of one path differ.
func unlike(path string, a, b *Reader, as, bs []int) string {
	forms := func(r *Reader, of []int) string {
		var list []string
		for _, i := range of[:min(len(of), 4)] {
			list = append(list, r.Vars[i].form())
		}
		if len(of) > len(list) {
			list = append(list, fmt.Sprintf("%d more", len(of)-len(list)))
		}
		if len(list) == 0 {
			return "none like it"
		}
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s (%s in A, %s in B)", path, forms(a, as), forms(b, bs))
}

// form is what a variable is beside its name.
func (v Declared) form() string {
	switch {
	case v.Text() || v.Kind == "event":
		return v.Kind
	case v.Ranged && v.Width == 1:
		return fmt.Sprintf("[%d]", v.Left)
	case v.Ranged:
		return fmt.Sprintf("[%d:%d]", v.Left, v.Right)
	case v.Width == 1:
		return "1 bit"
	}
	return fmt.Sprintf("%d bits", v.Width)
}

func (r Rename) from() string { return r.From }
func (r Rename) to() string   { return r.To }

// named tells whether a path is among what the rules name on one side; without rules all are.
func named(path string, rules []Rename, side func(Rename) string) bool {
	return len(rules) == 0 || slices.ContainsFunc(rules, func(r Rename) bool {
		return path == side(r) || strings.HasPrefix(path, side(r)+".")
	})
}

func rename(path string, rules []Rename) string {
	for _, r := range rules {
		if path == r.From {
			return r.To
		}
		if rest, ok := strings.CutPrefix(path, r.From+"."); ok {
			return r.To + "." + rest
		}
	}
	return path
}
