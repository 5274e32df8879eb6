package experiment

import (
	"fmt"
	"reflect"
	"slices"
	"unsafe"
)

// Grid returns the points that parameters ask for. The parameters are a point, or have one in them; each list with the
// tag `each:"Load"` is of values of the point's field Load. There is a point for each combination, the first list's
// values farthest apart:
//
//	type loadPoint struct {
//		Nodes int     `flag:"nodes" min:"2" max:"512" help:"nodes" json:"nodes"`
//		Load  float64 `flag:"-" json:"load"`
//	}
//
//	type loadParams struct {
//		loadPoint
//		Loads []float64 `flag:"load" each:"Load" min:"0" max:"1" help:"loads of the links"`
//	}
//
//	Grid[loadPoint](&loadParams{loadPoint{Nodes: 8}, []float64{0.5, 1}}) // {8, 0.5}, {8, 1}
func Grid[Q, P any](p *P) []Q {
	grid, err := gridOf(reflect.TypeFor[P](), reflect.TypeFor[Q]())
	if err != nil {
		panic(err)
	}
	v := reflect.ValueOf(p).Elem()
	points := []Q{*(*Q)(unsafe.Pointer(v.FieldByIndex(grid.point).UnsafeAddr()))} // its type may be unexported
	for _, l := range grid.lists {
		values := v.FieldByIndex(l.from)
		var all []Q
		for _, q := range points {
			for i := range values.Len() {
				reflect.ValueOf(&q).Elem().FieldByIndex(l.to).Set(values.Index(i))
				all = append(all, q)
			}
		}
		points = all
	}
	return points
}

// grid is where parameters have a point, and lists of values of its fields.
type grid struct {
	point []int // index of the point in the parameters, see [reflect.Value.FieldByIndex]
	lists []gridList
}

type gridList struct {
	from, to []int // index of the list in the parameters, of the field in a point
}

// gridOf finds the point in the parameters and its lists.
func gridOf(p, q reflect.Type) (g grid, err error) {
	found := p == q
	var walk func(t reflect.Type, index []int)
	walk = func(t reflect.Type, index []int) {
		for i := range t.NumField() {
			f, index := t.Field(i), append(slices.Clone(index), i)
			_, tagged := f.Tag.Lookup("flag")
			switch name := f.Tag.Get("each"); {
			case f.Type == q && !tagged && !found:
				g.point, found = index, true
			case name != "":
				to, ok := reflect.StructField{}, false
				if q.Kind() == reflect.Struct {
					to, ok = q.FieldByName(name)
				}
				if !ok || f.Type.Kind() != reflect.Slice || f.Type.Elem() != to.Type {
					err = fmt.Errorf("parameter %s: a %v is no list of the field %q of a point", f.Name, f.Type, name)
				}
				g.lists = append(g.lists, gridList{index, to.Index})
			case !tagged && f.Type.Kind() == reflect.Struct && f.Type != q:
				walk(f.Type, index)
			}
		}
	}
	if p.Kind() == reflect.Struct {
		walk(p, nil)
	}
	if !found && err == nil {
		err = fmt.Errorf("the parameters have no %v in them", q)
	}
	return g, err
}
