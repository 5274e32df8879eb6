package wave

import "strings"

// nine maps each character of a binary value to one of 0, 1, x, z; other characters to 0. VHDL's std_logic (IEEE 1164)
// has nine values: weak levels count as the strong ones, and values without a level as x.
var nine = func() (table [256]byte) {
	for chars, as := range map[string]byte{"0lL": '0', "1hH": '1', "xXuUwW-": 'x', "zZ": 'z'} {
		for i := range len(chars) {
			table[chars[i]] = as
		}
	}
	return table
}()

// digit is each of the values of one bit as text.
var digit = [256]string{'0': "0", '1': "1", 'x': "x", 'z': "z"}

// extend brings a value to its width as IEEE 1364-2005 18.2.1 says: it pads with zeros, or with x or z if the leading
// bit is one. From a value that is too long it drops leading bits; these have to be 0, or all equal to the bit after
// them. It returns false otherwise.
func extend(bits []byte, width int) (string, bool) {
	switch n := len(bits) - width; {
	case n == 0 && width == 1:
		return digit[bits[0]], true
	case n == 0:
		return string(bits), true
	case n > 0:
		lead := bits[0]
		for _, c := range bits[:n] {
			if c != lead {
				return "", false
			}
		}
		return string(bits[n:]), lead == '0' || lead == bits[n]
	case bits[0] == 'x' || bits[0] == 'z':
		return strings.Repeat(digit[bits[0]], -n) + string(bits), true
	default:
		return strings.Repeat("0", -n) + string(bits), true
	}
}
