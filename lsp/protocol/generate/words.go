package generate

import (
	"go/ast"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// words returns the text of a comment on one line.
func words(c *ast.CommentGroup) string {
	return strings.Join(strings.Fields(c.Text()), " ")
}

// withoutName removes the name with which a doc comment begins, and makes the rest a sentence.
func withoutName(doc, name string) string {
	rest, ok := strings.CutPrefix(doc, name+" ")
	if !ok {
		return doc
	}
	return firstUpper(rest)
}

var link = regexp.MustCompile(`\[([A-Z]\w*)\]`)

// resolve replaces the links of a doc comment, such as [MethodEvent]: those to constants by
// their values, and those to types by what typeLink returns.
func (p *Protocol) resolve(doc string, literal func(string) string, typeLink func(string) string) string {
	return link.ReplaceAllStringFunc(doc, func(found string) string {
		name := found[1 : len(found)-1]
		value, isConstant := p.constants[name]
		if !isConstant {
			return typeLink(name)
		}
		if text, err := strconv.Unquote(value); err == nil {
			return literal(text)
		}
		return literal(value)
	})
}

// plain resolves links to plain text.
func (p *Protocol) plain(doc string) string {
	same := func(text string) string { return text }
	return p.resolve(doc, same, same)
}

// wrap breaks a text into lines of at most width bytes, where words allow it.
func wrap(text string, width int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// lowerFirst returns a Go name in the form of a variable: ChatSend becomes chatSend.
func lowerFirst(name string) string { return strings.ToLower(name[:1]) + name[1:] }

var upper = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// snakeCase returns a Go name in the form of a Lua field: ChatSend becomes chat_send.
func snakeCase(name string) string {
	return strings.ToLower(upper.ReplaceAllString(name, "${1}_${2}"))
}

// firstUpper makes a phrase begin with a capital letter.
func firstUpper(text string) string {
	if text == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
