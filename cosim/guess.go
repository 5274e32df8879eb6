package cosim

import (
	"regexp"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/layout"
)

// Names that ports of their kind commonly have; "~" marks active-low ones.
var (
	clockNames = []string{"clk", "clock", "clk_i", "i_clk", "aclk", "ck", "sys_clk", "core_clk"}
	resetNames = []string{
		"rst", "reset", "rst_i", "i_rst", "arst", "srst", "areset", "~rst_n", "~rst_ni", "~reset_n", "~resetn", "~rstn",
		"~nrst", "~nreset", "~aresetn", "~arst_n", "~arstn", "~i_rst_n",
	}
	enableNames = []string{"ce", "clk_en", "clken", "clock_enable", "clk_enable"}
)

// guessControl returns the port that has one of the names, as a map would say it.
func guessControl(ports []Port, claimed map[int]bool, names []string) string {
	for _, name := range names {
		plain := strings.TrimPrefix(name, "~")
		for i, p := range ports {
			if !claimed[i] && p.is(rtl.Input) && p.Width() == 1 && strings.EqualFold(p.Name, plain) {
				return name[:len(name)-len(plain)] + p.Name
			}
		}
	}
	like := controlForms[names[0]]
	found := ""
	for i, p := range ports {
		if like == nil || claimed[i] || !p.is(rtl.Input) || p.Width() != 1 || !like.MatchString(p.Name) ||
			enableForm.MatchString(p.Name) {
			continue
		}
		if found != "" {
			return "" // two that look like it
		}
		found = p.Name
		if activeLow.MatchString(p.Name) {
			found = "~" + p.Name
		}
	}
	return found
}

// guessResets returns all inputs that look like a reset, as a map would say them.
func guessResets(ports []Port, claimed map[int]bool) string {
	var found []string
	for i, p := range ports {
		if claimed[i] || !p.is(rtl.Input) || p.Width() != 1 || !controlForms["rst"].MatchString(p.Name) ||
			enableForm.MatchString(p.Name) {
			continue
		}
		if activeLow.MatchString(p.Name) {
			found = append(found, "~"+p.Name)
		} else {
			found = append(found, p.Name)
		}
	}
	if len(found) == 0 {
		return ""
	}
	return "{" + strings.Join(found, ", ") + "}"
}

// Forms of names that look like a clock or a reset, if just one port has them.
var (
	controlForms = map[string]*regexp.Regexp{
		"clk": regexp.MustCompile(`(?i)(^|_)(clk|clock|ck)($|_|[0-9])`),
		"rst": regexp.MustCompile(`(?i)(^|_)[as]?n?(rst|reset)`),
	}
	enableForm = regexp.MustCompile(`(?i)(_|^)(en|ena|enable|ce)$`)
	activeLow  = regexp.MustCompile(`(?i)((rst|reset)_?n(_?[io])?|(rst|reset)_\w*_n(_?[io])?|^n(rst|reset))$`)
)

// synonyms are words that engineers use for each other. The first of a line stands for all.
var synonyms = func() map[string]string {
	m := map[string]string{}
	for _, line := range []string{
		"data payload d dat tdata", "header hdr head sh sync", "valid vld v tvalid val", "ready rdy tready",
		"last eop tlast eof", "first sop sof",
		"ctrl control ctl c", "keep tkeep strb be", "user tuser", "errors error err", "enable en", "in rx i s s_axis din",
		"out tx o m m_axis dout q",
	} {
		words := strings.Fields(line)
		for _, w := range words {
			m[w] = words[0]
		}
	}
	return m
}()

// words splits a name: "s_axis_tData_i" is in, data, in.
func words(name string) []string {
	snake := strings.Trim(layout.SnakeCase(strings.ReplaceAll(name, ".", "_")), "_")
	snake = strings.ReplaceAll(strings.ReplaceAll(snake, "s_axis", "in"), "m_axis", "out")
	parts := strings.FieldsFunc(snake, func(r rune) bool { return r == '_' })
	for i, p := range parts {
		if s, ok := synonyms[p]; ok {
			parts[i] = s
		}
	}
	return parts
}

