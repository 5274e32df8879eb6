package sweep

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/internal/input"
	"github.com/goldwire/goldwire/internal/program"
)

const (
	mostInput   = input.MostCapture // bytes of an input file
	pathOfInput = 16                // digits of an input's checksum that its path has
)

// Import copies an input file into the store.
func (s Store) Import(ctx context.Context, file string) (Input, error) {
	data, err := input.ReadContext(ctx, file, mostInput)
	if err != nil {
		return Input{}, err
	}
	in := Input{SHA256: input.Checksum(data)}
	// a comma ends it in a list, a \ parts it on Windows
	name := strings.NewReplacer(",", "_", `\`, "_").Replace(filepath.Base(file))
	in.Path = path.Join("inputs", in.SHA256[:pathOfInput], name)
	return in, writeInto(s.input(in), data)
}

func (s Store) input(in Input) string { return filepath.Join(s.Dir, filepath.FromSlash(in.Path)) }

// check refuses a path that leads out of the store's inputs, and one without the checksum: the key of a point has the
// path alone.
func (in Input) check() error {
	dir, name := path.Split(in.Path)
	sum, err := hex.DecodeString(in.SHA256)
	switch {
	case err != nil || len(sum) != sha256.Size:
		return fmt.Errorf("input %s: want the 64 digits of a SHA-256", experiment.Quote(in.Path))
	case dir != "inputs/"+in.SHA256[:pathOfInput]+"/" || name == "" || !filepath.IsLocal(name) ||
		strings.ContainsAny(name, `\,`):
		return fmt.Errorf("input %s: want inputs/%s/ and a name", experiment.Quote(in.Path), in.SHA256[:pathOfInput])
	}
	return nil
}

// checkFiles refuses a point that reads a file which is no input of the plan: its contents would not be in the key.
func (s *Sweep) checkFiles(pt *Point) error {
	for _, f := range pt.params.Fields {
		if f.File != "in" {
			continue
		}
		for _, file := range f.Paths() {
			if !slices.ContainsFunc(s.Inputs, func(in Input) bool { return in.Path == file }) {
				return fmt.Errorf("--%s %s: want an input of the plan, which `%s sweep plan` copies into the store", f.Flag,
					experiment.Quote(file), program.Name())
			}
		}
	}
	return nil
}

// CheckInputs returns an error if an input file's contents have changed since the plan was made.
func (s Store) CheckInputs(p *Plan) error {
	for _, in := range p.Inputs {
		if err := in.check(); err != nil { // before anything is opened
			return err
		}
		sum, err := input.ChecksumFile(s.input(in), mostInput)
		if err != nil {
			return err
		}
		if sum != in.SHA256 {
			return fmt.Errorf("%s: its contents are not those of which the plan was made", s.input(in))
		}
	}
	return nil
}
