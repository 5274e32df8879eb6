// Command site makes pages of the repository's documents, which need no script: site CLONE DIRECTORY. Each .md becomes
// an .html beside the files that it shows or links to.
package main

import (
	"bytes"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
)

const source = "https://github.com/goldwire/goldwire/blob/main/"

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "site: want the clone and a directory")
		os.Exit(2)
	}
	if err := build(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(2)
	}
}

// sections are the pages of the navigation, by path from the clone.
var sections = []struct{ Title, Path string }{
	{
		"Goldwire", "README.md",
	}, {"Learn", "docs/README.md"}, {"Commands", "docs/commands.md"}, {"Results", "docs/results.md"},
	{
		"Claims", "claims.html",
	}, {"Questions", "docs/questions.md"}, {"Architecture", "ARCHITECTURE.md"}, {"Changes", "CHANGELOG.md"},
}

var page = template.Must(template.New("page").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}}</title><link rel="stylesheet" href="{{.Up}}style.css"></head>
<body><nav>{{range .Sections}}<a href="{{.Path}}"{{if .Here}} aria-current="page"{{end}}>{{.Title}}</a> {{end}}</nav>
<main>{{.Body}}</main></body></html>
`))

const style = `:root{color-scheme:light dark;--ink:#1f2328;--paper:#fff;--line:#d0d7de;--soft:#f5f6f8;--link:#0b57a4}
@media(prefers-color-scheme:dark){:root{--ink:#e4e7eb;--paper:#14171a;--line:#3b4148;--soft:#1e2226;--link:#79b8ff}}
*{box-sizing:border-box}
body{margin:0;font:17px/1.6 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
nav{border-bottom:1px solid var(--line);padding:.7rem 1rem;display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;max-width:64rem;margin:auto}
main{max-width:64rem;margin:auto;padding:0 1rem 4rem;overflow-wrap:break-word}
a{color:var(--link)} nav a{text-decoration:none} nav a[aria-current]{font-weight:600;color:inherit}
h1,h2,h3{line-height:1.25;margin:2rem 0 .6rem}
pre{background:var(--soft);border:1px solid var(--line);border-radius:6px;padding:.8rem;overflow-x:auto;font-size:14px;line-height:1.4}
code{font-family:ui-monospace,monospace;font-size:.9em} pre code{font-size:inherit}
table{border-collapse:collapse;display:block;overflow-x:auto;margin:1rem 0} th,td{border:1px solid var(--line);padding:.35rem .6rem;vertical-align:top;text-align:left}
thead:not(:has(th:not(:empty))){display:none}
img{max-width:100%;height:auto;background:#fff;border-radius:4px}
`

var (
	link  = regexp.MustCompile(`(href|src)="([^"#]*)(#[^"]*)?"`)
	title = regexp.MustCompile(`(?m)^# (.*)$`)
)

func build(clone, dir string) error {
	markdown := goldmark.New(
		goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	)
	var pages []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/decisions/*.md", "designs/*/README.md",
		"peers/*/README.md", "blocks/README.md", "pqueue/README.md",
		"xbar/README.md", "examples/*/README.md"} {
		found, err := filepath.Glob(filepath.Join(clone, pattern))
		if err != nil {
			return err
		}
		for _, f := range found {
			name, err := filepath.Rel(clone, f)
			if err != nil {
				return err
			}
			pages = append(pages, filepath.ToSlash(name))
		}
	}
	for _, name := range pages {
		text, err := os.ReadFile(filepath.Join(clone, name))
		if err != nil {
			return err
		}
		var body bytes.Buffer
		if err := markdown.Convert(text, &body); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		heading := "Goldwire"
		if m := title.FindSubmatch(text); m != nil && string(m[1]) != "Goldwire" {
			heading = string(m[1]) + " · Goldwire"
		}
		up := strings.Repeat("../", strings.Count(name, "/"))
		var copied []string
		linked := link.ReplaceAllStringFunc(body.String(), func(s string) string {
			m := link.FindStringSubmatch(s)
			if m[2] == "" || strings.Contains(m[2], ":") {
				return s
			}
			at := filepath.ToSlash(filepath.Join(filepath.Dir(name), m[2]))
			switch {
			case m[1] == "src":
				copied = append(copied, at)
				return s
			case slices.Contains(pages, at):
				return fmt.Sprintf(`href="%s%s%s"`, up, target(at), m[3])
			case slices.Contains(pages, at+"/README.md"):
				return fmt.Sprintf(`href="%s%s%s"`, up, target(at+"/README.md"), m[3])
			}
			return fmt.Sprintf(`href="%s%s%s"`, source, at, m[3])
		})
		for _, at := range copied {
			picture, err := os.ReadFile(filepath.Join(clone, at))
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			if err := write(dir, at, picture); err != nil {
				return err
			}
		}
		type section struct {
			Title, Path string
			Here        bool
		}
		var list []section
		for _, s := range sections {
			if s.Path == "claims.html" {
				if _, err := os.Stat(filepath.Join(dir, s.Path)); err != nil {
					continue // goldwire report writes it
				}
			}
			list = append(list, section{s.Title, up + target(s.Path), s.Path == name})
		}
		var out bytes.Buffer
		if err := page.Execute(&out,
			map[string]any{"Title": heading, "Up": up, "Sections": list, "Body": template.HTML(linked)}); err != nil {
			return err
		}
		if err := write(dir, target(name), out.Bytes()); err != nil {
			return err
		}
	}
	return write(dir, "style.css", []byte(style))
}

// target is a page's name on the site.
func target(name string) string {
	if folder, ok := strings.CutSuffix(name, "README.md"); ok {
		return folder + "index.html"
	}
	if stem, ok := strings.CutSuffix(name, ".md"); ok {
		return stem + ".html"
	}
	return name
}

func write(dir, name string, text []byte) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}
