package study

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/goldwire/goldwire/experiment"
)

// stateHeader is the first line of a file of finished parts. Each further line is a part's parameters, a tab, and its
// result, both as JSON. Files of several machines can be put one after the other: a header in the middle is no part.
const stateHeader = "goldwire shoal load: finished parts"

// runLoadKept takes a part's result from the file of finished ones, or runs it and adds it there.
func runLoadKept(ctx context.Context, run *experiment.Run, q LoadPoint) (loadResult, error) {
	path := q.State
	if path == "" {
		return runLoad(ctx, run, q)
	}
	q.State = ""
	key, err := json.Marshal(struct {
		Point LoadPoint
		Seed  uint64
	}{q, run.Seed})
	if err != nil {
		return loadResult{}, err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o644)
	if err != nil {
		return loadResult{}, err
	}
	res, known, err := findPart(file, path, key)
	if err == nil && !known {
		if res, err = runLoad(ctx, run, q); err == nil {
			err = addPart(file, key, res)
		}
	}
	return res, errors.Join(err, file.Close())
}

// findPart looks for a part in a file. A line that was cut off by an interrupt is passed over.
func findPart(file *os.File, path string, key []byte) (res loadResult, known bool, err error) {
	in := bufio.NewReader(file)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if n == 1 && len(line) > 0 && string(bytes.TrimSuffix(line, []byte("\n"))) != stateHeader {
			return res, false, fmt.Errorf("%s:1: no file of finished parts, want %q", path, stateHeader)
		}
		if n == 1 && len(line) == 0 {
			_, err := fmt.Fprintln(file, stateHeader)
			return res, false, err
		}
		if err == nil && len(line) > len(key) && line[len(key)] == '\t' && bytes.HasPrefix(line, key) {
			var part loadResult
			if json.Unmarshal(line[len(key)+1:], &part) == nil && len(part.Histogram) == histogramBins {
				return part, true, nil
			}
		}
		if errors.Is(err, io.EOF) {
			return res, false, nil
		}
		if err != nil {
			return res, false, err
		}
	}
}

// addPart adds a part in one write, on a line of its own.
func addPart(file *os.File, key []byte, res loadResult) error {
	value, err := json.Marshal(res)
	if err != nil {
		return err
	}
	var line []byte
	if info, err := file.Stat(); err == nil && info.Size() > 0 {
		var last [1]byte
		if _, err := file.ReadAt(last[:], info.Size()-1); err == nil && last[0] != '\n' {
			line = append(line, '\n')
		}
	}
	line = append(append(append(append(line, key...), '\t'), value...), '\n')
	_, err = file.Write(line)
	return err
}
