package p4

import (
	"fmt"
	"slices"
)

func (b *bmv2Reader) readCalculations() error {
	for _, c := range b.in.Calculations {
		n, err := b.calculate(c.Name, c.Algo, c.Input)
		if err != nil {
			return fmt.Errorf("calculation %s: %w", c.Name, err)
		}
		b.calculations[c.Name] = n
	}
	return nil
}

// calculate adds a calculation.
func (b *bmv2Reader) calculate(name, algorithm string, input []bmv2Value) (int, error) {
	a, ok := algorithms[algorithm]
	if !ok {
		return 0, fmt.Errorf("algorithm %q is not supported", algorithm)
	}
	c := Calculation{Name: name, Algorithm: a}
	for i := range input {
		if input[i].Type == "payload" {
			c.Payload = true
			continue
		}
		e, err := b.expression(&input[i], nil, 0)
		if err != nil {
			return 0, err
		}
		w := input[i].Bitwidth
		switch e.Kind {
		case FieldValue:
			w = b.p.Fields[e.Field].Bits
		case HeaderValue:
			w = b.p.Headers[e.Field].Bits
		case Constant:
		default:
			return 0, fmt.Errorf("an input that is neither a field, a header nor a constant")
		}
		if w < 1 || w > maxBits {
			return 0, fmt.Errorf("an input has a bitwidth of %d, expected 1 to %d", w, maxBits)
		}
		c.Input, c.Bits = append(c.Input, e), append(c.Bits, w)
	}
	b.p.Calculations = append(b.p.Calculations, c)
	return len(b.p.Calculations) - 1, nil
}

func (b *bmv2Reader) readChecksums() error {
	for _, c := range b.in.Checksums {
		if c.Type != "" && c.Type != "generic" {
			return fmt.Errorf("checksum %s: type %q is not supported, expected generic", c.Name, c.Type)
		}
		sum := Checksum{Name: c.Name, Verify: c.Verify == nil || *c.Verify, Update: c.Update == nil || *c.Update}
		n, ok := b.calculations[c.Calculation]
		if !ok {
			return fmt.Errorf("checksum %s: there is no calculation %q", c.Name, c.Calculation)
		}
		sum.Calculation = 1 + n
		x := &b.p.Calculations[n]
		sum.Input, sum.Bits = x.Input, x.Bits
		var err error
		if sum.Target, err = b.fieldRef(c.Target); err == nil && c.IfCond != nil {
			sum.If, err = b.expression(c.IfCond, nil, 0)
		}
		if err != nil {
			return fmt.Errorf("checksum %s: %w", c.Name, err)
		}
		b.p.Checksums = append(b.p.Checksums, sum)
	}
	return nil
}

func (b *bmv2Reader) readDeparser() error {
	if len(b.in.Deparsers) != 1 {
		return fmt.Errorf("%d deparsers, expected one", len(b.in.Deparsers))
	}
	if len(b.in.Deparsers[0].Primitives) > 0 {
		return fmt.Errorf("the deparser has primitives, which are not supported")
	}
	for _, name := range b.in.Deparsers[0].Order {
		h, ok := b.headers[name]
		if !ok {
			return fmt.Errorf("deparser: there is no header %q", name)
		}
		if b.p.Headers[h].Metadata || slices.Contains(b.p.Deparse, h) {
			return fmt.Errorf("deparser: %s is metadata, or is there twice", name)
		}
		b.p.Deparse = append(b.p.Deparse, h)
	}
	return nil
}
