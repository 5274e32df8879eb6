package cosim

import (
	"fmt"
	"maps"
	"slices"

	"github.com/goldwire/goldwire/rtl"
)

// sliceName is bits of a field as a map's key has them.
func sliceName(field string, hi, lo int) string { return fmt.Sprintf(`"%s[%d:%d]"`, field, hi, lo) }

// leaveOut is the entry of a map that leaves out bits of a field.
func leaveOut(f *Bound, hi, lo int) string {
	if f.Dir == rtl.Input {
		return fmt.Sprintf("hold the rest (without: {%s: 0})", sliceName(f.Name, hi, lo))
	}
	return fmt.Sprintf("ignore the rest (ignore: [%s])", sliceName(f.Name, hi, lo))
}

// narrower is a hint where a port of the RTL has fewer bits than the field, or the slice of it.
func narrower(f *Bound, s fieldSlice, text string, bits int) string {
	if bits == 0 || bits >= s.width() {
		return ""
	}
	return fmt.Sprintf(": set a parameter of the RTL (-G), or bind as many bits (ports: {%s: %s}) and %s",
		sliceName(f.Name, s.lo+bits-1, s.lo), clip(text, 60), leaveOut(f, s.hi, s.lo+bits))
}

// openBits says that bits of a field have no port, from one of them downwards.
func openBits(f *Bound, from int) string {
	to := from
	for to+1 < len(f.bits) && f.bits[to+1].port == openBit {
		to++
	}
	hi, lo := f.Width-1-from, f.Width-1-to
	return fmt.Sprintf("bits %d:%d of %s %s: the map has no port for them: name one, or %s", hi, lo, dirName(f.Dir),
		f.Name, leaveOut(f, hi, lo))
}

// instead says what else can be done about a field that no port fits.
func (b *binder) instead(f *Bound) string {
	for _, name := range slices.Sorted(maps.Keys(b.shakes)) {
		if b.shakes[name].Ready == f.Name {
			return fmt.Sprintf("compare transfers in place of cycles (streams: {%s: {ready: %s}})", name, b.only(f))
		}
	}
	return without(f.Dir, f.Name)
}
