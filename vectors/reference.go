package vectors

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Bug is a mistake that tests plant in a unit's RTL and that must then be found.
type Bug struct {
	Kind string // a mistake that people make: "wrong tap", "missed reset"
	// Edits are pairs of texts, old and new. Each old text stands once in the RTL.
	Edits []string
	// Field is a regular expression for the fields that may show it first.
	Field string
}

// Plant returns the RTL with the bug in it.
func (b Bug) Plant(rtl string) (string, error) {
	if len(b.Edits) == 0 || len(b.Edits)%2 != 0 {
		return "", fmt.Errorf("bug %q: %d texts, want pairs of old and new", b.Kind, len(b.Edits))
	}
	for i := 0; i < len(b.Edits); i += 2 {
		if n := strings.Count(rtl, b.Edits[i]); n != 1 {
			return "", fmt.Errorf("bug %q: the RTL has %q %d times, want once", b.Kind, b.Edits[i], n)
		}
		rtl = strings.Replace(rtl, b.Edits[i], b.Edits[i+1], 1)
	}
	return rtl, nil
}

// WithRTL gives each unit its reference RTL: the file verilog/MODULE.v. It panics if a unit has no file there: the
// file system is embedded, so that this is a mistake in the program.
func (c Catalogue) WithRTL(files fs.FS) Catalogue {
	for i := range c {
		text, err := fs.ReadFile(files, path.Join("verilog", c[i].Module()+".v"))
		if err != nil {
			panic(fmt.Sprintf("unit %s: %v", c[i].Name, err))
		}
		c[i].RTL = string(text)
	}
	return c
}
