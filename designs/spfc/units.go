package spfc

import "github.com/goldwire/goldwire/vectors"

// Units returns the modules of this package that have RTL.
func Units() vectors.Catalogue { return nil }
