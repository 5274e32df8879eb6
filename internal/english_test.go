package internal_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// wide is the number of columns, a tab counted as one, that a line of hand-written Go should not exceed.
const wide = 120

// pronouns match relative clauses and pronouns that stand where a comment should name the thing: a reader must know the
// code to understand them. TestMeasureOfProse has examples.
var pronouns = []*regexp.Regexp{
	regexp.MustCompile(`(?i)\bwhat (?:[a-z]+s|are|were|had|have|came|it|they)\b`),
	regexp.MustCompile(`(?i)\b(?:of|from|to|in|with|for|at|on|than|by|but) what\b`),
	regexp.MustCompile(`(?i)\bwho(?:ever|m)?\b`),
	regexp.MustCompile(`(?i)\b(?:that|those) of\b`),
	regexp.MustCompile(`(?i)\b(?:that|those|these) (?:that|which)\b`),
	regexp.MustCompile(`(?i)\bso (?:many|much|few)\b`),
	regexp.MustCompile(`(?i)\bbehind (?:it|them|that|these|those)\b`),
	regexp.MustCompile(`(?i)\b(?:by which|all that|the ones? (?:that|which|of))\b`),
	regexp.MustCompile(`(?i)\bas (?:it|they) (?:has|have|is|are|was|were|does|do|did) (?:it|them)\b`),
}

// prose is the measure of a folder's hand-written Go.
type prose struct {
	words, pronouns int // in comments
}

func (p prose) perThousand() float64 { return 1000 * float64(p.pronouns) / float64(max(p.words, 1)) }

var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// directive matches comments that are for a tool: //go:build, //export, //nolint.
var directive = regexp.MustCompile(`^//[a-z]+(?::| [^ ]+$|$)`)

// ownFolder returns the folder whose ceiling holds for a file: designs/edm, internal/fuse, rtl.
func ownFolder(file string) string {
	parts := strings.Split(path.Dir(file), "/")
	switch parts[0] {
	case "designs", "internal", "peers":
		return strings.Join(parts[:min(2, len(parts))], "/")
	}
	return parts[0]
}

// measure adds a file to p. It returns the clauses found, each as "file:line: clause".
func (p *prose) measure(name string, src []byte) ([]string, error) {
	if generated.Match(src) {
		return nil, nil
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, group := range file.Comments {
		text := plainText(group)
		p.words += len(strings.Fields(text))
		for _, re := range pronouns {
			for _, clause := range re.FindAllString(text, -1) {
				p.pronouns++
				found = append(found, fmt.Sprintf("%s: %s", fset.Position(group.Pos()), clause))
			}
		}
	}
	return found, nil
}

// Lines of code and comments fit a window of 120 columns.
func TestLinesAreNarrow(t *testing.T) {
	list, err := exec.Command("git", "-C", "..", "ls-files", "*.go").Output()
	if err != nil {
		t.Skip("not in a clone: ", err)
	}
	for _, name := range strings.Fields(string(list)) {
		src, err := os.ReadFile("../" + name)
		if os.IsNotExist(err) || generated.Match(src) {
			continue
		}
		require.NoError(t, err)
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, line := range wideLines(fset, file, src) {
			t.Errorf("%s:%d is wider than %d columns", name, line, wide)
		}
	}
}

func TestWideLines(t *testing.T) {
	pad := func(s string, columns int) string {
		return s + strings.Repeat("ä", columns-utf8.RuneCountInString(s))
	}
	src := strings.Join([]string{
		"package p",
		pad("// ", wide),
		pad("// ", wide+1),                  // 3
		pad("var a = 1 // ", wide+1),        // 4
		"var b = \"" + pad("", wide) + "\"", // 5
		"var c = `" + pad("", wide) + "`",
		"var d = `",
		pad("", wide+1) + "`",
		"type e struct {",
		"\tF int `" + pad("tag:", wide) + "`",
		"}",
		"func f() {",
		"\t// Output:",
		pad("\t// ", wide+1),
		"}",
	}, "\n")
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, parser.ParseComments)
	require.NoError(t, err)
	require.Equal(t, []int{3, 4, 5}, wideLines(fset, file, []byte(src)))
}

