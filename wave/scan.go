package wave

import (
	"errors"
	"fmt"
	"io"
)

// scanner reads a file's words, which blanks of any kind part.
type scanner struct {
	r    io.Reader
	name string // of the file
	buf  []byte
	at   int // next byte in buf
	end  int // end of the bytes in buf
	line int // of the next byte
	base int // of the word last read
	cut  bool
	over bool // the file has ended

	early []string // words to give before the file's
}

func newScanner(r io.Reader, name string) scanner {
	return scanner{r: r, name: name, buf: make([]byte, 1<<16), line: 1, base: 1}
}

// blank has the characters that part words.
var blank = [256]bool{' ': true, '\n': true, '\t': true, '\r': true, '\f': true, '\v': true}

// word returns the next word, which stands until the next call; it is empty at the end of the file.
func (s *scanner) word() ([]byte, error) {
	if len(s.early) > 0 {
		w := s.early[0]
		s.early = s.early[1:]
		return []byte(w), nil
	}
	for {
		for s.at < s.end && blank[s.buf[s.at]] {
			if s.buf[s.at] == '\n' {
				s.line++
			}
			s.at++
		}
		if s.at < s.end {
			break
		}
		if more, err := s.fill(); err != nil || !more {
			s.base = s.line
			return nil, err
		}
	}
	s.base = s.line
	for k := s.at; ; {
		for k < s.end && !blank[s.buf[k]] {
			k++
		}
		if k < s.end {
			w := s.buf[s.at:k]
			s.at = k
			return w, nil
		}
		if k-s.at > maxToken {
			return nil, s.errorf("a word of more than %d characters", maxToken)
		}
		from := s.at
		more, err := s.fill()
		if err != nil {
			return nil, err
		}
		k -= from - s.at
		if !more {
			s.cut = true
			w := s.buf[s.at:s.end]
			s.at = s.end
			return w, nil
		}
	}
}

// sameLine tells whether another word follows on the line of the last one.
func (s *scanner) sameLine() bool {
	if len(s.early) > 0 {
		return true
	}
	for {
		for k := s.at; k < s.end; k++ {
			if c := s.buf[k]; c == '\n' || !blank[c] {
				return c != '\n'
			}
		}
		if more, err := s.fill(); err != nil || !more {
			return false
		}
	}
}

// fill reads more bytes, after the unused ones.
func (s *scanner) fill() (bool, error) {
	if s.over {
		return false, nil
	}
	if s.at > 0 {
		s.end = copy(s.buf, s.buf[s.at:s.end])
		s.at = 0
	}
	if s.end == len(s.buf) {
		s.buf = append(s.buf, make([]byte, len(s.buf))...)
	}
	for range 100 { // a reader may give nothing, for once
		n, err := s.r.Read(s.buf[s.end:])
		s.end += n
		switch {
		case n > 0 && (err == nil || errors.Is(err, io.EOF)):
			return true, nil
		case errors.Is(err, io.EOF):
			s.over = true
			return false, nil
		case err != nil:
			return false, fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return false, fmt.Errorf("%s: %w", s.name, io.ErrNoProgress)
}

func (s *scanner) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", s.name, s.base, fmt.Sprintf(format, args...))
}

// untilEnd returns the words up to $end.
func (s *scanner) untilEnd(command string) ([]string, error) {
	var words []string
	kept := 0
	for {
		w, err := s.word()
		switch {
		case err != nil:
			return nil, err
		case len(w) == 0:
			return nil, s.errorf("the file ends inside %s, want $end", clip(command))
		case string(w) == "$end":
			return words, nil
		}
		if kept += len(w); len(words) < 1024 && kept < maxWords { // a long comment is skipped
			words = append(words, string(w))
		}
	}
}

func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}
