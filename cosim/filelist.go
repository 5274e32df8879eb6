package cosim

import (
	"regexp"
	"strings"
)

// environment is a variable's name in a file list.
var environment = regexp.MustCompile(`^\$(?:([A-Za-z_]\w*)|\(([A-Za-z_]\w*)\)|\{([A-Za-z_]\w*)\})`)

// splitList splits the text of a file list into arguments. A comment begins where an argument might: rtl//a.v and
// rtl/*.v are names.
func splitList(list, text string, lookup func(string) (string, bool)) ([]token, error) {
	var tokens []token
	var word strings.Builder
	line, begun := 1, false
	at := func() token { return token{list: list, line: line} }
	end := func() {
		if begun {
			tokens = append(tokens, token{word.String(), list, line})
		}
		word.Reset()
		begun = false
	}
	for i := 0; i < len(text); i++ {
		rest := text[i:]
		switch c := text[i]; {
		case c == 0:
			return nil, at().fault("a zero byte, want text")
		case c == '\n' || c == ' ' || c == '\t' || c == '\r':
			end()
			if c == '\n' {
				line++
			}
		case !begun && (c == '#' || strings.HasPrefix(rest, "//")):
			for i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		case !begun && strings.HasPrefix(rest, "/*"):
			inside, _, closed := strings.Cut(rest[2:], "*/")
			if !closed {
				return nil, at().fault("a comment /* without its end")
			}
			line += strings.Count(inside, "\n")
			i += len(inside) + 3
		case c == '"' || c == '\'' && !begun: // in the middle of a word 4'h5 is a number
			begun = true
			for i++; i < len(text) && text[i] != c; i++ {
				if text[i] == '\n' {
					break
				}
				if text[i] == '\\' && i+1 < len(text) && text[i+1] != '\n' {
					i++
				}
				word.WriteByte(text[i])
			}
			if i >= len(text) || text[i] == '\n' {
				return nil, at().fault("a quote %c without its end in the line", c)
			}
		case c == '\\' && i+1 < len(text):
			i++
			if text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n' {
				i++
			}
			if text[i] == '\n' { // the line goes on
				line++
				continue
			}
			begun = true
			word.WriteByte(text[i])
		case c == '$':
			m := environment.FindStringSubmatch(rest)
			if m == nil {
				return nil, at().fault("a $ without the name of a variable of the environment: $NAME, $(NAME) or ${NAME}, \\$ " +
					"for the character")
			}
			name := m[1] + m[2] + m[3]
			value, ok := lookup(name)
			if !ok {
				return nil, at().fault("the environment has no variable %s", clip(name, 60))
			}
			if strings.ContainsAny(value, "\n\r") {
				return nil, at().fault("variable %s of the environment has more than one line", clip(name, 60))
			}
			begun = true
			word.WriteString(value)
			i += len(m[0]) - 1
		default:
			begun = true
			word.WriteByte(c)
		}
	}
	end()
	return tokens, nil
}
