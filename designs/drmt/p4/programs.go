package p4

import (
	"bytes"
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed programs/*.json programs/*.p4
var programs embed.FS

// ProgramNames are the programs that come with this package: a plain router (l2l3), access control with tunnels
// (acl_tunnel), one that is bound by matches (classifier) and one bound by actions (rewriter). See programs/README.md.
func ProgramNames() []string { return []string{"acl_tunnel", "classifier", "l2l3", "rewriter"} }

// Load returns one of the programs that come with this package.
func Load(name string) (*Program, error) {
	if !slices.Contains(ProgramNames(), name) {
		return nil, fmt.Errorf("no program %q, want one of: %s", name, strings.Join(ProgramNames(), ", "))
	}
	data, err := programs.ReadFile("programs/" + name + ".json")
	if err != nil {
		return nil, err
	}
	return ParseBMv2(name+".json", bytes.NewReader(data))
}

// Source returns the P4 source of one of the programs that come with this package.
func Source(name string) (string, error) {
	data, err := programs.ReadFile("programs/" + name + ".p4")
	return string(data), err
}