// wideLines returns the numbers of the lines that are wider than wide. Text that cannot be broken does not count: a raw
// string, and so the tag of a field, and the output of an example.
func wideLines(fset *token.FileSet, file *ast.File, src []byte) (lines []int) {
	type span struct{ from, to int }
	var whole []span
	offset := func(p token.Pos) int { return fset.Position(p).Offset }
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Value[0] == '`' {
			whole = append(whole, span{offset(lit.Pos()), offset(lit.End())})
		}
		return true
	})
	for _, group := range file.Comments {
		if strings.Contains(group.Text(), "Output:\n") {
			whole = append(whole, span{offset(group.Pos()), offset(group.End())})
		}
	}
	start, number := 0, 0
	for line := range bytes.Lines(src) {
		number++
		edge := start // where column wide ends
		for range wide {
			_, n := utf8.DecodeRune(src[min(edge, len(src)):])
			edge += n
		}
		text := bytes.TrimRight(line, "\n")
		if utf8.RuneCount(text) > wide &&
			!slices.ContainsFunc(whole, func(s span) bool { return s.from < edge && edge < s.to }) {
			lines = append(lines, number)
		}
		start += len(line)
	}
	return lines
}

// plainText returns a comment's text on one line, without directives.
func plainText(group *ast.CommentGroup) string {
	var text []string
	for _, c := range group.List {
		if !directive.MatchString(c.Text) {
			text = append(text, strings.Trim(c.Text, "/* \t\n"))
		}
	}
	return strings.Join(strings.Fields(strings.Join(text, " ")), " ")
}

// readCeilings reads testdata/english.txt: a folder, and its clauses per thousand words of comments.
func readCeilings(t *testing.T) map[string]float64 {
	t.Helper()
	text, err := os.ReadFile("testdata/english.txt")
	require.NoError(t, err)
	ceilings := map[string]float64{}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var folder string
		var c float64
		_, err := fmt.Sscanf(line, "%s %f\n", &folder, &c)
		require.NoError(t, err, line)
		ceilings[folder] = c
	}
	return ceilings
}

func TestCommentsNameThings(t *testing.T) {
	list, err := exec.Command("git", "-C", "..", "ls-files", "*.go").Output()
	if err != nil {
		t.Skip("not in a clone: ", err)
	}
	folders := map[string]*prose{}
	found := map[string][]string{}
	for _, name := range strings.Fields(string(list)) {
		src, err := os.ReadFile("../" + name)
		if os.IsNotExist(err) {
			continue // deleted, and not committed yet
		}
		require.NoError(t, err)
		folder := ownFolder(name)
		if folders[folder] == nil {
			folders[folder] = &prose{}
		}
		clauses, err := folders[folder].measure(name, src)
		require.NoError(t, err)
		found[folder] = append(found[folder], clauses...)
	}
	ceilings := readCeilings(t)
	for folder, p := range folders {
		if problem := p.against(folder, ceilings[folder]); problem != "" {
			t.Error(problem)
			if p.perThousand() > ceilings[folder] {
				t.Logf("clauses in %s:\n%s", folder, strings.Join(found[folder], "\n"))
			}
		}
		delete(ceilings, folder)
	}
	require.Empty(t, ceilings, "testdata/english.txt has rows of folders without Go files")
}

