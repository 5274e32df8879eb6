package emit

import (
	"fmt"
	"go/constant"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/goldwire/goldwire/internal/symbolic"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/layout"
)

// importer makes cells of a module's fields, as they are once the module is built. Whatever its pointers and
// slices lead to is taken along.
type importer struct {
	src   *Source
	x     *symbolic.Machine
	ports []*symbolic.Cell // in the order in which they are met
	met   map[place]*symbolic.Cell
	links map[*symbolic.Cell]unsafe.Pointer // of inputs: the outputs that they are connected to; nil: not wanted
}

type place struct {
	at unsafe.Pointer
	t  reflect.Type
}

var rtlPath = reflect.TypeFor[rtl.Sim]().PkgPath()

// portKind returns "In", "Out", "Wire" or "Async" for a port's type.
func portKind(t reflect.Type) string {
	if t.PkgPath() != rtlPath || t.Kind() != reflect.Struct {
		return ""
	}
	for _, k := range []string{"In", "Out", "Wire", "Async"} {
		if strings.HasPrefix(t.Name(), k+"[") {
			return k
		}
	}
	return ""
}

func (im *importer) cell(v reflect.Value, name string, tag reflect.StructTag) *symbolic.Cell {
	t := v.Type()
	c := &symbolic.Cell{Name: name}
	if v.CanAddr() && t.Size() > 0 {
		p := place{v.Addr().UnsafePointer(), t}
		if known := im.met[p]; known != nil {
			return known
		}
		im.met[p] = c
	}
	if k := portKind(t); k != "" {
		im.port(c, k, t)
		if im.links != nil {
			im.links[c] = linkOf(v)
		}
		return c
	}
	switch t.Kind() {
	case reflect.Struct:
		c.Agg = true
		for i := range t.NumField() {
			f := t.Field(i)
			n := layout.SnakeCase(f.Name)
			if f.Anonymous {
				n = ""
			}
			c.Kids = append(c.Kids, im.cell(v.Field(i), under(name, n), f.Tag))
		}
	case reflect.Array:
		c.Agg = true
		for i := range v.Len() {
			c.Kids = append(c.Kids, im.cell(v.Index(i), under(name, strconv.Itoa(i)), tag))
		}
	case reflect.Slice:
		s := symbolic.Slice{}
		for i := range v.Cap() {
			elem := v.Slice(0, v.Cap()).Index(i)
			s.Of = append(s.Of, symbolic.Ptr{To: im.cell(elem, under(name, strconv.Itoa(i)), tag)})
		}
		if v.Len() < v.Cap() {
			s.Len = im.x.G.Const(uint64(v.Len()), 64)
		}
		c.Init = s
	case reflect.Pointer:
		if !v.IsNil() {
			c.Init = symbolic.Ptr{To: im.cell(v.Elem(), name, "")}
		}
	case reflect.String:
		c.Init = constant.MakeString(v.String())
	case reflect.Func:
		im.function(c, v)
	case reflect.Interface:
		im.dynamic(c, v, name)
	case reflect.Map:
		c.Unknown = "a map: use an array and a valid bit for each place"
	case reflect.Chan:
		c.Unknown = "a channel: use a FIFO of package blocks"
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		c.Unknown = "a number with a fraction: hardware of this project has none"
	case reflect.UnsafePointer:
		c.Unknown = "a raw pointer"
	default:
		im.scalar(c, v, tag)
	}
	return c
}

func under(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "_" + b
}

// scalar makes a cell of a number or a bool that holds what v does.
func (im *importer) scalar(c *symbolic.Cell, v reflect.Value, tag reflect.StructTag) {
	im.number(c, v.Type(), tag)
	switch {
	case v.Kind() == reflect.Bool:
		c.Init = im.x.G.Bit(v.Bool())
	case v.CanUint():
		c.Init = im.x.G.Const(v.Uint(), c.W)
	default:
		c.Init = im.x.G.Const(uint64(v.Int()), c.W)
	}
}

func (im *importer) number(c *symbolic.Cell, t reflect.Type, tag reflect.StructTag) {
	c.W = 1
	if t.Kind() != reflect.Bool {
		c.W = t.Bits()
	}
	c.Bits = c.W
	if b, err := strconv.Atoi(tag.Get("bits")); err == nil && b < c.W {
		c.Bits = b
	}
}

