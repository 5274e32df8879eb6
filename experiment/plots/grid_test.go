package plots

import (
	"bytes"
	"encoding/xml"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

func smallGrid() GridChart {
	return GridChart{
		Title: "t", X: "x", Y: "y", Columns: []string{"0", "1"}, Rows: []string{"a"},
		Cells: [][][]GridItem{{{{"one", 0}, {"two", 1}}, nil}}, Kinds: []string{"k", "l"},
		Strips: []GridStrip{{"used", []int{1, 3}, 4}},
	}
}

// Each word of a grid stands in the picture once, in the colour of its kind: the legend's first is the item's.
func TestGrid(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, Grid(&b, smallGrid()))
	found := map[string]int{}
	for d := xml.NewDecoder(&b); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		if text, ok := token.(xml.CharData); ok {
			found[string(bytes.TrimSpace(text))]++
		}
	}
	for _, word := range []string{"t", "x", "y", "0", "1", "a", "one", "two", "k", "l", "used", "1 of 4", "3 of 4"} {
		require.Equal(t, 1, found[word], word)
	}
}

func TestBadGrids(t *testing.T) {
	for want, change := range map[string]func(c *GridChart){
		`no cells to draw`:                     func(c *GridChart) { c.Columns = nil },
		`cells of 2 rows, want 1`:              func(c *GridChart) { c.Cells = append(c.Cells, nil) },
		`row "a": cells of 0 columns, want 2`:  func(c *GridChart) { c.Cells[0] = nil },
		`item "one" of kind 2, want 0 to 1`:    func(c *GridChart) { c.Cells[0][0][0].Kind = 2 },
		`item "\n", want printable characters`: func(c *GridChart) { c.Cells[0][0][0].Text = "\n" },
		`strip "used" has 1 columns, want 2`:   func(c *GridChart) { c.Strips[0].Used = []int{1} },
	} {
		c := smallGrid()
		change(&c)
		require.EqualError(t, Grid(io.Discard, c), want)
	}
}
