package input

import (
	"strconv"
	"strings"
	"unicode"
)

// OneLine makes an error of a reader one line: names that a file gives in quotes may hold newlines and other control
// characters, which are written as Go escapes them. nil stays nil.
//
//	there is no table t⏎oute     becomes     there is no table t\noute
func OneLine(err error) error {
	if err == nil || strings.IndexFunc(err.Error(), unicode.IsControl) < 0 {
		return err
	}
	var b strings.Builder
	for _, r := range err.Error() {
		if unicode.IsControl(r) {
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
			continue
		}
		b.WriteRune(r)
	}
	return &oneLine{b.String(), err}
}

type oneLine struct {
	text  string
	cause error
}

func (e *oneLine) Error() string { return e.text }
func (e *oneLine) Unwrap() error { return e.cause }
