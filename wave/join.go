package wave

import (
	"cmp"
	"slices"
	"strings"
)

// A dump may declare a vector whole, bit by bit or in slices. part is one $var; join makes variables of them.
type part struct {
	Declared
	id    string
	scope int  // number of the $scope that it stands in, so that scopes of one name are not mixed
	bit   bool // its range is one index
}

// place is where the value of an identifier code goes.
type place struct {
	variable int
	at       int // of the part in the joined variable's bits; -1 if the variable is not joined
	width    int // of the part
	text     bool
}

// joined is a variable that is declared in parts.
type joined struct {
	bits  []byte
	dirty bool // changed since it was told
}

// maxLayers is how often a name may be declared with overlapping ranges and still be joined.
const maxLayers = 16

func (p *part) low() int  { return min(p.Left, p.Right) }
func (p *part) high() int { return max(p.Left, p.Right) }

// join makes the variables of the parts, in the order of their declaration.
func (d *Reader) join(parts []part) {
	type key struct {
		path  string
		scope int
	}
	groups := map[key][]int{}
	for i := range parts {
		if p := &parts[i]; p.Ranged && p.Kind != "event" {
			k := key{p.Path, p.scope}
			groups[k] = append(groups[k], i)
		}
	}
	runOf := make([][]int, len(parts)) // of the first part of a joined variable: all, the most significant first
	inRun := make([]bool, len(parts))
	for _, group := range groups {
		if len(group) < 2 {
			continue
		}
		for _, run := range runs(parts, group) {
			first := slices.Min(run)
			runOf[first] = run
			for _, i := range run {
				inRun[i] = true
			}
		}
	}
	type name struct {
		path, id    string
		left, right int
	}
	seen := map[name]bool{}
	for i := range parts {
		p := &parts[i]
		switch {
		case runOf[i] != nil:
			d.addJoined(parts, runOf[i])
		case inRun[i]:
		default:
			k := name{p.Path, p.id, p.Left, p.Right}
			if seen[k] {
				continue // the same once more
			}
			seen[k] = true
			d.place(p.id, place{len(d.Vars), -1, p.Width, p.Text()})
			d.Vars, d.loose, d.joined = append(d.Vars, p.Declared), append(d.loose, p.bit), append(d.joined, nil)
		}
	}
}

// runs finds the parts of a name that make up ranges without a hole. Where parts overlap, the name is declared several
// times.
func runs(parts []part, group []int) [][]int {
	slices.SortStableFunc(group, func(i, j int) int { return cmp.Compare(parts[i].low(), parts[j].low()) })
	var layers [][]int
	for _, i := range group {
		k := slices.IndexFunc(layers, func(l []int) bool { return parts[l[len(l)-1]].high() < parts[i].low() })
		switch {
		case k >= 0:
			layers[k] = append(layers[k], i)
		case len(layers) < maxLayers:
			layers = append(layers, []int{i})
		}
	}
	var found [][]int
	for _, l := range layers {
		for from := 0; from < len(l); {
			to := from + 1
			for to < len(l) && parts[l[to]].low() == parts[l[to-1]].high()+1 {
				to++
			}
			if run := l[from:to]; len(run) > 1 {
				if down, ok := direction(parts, run); ok {
					run = slices.Clone(run)
					if down {
						slices.Reverse(run)
					}
					found = append(found, run)
				}
			}
			from = to
		}
	}
	return found
}

// direction tells whether a vector's bits count down from the left. Slices say it; of bits alone the order of
// declaration does, if all of them count up. Slices that contradict each other are no vector.
func direction(parts []part, run []int) (down, ok bool) {
	downs, ups := false, false
	for _, i := range run {
		downs = downs || parts[i].Left > parts[i].Right
		ups = ups || parts[i].Left < parts[i].Right
	}
	if downs || ups {
		return downs, downs != ups
	}
	return !slices.IsSorted(run), true
}

func (d *Reader) addJoined(parts []part, run []int) {
	first, last := &parts[run[0]], &parts[run[len(run)-1]]
	v := first.Declared
	v.Left, v.Right, v.Width = first.Left, last.Right, 0
	loose := true
	for _, i := range run {
		p := &parts[i]
		d.place(p.id, place{len(d.Vars), v.Width, p.Width, false})
		v.Width += p.Width
		loose = loose && p.Left == p.Right
	}
	d.Vars, d.loose = append(d.Vars, v), append(d.loose, loose)
	d.joined = append(d.joined, &joined{bits: []byte(strings.Repeat("x", v.Width))})
}

func (d *Reader) place(id string, p place) {
	k, ok := d.ids[id]
	if !ok {
		k = len(d.places)
		d.ids[id] = k
		d.places = append(d.places, nil)
	}
	d.places[k] = append(d.places[k], p)
}
