package study

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/goldwire/goldwire/internal/input"
)

// compilerTime bounds a run of the P4 compiler.
const compilerTime = 2 * time.Minute

// openProgram opens a program's file. P4 source goes through p4c-bm2-ss, where it is installed.
func openProgram(name string) (io.ReadCloser, error) {
	if filepath.Ext(name) != ".p4" {
		return input.Open(name, input.MostText)
	}
	compiler, err := exec.LookPath("p4c-bm2-ss")
	if err != nil {
		return nil, fmt.Errorf(
			"%s: P4 source, and no p4c-bm2-ss is installed, expected BMv2 JSON: p4c-bm2-ss -o %s.json %s makes it",
			name, strings.TrimSuffix(name, ".p4"), name,
		)
	}
	dir, err := os.MkdirTemp("", "goldwire-p4")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(context.Background(), compilerTime)
	defer cancel()
	out := filepath.Join(dir, "program.json")
	var said bytes.Buffer
	run := exec.CommandContext(ctx, compiler, "-o", out, name)
	run.Stdout, run.Stderr = &said, &said
	if err := run.Run(); err != nil {
		return nil, fmt.Errorf("%s: p4c-bm2-ss: %w", name, firstError(said.String(), err))
	}
	data, err := os.ReadFile(out)
	if err != nil {
		return nil, fmt.Errorf("%s: p4c-bm2-ss wrote no JSON", name)
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}

// firstError is the first line in which a compiler speaks of an error, or otherwise.
func firstError(said string, otherwise error) error {
	for line := range strings.Lines(said) {
		if strings.Contains(line, "error") {
			return errors.New(strings.TrimSpace(line))
		}
	}
	return otherwise
}
