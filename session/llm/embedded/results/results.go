package results

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// ToolResult is the result of a tool. Error, Code, Hint and Candidates are set if it
// failed.
type ToolResult struct {
	Tool    string
	Content []byte

	OK         bool        `json:"ok"`
	Error      string      `json:"error"`
	Code       string      `json:"code"`
	Hint       string      `json:"hint"`
	Candidates []Candidate `json:"candidates"`
}

// Candidate is an alternative that a tool suggests: a symbol, a line, or a word.
type Candidate struct {
	ID, Canon, Kind string
	File            string
	Line            int
	Word            string
}

// EndsAs returns the only candidate for a folder that ends as what was not found, "" if none or several do.
func (r ToolResult) EndsAs(f Folders, dir string) (whole string) {
	for _, c := range r.Candidates {
		if !strings.HasSuffix(f.Rel(c.Word), "/"+strings.Trim(dir, "/")) {
			continue
		}
		if whole != "" {
			return ""
		}
		whole = c.Word
	}
	return whole
}

func (c *Candidate) UnmarshalJSON(b []byte) error {
	if json.Unmarshal(b, &c.Word) == nil {
		return nil
	}
	type plain Candidate
	return json.Unmarshal(b, (*plain)(c))
}

// Decode decodes the content of a result. Content of another shape turns a success
// into a failure.
func Decode[T any](r *ToolResult) T {
	var v T
	if err := json.Unmarshal(r.Content, &v); err != nil && r.OK {
		r.OK, r.Error = false, "its result can't be decoded: "+err.Error()
	}
	return v
}

// SnippetHead matches the first line of quoted code: its path, quoted, and its first and last line.
var SnippetHead = lazyregexp.New(`^<code=("(?:[^"\\]|\\.)*") #(\d+):(\d+)>\n`)

// number returns the value of digits.
func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

// AskOverload asks which one of several overloads an instruction means.
func (f Folders) AskOverload(done, form string, item Symbol, items []Symbol) string {
	same := item.OverloadsIn(items)
	return fmt.Sprintf("I %s nothing: %s has %s. Say which one by its number, as in %s.\n\n%s", done,
		Code(Dotted(item.Canon)),
		Count(len(same), "overload"), Code(fmt.Sprintf(form, same[len(same)-1].Canon)),
		numbered(f, same))
}

// numbered lists overloads with their numbers.
func numbered(f Folders, same []Symbol) (list string) {
	for _, s := range same {
		list += fmt.Sprintf("- %s (%s) — %s\n", Code(s.Canon), s.Kind, f.Location(s.ID))
	}
	return list
}
