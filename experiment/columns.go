package experiment

import (
	"reflect"
)

// Tabulate makes a table of the results, a row each. Its columns are the fields with the tag column, the point's first:
//
//	column:"Mean ns"  the column's name
//	format:"%.1f"     of fmt, for text; see [Column]
//
// A struct without the tag stands for its fields. The cell of a nil pointer is empty.
func Tabulate[Q, R any](name string, done []Result[Q, R]) *Table {
	return TableOf(name, done)
}

// TableOf is [Tabulate] of any structs.
func TableOf[T any](name string, rows []T) *Table {
	t := &Table{Name: name}
	fields := columnFields(reflect.TypeFor[T](), nil, t)
	for _, r := range rows {
		var cells []any
		for _, index := range fields {
			v := reflect.ValueOf(&r).Elem()
			for _, i := range index {
				v = reflect.Indirect(v).Field(i)
			}
			if v.Kind() == reflect.Pointer && v.IsNil() {
				cells = append(cells, "")
			} else {
				cells = append(cells, reflect.Indirect(v).Interface())
			}
		}
		t.Row(cells...)
	}
	return t
}

// columnFields adds the columns of a struct and returns the fields' indices. A row, a point and a value may be pointers
// to structs.
func columnFields(t reflect.Type, index []int, to *Table) (fields [][]int) {
	if t.Kind() == reflect.Pointer && len(index) < 2 {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	for i := range t.NumField() {
		f, index := t.Field(i), append(index[:len(index):len(index)], i)
		switch name := f.Tag.Get("column"); {
		case name != "":
			to.Columns = append(to.Columns, Column{name, f.Tag.Get("format")})
			fields = append(fields, index)
		case f.IsExported() || f.Anonymous:
			fields = append(fields, columnFields(f.Type, index, to)...)
		}
	}
	return fields
}
