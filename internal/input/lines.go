package input

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// Lines reads a text line by line, as a [bufio.Scanner] does, and says how long a line may be where one is longer.
type Lines struct {
	*bufio.Scanner
	most int
}

// NewLines returns the lines of a text, each of at most most bytes.
func NewLines(r io.Reader, most int) *Lines {
	l := &Lines{bufio.NewScanner(r), most}
	l.Buffer(nil, most)
	return l
}

// Err returns the error that ended the text, nil at its end.
func (l *Lines) Err() error {
	err := l.Scanner.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("a line of more than %d bytes", l.most)
	}
	return err
}
