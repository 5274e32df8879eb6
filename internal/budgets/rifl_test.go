package budgets

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/rifl"
	"github.com/goldwire/goldwire/internal/hdl"
)

// The RTL link of the budget carries traffic both ways without error and recovers from flipped bits as the model does.
func TestVerilatedRIFLLinkIsTheModels(t *testing.T) {
	if err := hdl.Verilator.Available(); err != nil {
		t.Skipf("the RIFL link in RTL was NOT compared: %v", err)
	}
	cfg := rifl.Default()
	v, err := buildRIFL(t.Context(), cfg, "-O1") // is built sooner than it runs at -O3
	require.NoError(t, err)
	defer v.remove()
	require.NoError(t, sameRecovery(t.Context(), v, cfg))
}

// A program that dies, that says something else, or that says nothing until the time is over ends the run, with the
// reason.
func TestRIFLRunThatFails(t *testing.T) {
	for name, c := range map[string]struct{ program, says string }{
		"at once":     {"exit 3", "asked for the time of 10 frame cycles: exit status 3"},
		"asked":       {"read n; exit 3", "asked for the time of 10 frame cycles: exit status 3"},
		"killed":      {"read n; kill -9 $$", "asked for the time of 10 frame cycles: signal: killed"},
		"ends":        {"read n", "asked for the time of 10 frame cycles: EOF"},
		"garbled":     {"read n; echo soon; read n", "asked for the time of 10 frame cycles: strconv.ParseFloat"},
		"more":        {"read n; echo 1.5 2; read n", "asked for the time of 10 frame cycles: expected newline"},
		"nothing":     {"exec sleep 60", "asked for the time of 10 frame cycles: signal: killed"},
		"one end":     {"read n; echo 1.5; read n; echo 4 32 0 0; exit 3", "asked what arrived at end 1: exit status 3"},
		"a few words": {"read n; echo 1.5; read n; echo 4 32; read n", "asked what arrived at end 0: unexpected newline"},
		"wrong beats": {"read n; echo 1.5; read n; echo 4 32 1 0", "end 0 gets 1 of 4 beats wrong"},
	} {
		t.Run(name, func(t *testing.T) {
			v := &verilated{t.TempDir()}
			require.NoError(t, os.WriteFile(filepath.Join(v.dir, "rifl_link"), []byte("#!/bin/sh\n"+c.program+"\n"), 0o755))
			limit := time.Minute
			if name == "nothing" {
				limit = 300 * time.Millisecond
			}
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			_, err := runRIFL(ctx, v, 10, 0)
			require.ErrorContains(t, err, c.says)
		})
	}
}

// A program that is not there does not start.
func TestRIFLRunThatDoesNotStart(t *testing.T) {
	_, err := runRIFL(t.Context(), &verilated{t.TempDir()}, 10, 0)
	require.ErrorContains(t, err, "the verilated RIFL link: fork/exec")
}
