// Package plural writes a count with its noun: 1 cycle, 2 cycles.
package plural

import (
	"fmt"
	"strings"
)

// Of returns the number and the noun, with an s, or es or ies where English wants it, unless the number is 1: "1
// cycle", "0 matches", "3 queries".
func Of[N ~int | ~int64 | ~uint64](n N, noun string) string {
	if n != 1 {
		noun = many(noun)
	}
	return fmt.Sprintf("%d %s", n, noun)
}

func many(noun string) string {
	switch {
	case strings.HasSuffix(noun, "ch"),
		strings.HasSuffix(noun, "sh"),
		strings.HasSuffix(noun, "s"),
		strings.HasSuffix(noun, "x"):
		return noun + "es"
	case strings.HasSuffix(noun, "y") && len(noun) > 1 && !strings.ContainsRune("aeiou", rune(noun[len(noun)-2])):
		return noun[:len(noun)-1] + "ies"
	}
	return noun + "s"
}
