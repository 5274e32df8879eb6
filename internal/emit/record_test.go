package emit_test

import (
	"errors"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/catalogue"
	"github.com/goldwire/goldwire/internal/emit"
)

// refused are the rows of docs/verilog.md that say why a unit's Verilog is not written.
var refused = regexp.MustCompile("(?m)^\\| `([a-z0-9_/]+)` \\| (.+) \\|$")

// proved are the units whose emitted Verilog is proved equal to the RTL written by hand. TestCatalogueIsProved, one of
// the long tests, proves each anew.
func proved(t *testing.T) []string {
	data, err := os.ReadFile("testdata/proved.txt")
	require.NoError(t, err)
	return strings.Fields(string(data))
}

// proofs is the item of docs/verilog.md that lists them.
var proofs = regexp.MustCompile(`(?ms)^- \*\*(\d+) are proved equal\*\*(.*?)\.(?: |\n)`)

// docs/verilog.md lists the proofs of the record, and counts them.
func TestTheProofsOfTheRecord(t *testing.T) {
	page, err := os.ReadFile("../../docs/verilog.md")
	require.NoError(t, err)
	item := proofs.FindStringSubmatch(string(page))
	require.NotNil(t, item)
	var said []string
	for _, name := range regexp.MustCompile("`([a-z0-9_]+/[a-z0-9_]+)`").FindAllStringSubmatch(item[2], -1) {
		said = append(said, name[1])
	}
	list := proved(t)
	require.Equal(t, list, said)
	require.True(t, slices.IsSorted(list))
	require.Equal(t, strconv.Itoa(len(list)), item[1])
	for _, name := range list {
		_, why := emit.Recorded(name)
		require.Empty(t, why, name)
	}
}

// The record has every unit of the catalogue, and the refusals of docs/verilog.md.
func TestTheRecord(t *testing.T) {
	page, err := os.ReadFile("../../docs/verilog.md")
	require.NoError(t, err)
	said := map[string]string{}
	for _, row := range refused.FindAllStringSubmatch(string(page), -1) {
		said[row[1]] = row[2]
	}
	for _, u := range catalogue.Designs().Units() {
		known, why := emit.Recorded(u.Name)
		require.True(t, known, "units.txt lacks %s", u.Name)
		require.Equal(t, said[u.Name], why, u.Name)
		delete(said, u.Name)
	}
	require.Empty(t, said, "units of docs/verilog.md that are not there")
	known, _ := emit.Recorded("parity/parity")
	require.False(t, known)
}

// A refusal of the record names the line of today's source that makes the slice.
func TestTheRecordsLines(t *testing.T) {
	lines := regexp.MustCompile(`^(\w+\.go):(\d+): make of a slice`)
	found := 0
	for _, u := range catalogue.Designs().Units() {
		_, why := emit.Recorded(u.Name)
		m := lines.FindStringSubmatch(why)
		if m == nil {
			continue
		}
		number, err := strconv.Atoi(m[2])
		require.NoError(t, err)
		text, err := os.ReadFile("../../designs/edm/" + m[1])
		if errors.Is(err, fs.ErrNotExist) { // a block's
			text, err = os.ReadFile("../../blocks/" + m[1])
		}
		require.NoError(t, err)
		list := strings.Split(string(text), "\n")
		require.LessOrEqual(t, number, len(list), why)
		require.Contains(t, list[number-1], "make(", why)
		found++
	}
	require.Equal(t, 1, found)
}
