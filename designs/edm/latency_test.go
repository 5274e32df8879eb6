package edm

import (
	"github.com/goldwire/goldwire/rtl"
)

type observer func(edges rtl.Edges)

func (o observer) Observe(edges rtl.Edges) { o(edges) }
