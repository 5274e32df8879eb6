package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"path/filepath"
	"strings"
)

const (
	mostInput   = 1 << 30 // bytes of an input file
	pathOfInput = 16      // digits of an input's checksum that its path has
)

// Import copies an input file into the store.
func (s Store) Import(file string) (Input, error) {
	data, err := readFile(file, mostInput)
	if err != nil {
		return Input{}, err
	}
	sum := sha256.Sum256(data)
	in := Input{SHA256: hex.EncodeToString(sum[:])}
	name := strings.ReplaceAll(filepath.Base(file), ",", "_") // a comma would end it in a list
	in.Path = path.Join("inputs", in.SHA256[:pathOfInput], name)
	return in, writeInto(s.input(in), data)
}

func (s Store) input(in Input) string { return filepath.Join(s.Dir, filepath.FromSlash(in.Path)) }

// CheckInputs tells whether the plan's input files are what they were when it was made.
func (s Store) CheckInputs(p *Plan) error {
	for _, in := range p.Inputs {
		if !filepath.IsLocal(filepath.FromSlash(in.Path)) || !strings.HasPrefix(in.Path, "inputs/") {
			return fmt.Errorf("input %s: want a path in inputs", in.Path)
		}
		data, err := readFile(s.input(in), mostInput)
		if err != nil {
			return err
		}
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != in.SHA256 {
			return fmt.Errorf("%s: its contents are not those of which the plan was made", s.input(in))
		}
	}
	return nil
}
