//go:build soak

package study

import (
	"testing"

	"github.com/goldwire/goldwire/design/designtest"
)

// The machines of the curve go on from a checkpoint of the last one that was under way. Most of the time is the
// solver's.
func TestThroughputGoesOnFromACheckpoint(t *testing.T) {
	designtest.CheckResume(t, throughput, 600, map[string]string{"packets": "200", "program": "rewriter", "most": "2"})
}
