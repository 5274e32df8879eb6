package sweep_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goldwire/goldwire/internal/sweep"
)

// FuzzReadPlan: a plan that no sweep wrote is an error, or can be written again and read as the same.
func FuzzReadPlan(f *testing.F) {
	f.Add(`{"experiment":"edm/load","vary":{"loads":["0.1","0.2"]},"seeds":3}`)
	f.Add(`{"seeds":-1}`)
	f.Add("null")
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "plan.json")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		p, err := sweep.ReadPlan(path)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Fatalf("an error of several lines: %v", err)
			}
			return
		}
		again, err := p.JSON()
		if err != nil {
			t.Fatalf("read, but not to be written: %v", err)
		}
		if err := os.WriteFile(path, again, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := sweep.ReadPlan(path); err != nil {
			t.Fatalf("written, but not to be read: %v", err)
		}
	})
}