func (im *importer) function(c *symbolic.Cell, v reflect.Value) {
	if v.IsNil() {
		return
	}
	f := runtime.FuncForPC(v.Pointer())
	if fn := im.src.function(f.Name()); fn != nil && len(fn.FreeVars) == 0 {
		c.Init = symbolic.Func{Fn: fn}
		return
	}
	c.Unknown = fmt.Sprintf("the function %s, which has captured variables: make them fields, and the function a method",
		f.Name())
}

// function finds a function of a package by the name that it has in the running program: "path/of.Name",
// "path/of.Name.func1".
func (s *Source) function(name string) *ssa.Function {
	slash := strings.LastIndex(name, "/")
	dot := strings.Index(name[slash+1:], ".") + slash + 1
	if dot <= slash {
		return nil
	}
	pkg := s.pkgs[name[:dot]]
	if pkg == nil {
		return nil
	}
	p := s.prog.Package(pkg)
	p.Build()
	parts := strings.Split(name[dot+1:], ".")
	fn := p.Func(parts[0])
	if parts[0] == "init" && len(parts) > 1 { // of a package variable's initial value
		fn = p.Func("init")
	}
	if parts[0] == "glob" {
		return nil
	}
	for _, part := range parts[1:] {
		n, err := strconv.Atoi(strings.TrimPrefix(part, "func"))
		if fn == nil || err != nil || n < 1 || n > len(fn.AnonFuncs) {
			return nil
		}
		fn = fn.AnonFuncs[n-1]
	}
	return fn
}

func (im *importer) dynamic(c *symbolic.Cell, v reflect.Value, name string) {
	if v.IsNil() {
		return
	}
	t, err := im.src.typeOf(v.Elem().Type())
	if err != nil {
		c.Unknown = fmt.Sprintf("an interface that holds a %v: %v", v.Elem().Type(), err)
		return
	}
	inner := im.cell(v.Elem(), name, "")
	c.Init = symbolic.Iface{Type: t, V: initial(inner)}
	if inner.Unknown != "" {
		c.Unknown = inner.Unknown
	}
}

// initial is the value that a cell holds before anything is stored.
func initial(c *symbolic.Cell) symbolic.Value {
	if !c.Agg {
		return c.Init
	}
	a := symbolic.Agg{}
	for _, k := range c.Kids {
		a = append(a, initial(k))
	}
	return a
}

// port makes a cell of a port: its values are cells of their own.
func (im *importer) port(c *symbolic.Cell, kind string, t reflect.Type) {
	c.Port = kind
	field := "p"
	if kind == "Out" {
		field = "cur"
	}
	f, _ := t.FieldByName(field)
	c.Elem = im.signal(f.Type.Elem(), "", "")
	if kind == "Out" {
		c.Next = im.signal(f.Type.Elem(), "", "")
	}
	im.ports = append(im.ports, c)
}

// signal makes cells of a signal's type that hold zero.
func (im *importer) signal(t reflect.Type, name string, tag reflect.StructTag) *symbolic.Cell {
	c := &symbolic.Cell{Name: name}
	switch t.Kind() {
	case reflect.Struct:
		c.Agg = true
		for i := range t.NumField() {
			f := t.Field(i)
			k := im.signal(f.Type, layout.SnakeCase(f.Name), f.Tag)
			if f.Name == "_" {
				blank(k)
			}
			c.Kids = append(c.Kids, k)
		}
	case reflect.Array:
		c.Agg = true
		for i := range t.Len() {
			c.Kids = append(c.Kids, im.signal(t.Elem(), strconv.Itoa(i), tag))
		}
	default:
		im.number(c, t, tag)
		c.Init = im.x.G.Const(0, c.W)
	}
	return c
}

// blank marks the scalars of a field _, which are no leaves of the signal.
func blank(c *symbolic.Cell) {
	c.Name = "_"
	for _, k := range c.Kids {
		blank(k)
	}
}

// leaves returns a signal's scalars in the order of declaration.
func leaves(c *symbolic.Cell) []*symbolic.Cell {
	if !c.Agg {
		if c.Name == "_" {
			return nil
		}
		return []*symbolic.Cell{c}
	}
	var all []*symbolic.Cell
	for _, k := range c.Kids {
		all = append(all, leaves(k)...)
	}
	return all
}