// against returns the reason why a folder fails: it is above its ceiling, or well below it, and then the ceiling must
// come down. It returns "" for a folder just below.
func (p prose) against(folder string, ceiling float64) string {
	row := func() string {
		return fmt.Sprintf("%s %.1f", folder, math.Ceil(10*p.perThousand())/10)
	}
	switch {
	case p.perThousand() > ceiling:
		return fmt.Sprintf("%s: %.2f clauses like \"what is\" or \"those that\" per thousand words of comments, at most "+
			"%.1f: name the actor and the thing", folder, p.perThousand(), ceiling)
	case ceiling > 2 && p.perThousand() < ceiling-2:
		return fmt.Sprintf("%s is better than its ceiling: lower its row in internal/testdata/english.txt to %q",
			folder, row())
	}
	return ""
}

func TestMeasureOfProse(t *testing.T) {
	src := `package p

// start returns those that one part reads for. // and who
//
//	what gives
//
//go:noinline
func start() {} // so many cells lie behind it, by which all that waits is that of another

var s = "what is in a string is no comment; who reads it, those that do not"
`
	var p prose
	found, err := p.measure("p.go", []byte(src))
	require.NoError(t, err)
	require.Equal(t, []string{
		"p.go:3:1: what gives", "p.go:3:1: who", "p.go:3:1: those that",
		"p.go:8:17: that of", "p.go:8:17: so many", "p.go:8:17: behind it", "p.go:8:17: by which", "p.go:8:17: all that",
	}, found)
	require.Equal(t, prose{words: 12 + 16, pronouns: 8}, p)

	var none prose
	_, err = none.measure("p.go", []byte("// Code generated by x. DO NOT EDIT.\n\npackage p // what is\n"))
	require.NoError(t, err)
	require.Zero(t, none)

	p = prose{words: 1000, pronouns: 4}
	require.Empty(t, p.against("x", 4))
	require.Empty(t, p.against("x", 6))
	require.Contains(t, p.against("x", 3.9), "name the actor")
	require.Contains(t, p.against("x", 6.1), `"x 4.0"`)
	require.NotEmpty(t, p.against("x", 0), "a folder without a row has a ceiling of 0")
}

// ofOne matches a count of one before a plural noun: "1 cycles".
var ofOne = regexp.MustCompile(`(?m)(?:^|[^0-9.,/_%×=+-])\b1 (?:bits|bytes|cells|changes|claims|clocks|cycles|` +
	`designs|edges|experiments|files|flits|frames|hours|journeys|lanes|messages|minutes|mutants|nodes|operations|` +
	`packets|points|ports|rows|runs|samples|seconds|seeds|signals|units|words)\b`)

// mostOfOne bounds the tests and pages that show such a count; it only falls.
const mostOfOne = 22

// Tests and pages show the output of programs: a count of one has a singular noun there.
func TestCountsOfOneAreSingular(t *testing.T) {
	list, err := exec.Command("git", "-C", "..", "ls-files", "*.go", "*.md", "*.txt", "*.golden").Output()
	if err != nil {
		t.Skip("not in a clone: ", err)
	}
	var found []string
	for _, name := range strings.Fields(string(list)) {
		text, err := os.ReadFile("../" + name)
		if os.IsNotExist(err) || name == "internal/english_test.go" {
			continue
		}
		require.NoError(t, err)
		for _, s := range printed(name, text) {
			for _, clause := range ofOne.FindAllString(s, -1) {
				found = append(found, name+": "+clause)
			}
		}
	}
	require.LessOrEqual(t, len(found), mostOfOne, "print \"1 cycle\", not \"1 cycles\":\n%s", strings.Join(found, "\n"))
	require.GreaterOrEqual(t, len(found), mostOfOne-3, "lower mostOfOne to %d", len(found))
	require.Len(t, ofOne.FindAllString("1 cycles, 11 cycles, 0.1 cycles, 1 cycle, want 1 ports, x-1 bits", -1), 2)
}

// printed returns the text of a page, or the string literals of a Go file.
func printed(name string, text []byte) []string {
	if !strings.HasSuffix(name, ".go") {
		return []string{string(text)}
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil // the compiler says so
	}
	var literals []string
	ast.Inspect(file, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			literals = append(literals, l.Value)
		}
		return true
	})
	return literals
}
