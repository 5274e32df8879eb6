package fuse

import (
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// packageNames are the paths of the packages that a file names, by their names.
type packageNames map[string]string

// add notes a package that the code of a module names, and refuses the module if that is the name of another one.
func (n packageNames) add(g *graph, b *box, path, name string) {
	if other := n[name]; other != "" && other != path {
		_ = g.refuse(&Refusal{Module: b.path, Reason: "needs " + path + ", whose name the code needs for " + other})
		return
	}
	n[name] = path
}

// nameTypes adds the packages that a type's name has.
func (g *graph) nameTypes(names packageNames, home string, b *box, t types.Type) {
	types.TypeString(t, func(p *types.Package) string {
		if p.Path() != home {
			names.add(g, b, p.Path(), p.Name())
		}
		return ""
	})
}

// nameImports adds the packages that a body names.
func (g *graph) nameImports(names packageNames, b *box, x *body) {
	for _, path := range slices.Sorted(maps.Keys(x.imports)) {
		names.add(g, b, path, x.imports[path])
	}
}

// nameBoxes makes a variable's name of each path: its last word, or as many as tell the modules apart. Names that the
// code has already are made longer.
func nameBoxes(paths []string, others ...string) []string {
	names := make([]string, len(paths))
	for i, p := range paths {
		words := strings.Split(p, ".")
		for n := 1; n <= len(words); n++ {
			names[i] = camel(words[len(words)-n:])
			twice := false
			for j, q := range paths {
				w := strings.Split(q, ".")
				twice = twice || i != j && camel(w[max(len(w)-n, 0):]) == names[i]
			}
			if !twice {
				break
			}
		}
	}
	for i := range names {
		taken := func(n string) bool {
			return !token.IsIdentifier(n) || types.Universe.Lookup(n) != nil || n == "n" || n == "f" ||
				islandMethod.MatchString(n) ||
				slices.Contains(others, n) ||
				slices.Contains(names[:i], n) // rx_fifo and the fifo of rx
		}
		for n := names[i]; taken(n); names[i] = n {
			for n += "Module"; slices.Contains(names[i+1:], n); {
				n += "Module"
			}
		}
	}
	return names
}

// islandMethod has the methods of an island's type, where modules are fields, and its other fields.
var islandMethod = regexp.MustCompile(
	`^(domains|run|border|(take|tick|commit|comb|inPlace|leaves|gives|comes)[0-9]+(Part[0-9]+)?)$`,
)

// camel joins words as a Go name.
func camel(words []string) string {
	var b strings.Builder
	for _, w := range words {
		for _, part := range strings.Split(w, "_") {
			b.WriteString(title(part))
		}
	}
	return lower(b.String())
}

func title(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

func lower(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToLower(s[:1]) + s[1:]
}
