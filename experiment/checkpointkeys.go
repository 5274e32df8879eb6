package experiment

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/internal/input"
)

// keys name a point: two points have the same if everything that decides their results is the same. A file that the
// point reads counts by its contents: the key has its checksum in place of its path.
type keys struct {
	point  string
	warm   string // without the knobs
	bare   string // without the knobs and the inputs
	knobs  string // the names of these
	inputs []pointInput
}

// pointInput is a file that a point reads.
type pointInput struct{ path, sum string }

// words are the keys as the first line of a checkpoint has them.
func (k keys) words() string {
	words := []string{k.point, k.warm, k.bare}
	for _, in := range k.inputs {
		words = append(words, in.sum)
	}
	return strings.Join(words, " ")
}

// parseKeys is the inverse of words: names and paths are not in them.
func parseKeys(text string) (k keys, ok bool) {
	words := strings.Split(text, " ")
	if len(words) < 3 {
		return k, false
	}
	k.point, k.warm, k.bare = words[0], words[1], words[2]
	for _, sum := range words[3:] {
		k.inputs = append(k.inputs, pointInput{sum: sum})
	}
	return k, true
}

// changed returns the path of the first input that had other contents in a point that is the same otherwise; empty if
// there is none.
func (k keys) changed(of keys) string {
	if k.bare != of.bare || len(k.inputs) != len(of.inputs) {
		return ""
	}
	for i, in := range k.inputs {
		if in.sum != of.inputs[i].sum {
			return in.path
		}
	}
	return ""
}

// keysOf returns the keys of the points of an experiment, none without checkpoints.
func keysOf[Q any](experiment string, points []Point[Q], c *Checkpoints) ([]keys, error) {
	if c == nil {
		return nil, nil
	}
	all, sums := make([]keys, len(points)), map[string]string{} // by path
	for i, p := range points {
		var err error
		k := &all[i]
		v := reflect.ValueOf(&p.Params).Elem()
		if k.inputs, err = takeInputs(v, sums); err != nil {
			return nil, err
		}
		if k.point, err = pointKey(experiment, p.Params, p.Seed, k.inputs); err != nil {
			return nil, err
		}
		k.knobs = strings.Join(clearKnobs(v), ", ")
		if k.warm, err = pointKey(experiment, p.Params, p.Seed, k.inputs); err != nil {
			return nil, err
		}
		if k.bare, err = pointKey(experiment, p.Params, p.Seed, nil); err != nil {
			return nil, err
		}
	}
	if !c.Resume {
		return all, nil
	}
	return all, c.checkInputs(all)
}

// checkInputs refuses a directory that has a checkpoint of none of the points, and one of a point whose inputs had
// other contents: that point would start again, and the others would go on.
func (c *Checkpoints) checkInputs(all []keys) error {
	has := func(k keys) bool { _, err := os.Lstat(c.path(k)); return err == nil }
	var there map[string]keys // of other points, by file
	for _, k := range all {
		if len(k.inputs) == 0 || has(k) {
			continue
		}
		if there == nil {
			there = c.others(all)
		}
		for _, file := range slices.Sorted(maps.Keys(there)) {
			if in := k.changed(there[file]); in != "" {
				return fmt.Errorf("%s: its contents are not those of the run whose checkpoint is %s", in, file)
			}
		}
	}
	if !slices.ContainsFunc(all, has) {
		return fmt.Errorf("%s: it has no checkpoint of this experiment with these parameters and this seed", c.Dir)
	}
	return nil
}

// others returns the keys of the checkpoints that are of none of the points.
func (c *Checkpoints) others(all []keys) map[string]keys {
	there := map[string]keys{}
	entries, _ := os.ReadDir(c.Dir) // what cannot be read has none
	for _, e := range entries {
		file := filepath.Join(c.Dir, e.Name())
		if !strings.HasSuffix(file, ".checkpoint") || !e.Type().IsRegular() {
			continue
		}
		f, err := input.Open(file, mostLine)
		if err != nil {
			continue
		}
		_, of, err := readKeys(f)
		f.Close()
		if err == nil && !slices.ContainsFunc(all, func(own keys) bool { return own.point == of.point }) {
			there[file] = of
		}
	}
	return there
}

// takeInputs empties the fields of a point that name files to be read, those with the tag `file:"in"`, and returns
// these files with the checksums of their contents.
func takeInputs(v reflect.Value, sums map[string]string) (inputs []pointInput, err error) {
	if v.Kind() != reflect.Struct {
		return nil, nil
	}
	for f, field := range v.Fields() {
		switch {
		case f.Tag.Get("file") == "in":
			paths, ok := reflect.TypeAssert[[]string](field)
			if !ok {
				paths = []string{field.String()}
			}
			for _, path := range paths {
				if sums[path] == "" && path != "" {
					if sums[path], err = input.ChecksumFile(path, input.MostCapture); err != nil {
						return nil, err
					}
				}
				inputs = append(inputs, pointInput{path, cmp.Or(sums[path], "-")})
			}
			field.SetZero()
		case f.Anonymous:
			inner, err := takeInputs(field, sums)
			if err != nil {
				return nil, err
			}
			inputs = append(inputs, inner...)
		}
	}
	return inputs, nil
}

// clearKnobs sets the knobs of a point to zero and returns their names.
func clearKnobs(v reflect.Value) (names []string) {
	if v.Kind() != reflect.Struct {
		return nil
	}
	for f, field := range v.Fields() {
		switch {
		case f.Tag.Get("knob") != "":
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			names = append(names, cmp.Or(name, f.Name))
			field.SetZero()
		case f.Anonymous:
			names = append(names, clearKnobs(field)...)
		}
	}
	return names
}

func pointKey(experiment string, point any, seed uint64, inputs []pointInput) (string, error) {
	b, err := json.Marshal(point)
	if err != nil {
		return "", fmt.Errorf("experiment %s: a point that is no JSON: %w", experiment, err)
	}
	b = fmt.Appendf(nil, "%s\n%d\n%s", experiment, seed, b)
	for _, in := range inputs {
		b = fmt.Appendf(b, "\n%s", in.sum)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}
