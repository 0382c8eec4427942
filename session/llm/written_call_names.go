package llm

import (
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm/repair"
)

const blanks = " \t\r\n" // of JSON

var (
	pythonHead    = lazyregexp.New(`^\s*([A-Za-z_][\w.]*)\(`)
	pythonKeyword = lazyregexp.New(`^\s*([A-Za-z_]\w*)\s*=\s*`)
)

// pythonCalls reads a list of calls as in Python, such as [read_file(file="a.go")].
func (r *writtenReader) pythonCalls(text string) (rest string, ok bool) {
	text, ok = strings.CutPrefix(text, "[")
	for ok {
		m := pythonHead.FindStringSubmatch(text)
		if m == nil {
			return "", false
		}
		var arguments json.RawMessage
		if arguments, text, ok = pythonArguments(text[len(m[0]):]); !ok || !r.add(m[1], gjson.ParseBytes(arguments)) {
			return "", false
		}
		text = strings.TrimLeft(text, blanks)
		if rest, ended := strings.CutPrefix(text, "]"); ended {
			return rest, true
		}
		text, ok = strings.CutPrefix(text, ",")
	}
	return "", false
}

// pythonArguments returns the keyword arguments up to the closing parenthesis as an object, and what follows.
func pythonArguments(text string) (object json.RawMessage, rest string, ok bool) {
	var b strings.Builder
	b.WriteByte('{')
	for {
		text = strings.TrimLeft(text, blanks+",")
		if rest, ended := strings.CutPrefix(text, ")"); ended {
			object, _ := repair.LooseValue(b.String() + "}")
			return object, rest, json.Valid(object)
		}
		m := pythonKeyword.FindStringSubmatch(text)
		if m == nil {
			return nil, "", false
		}
		text = text[len(m[0]):]
		end := pythonValueEnd(text)
		b.WriteString(`"` + m[1] + `":` + text[:end] + ",")
		text = text[end:]
	}
}

// pythonValueEnd returns the length of the value with which a text begins.
func pythonValueEnd(text string) int {
	depth, quote := 0, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case strings.IndexByte("[{(", c) >= 0:
			depth++
		case depth == 0 && (c == ',' || c == ')'):
			return i
		case strings.IndexByte("]})", c) >= 0:
			depth--
		}
	}
	return len(text)
}

// tagged returns the name of the offered tool that is the name of the tag with which the text begins, or "".
func (r *writtenReader) tagged() string {
	for _, t := range r.tools {
		if strings.HasPrefix(r.rest, "<"+t.Name+">") {
			return t.Name
		}
	}
	return ""
}

var tagHead = lazyregexp.New(`^\s*<([A-Za-z_]\w*)>`)

// readTagged reads a call whose tool and parameters are the names of tags, up to the tag that closes it.
func (r *writtenReader) readTagged(name string) bool {
	body, rest, closed := strings.Cut(r.rest[len(name)+2:], "</"+name+">")
	if !closed {
		return false
	}
	arguments := []byte("{")
	for strings.TrimSpace(body) != "" {
		m := tagHead.FindStringSubmatch(body)
		if m == nil {
			return false
		}
		value, after, closed := strings.Cut(body[len(m[0]):], "</"+m[1]+">")
		if !closed {
			return false
		}
		arguments = r.appendParameter(arguments, name, m[1], strings.TrimSuffix(strings.TrimPrefix(value, "\n"), "\n"))
		body = after
	}
	return r.add(name, gjson.Parse(string(append(arguments, '}')))) && r.goOn(rest)
}
