//go:build soak

package study

import "testing"

func TestMirrorAtLength(t *testing.T) { checkMirror(t, 200) }