// likeness says how well a port's name fits a field's: 0 not at all. The name of the unit's port and the words "in" and
// "out" may be left out, as the direction says the same.
func likeness(field, fieldPort, port string) int {
	if field == port {
		return 100
	}
	if strings.EqualFold(field, port) {
		return 90
	}
	f, p := words(field), words(port)
	slices.Sort(f)
	slices.Sort(p)
	if slices.Equal(f, p) {
		return 80
	}
	direction := func(w string) bool { return w == "in" || w == "out" }
	bare := func(ws []string) []string { return slices.DeleteFunc(slices.Clone(ws), direction) }
	if slices.Equal(bare(f), bare(p)) {
		if len(bare(f)) == 0 {
			return 60
		}
		return 70
	}
	owner := words(fieldPort)
	rest := slices.DeleteFunc(slices.Clone(f), func(w string) bool { return slices.Contains(owner, w) })
	if len(rest) > 0 && slices.Equal(rest, bare(p)) {
		return 50
	}
	data := []string{"data"}
	if slices.Equal(bare(f), data) && len(bare(p)) == 0 || len(bare(f)) == 0 && slices.Equal(bare(p), data) {
		return 40
	}
	return 0
}

// guess binds what the map leaves open: whole ports of the unit first, then fields by name, then outputs by their
// width, if only one is left of it. An input is never bound by its width alone: the port might be one that configures
// the RTL.
func (b *Binding) guess(used []bool) {
	b.guessPacked(used)
	for _, least := range []int{100, 90, 80, 70, 60, 50, 40} {
		for i := range b.Fields {
			f := &b.Fields[i]
			if f.How != "" {
				continue
			}
			found, n := -1, 0
			for j, p := range b.Ports {
				if !used[j] && p.is(f.Dir) && p.Width() == f.Width && likeness(f.Name, f.Port, p.Name) == least {
					found = j
					n++
				}
			}
			if n != 1 || b.rivals(i, found, least) {
				continue
			}
			used[found] = true
			f.How, f.bits = "name", allBits(b.Ports, found)
		}
	}
	for i := range b.Fields {
		f := &b.Fields[i]
		if f.How != "" || f.Dir != rtl.Output {
			continue
		}
		found, n := -1, 0
		for j, p := range b.Ports {
			if !used[j] && p.is(f.Dir) && p.Width() == f.Width {
				found = j
				n++
			}
		}
		alone := !slices.ContainsFunc(b.Fields, func(g Bound) bool {
			return g.How == "" && g.Dir == f.Dir && g.Width == f.Width && g.Name != f.Name
		})
		if n == 1 && alone {
			used[found] = true
			f.How, f.bits = "width", allBits(b.Ports, found)
		}
	}
}

// rivals tells whether another open field is as like the port as field i.
func (b *Binding) rivals(i, port, least int) bool {
	p := b.Ports[port]
	for j := range b.Fields {
		g := &b.Fields[j]
		if j != i && g.How == "" && p.is(g.Dir) && g.Width == p.Width() && likeness(g.Name, g.Port, p.Name) >= least {
			return true
		}
	}
	return false
}

// guessPacked binds all fields of a unit's port to one RTL port of their whole width: a packed struct, by its members'
// names if they fit, else the first field in the most significant bits.
func (b *Binding) guessPacked(used []bool) {
	for i := 0; i < len(b.Fields); {
		n, total := 0, 0
		open := true
		for i+n < len(b.Fields) && b.Fields[i+n].Port == b.Fields[i].Port {
			total += b.Fields[i+n].Width
			open = open && b.Fields[i+n].How == ""
			n++
		}
		group := b.Fields[i : i+n]
		i += n
		if n < 2 || !open {
			continue
		}
		for j, p := range b.Ports {
			if used[j] || !p.is(group[0].Dir) || p.Width() != total || likeness(group[0].Port, group[0].Port, p.Name) == 0 {
				continue
			}
			used[j] = true
			bits := allBits(b.Ports, j)
			byName := true
			for k := range group {
				byName = byName && memberBits(p, bits, group[k]) != nil
			}
			for k := range group {
				group[k].How = "name"
				if byName {
					group[k].bits = memberBits(p, bits, group[k])
				} else {
					group[k].bits, bits = bits[:group[k].Width], bits[group[k].Width:]
				}
			}
			break
		}
	}
}

// memberBits returns the bits of the struct's member that has the field's name and width.
func memberBits(p Port, bits []bit, f Bound) []bit {
	leaf := strings.TrimPrefix(f.Name, f.Port+"_")
	for _, m := range p.shape.members {
		if p.shape.union {
			break
		}
		if m.shape.width() == f.Width && likeness(leaf, "", m.name) >= 80 {
			return bits[:f.Width]
		}
		bits = bits[m.shape.width():]
	}
	return nil
}

func allBits(ports []Port, port int) []bit {
	bits := make([]bit, ports[port].Width())
	for i := range bits {
		bits[i] = bit{port: port, place: len(bits) - 1 - i}
	}
	return bits
}
