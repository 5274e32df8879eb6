package emit

import (
	"go/ast"
	"strings"

	"golang.org/x/tools/go/packages"
)

// readDocs keeps the comments of a package's types.
func (s *Source) readDocs(p *packages.Package) {
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			g, is := d.(*ast.GenDecl)
			if !is {
				continue
			}
			for _, spec := range g.Specs {
				t, is := spec.(*ast.TypeSpec)
				if !is {
					continue
				}
				doc := t.Doc
				if doc == nil && len(g.Specs) == 1 {
					doc = g.Doc
				}
				if doc != nil {
					s.docs[p.PkgPath+"."+t.Name.Name] = strings.TrimSpace(doc.Text())
				}
			}
		}
	}
}
