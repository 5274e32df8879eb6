package wave

import "strings"

// nine gives each character of a binary value one of 0, 1, x, z, and 0 to all that are none. VHDL's std_logic (IEEE 1164) has nine
// values: weak ones count as their strong ones, and what is no level is x.
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

// extend brings a value to its width as IEEE 1364-2005 18.2.1 says: by zeros, or by x or z if that leads. What is too long loses
// leading bits, which have to be 0, or all to be as the bit after them.
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
