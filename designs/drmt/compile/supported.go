package compile

import (
	"fmt"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// supported refuses by name what no machine runs.
func supported(p *p4.Program) error {
	refuse := func(what string, args ...any) error {
		return fmt.Errorf("%s: "+what+": no machine runs that", append([]any{p.Name}, args...)...)
	}
	for _, h := range p.Headers {
		if h.Variable > 0 {
			return refuse("header %s has a field of variable length", h.Name)
		}
	}
	for _, f := range p.Fields {
		if f.Signed || f.Saturating {
			return refuse("field %s is signed or saturating", f.Name)
		}
	}
	for _, s := range p.States {
		if s.Parts != nil {
			return refuse("parser state %s selects by a lookahead, by a stack, or by more than 64 bits", s.Name)
		}
		for _, o := range s.Ops {
			if o.Kind != p4.Basic {
				return refuse("parser state %s has a verify, an advance, a lookahead, a primitive or an extraction into a stack", s.Name)
			}
		}
		for _, t := range s.Transitions {
			if t.Set > 0 {
				return refuse("parser state %s has a value set", s.Name)
			}
		}
	}
	for _, a := range p.Actions {
		for _, o := range a.Ops {
			if o.Op > p4.Drop && o.Op != p4.NoOp || o.Dest != nil {
				return refuse("action %s: %v", a.Name, o.Op)
			}
		}
	}
	for _, pipe := range []*p4.Pipeline{&p.Ingress, &p.Egress} {
		for _, n := range pipe.Nodes {
			t := n.Table
			switch {
			case t == nil:
				continue
			case t.Profile > 0:
				return refuse("table %s has an action profile", t.Name)
			case t.Default < 0:
				return refuse("table %s has no default action", t.Name)
			case t.Meter > 0:
				return refuse("table %s has a direct meter", t.Name)
			case t.Match == p4.Range:
				return refuse("table %s matches ranges", t.Name)
			}
			for _, k := range t.Key {
				if k.Masked {
					return refuse("table %s has a key with a mask of its own", t.Name)
				}
			}
		}
	}
	for _, c := range p.Checksums {
		if c.Update && c.Calculation > 0 {
			if x := &p.Calculations[c.Calculation-1]; x.Payload || x.Algorithm != p4.CSum16 {
				return refuse("checksum %s is over the payload, or is not the Internet checksum", c.Name)
			}
		}
	}
	return nil
}
