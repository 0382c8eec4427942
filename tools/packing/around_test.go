package packing

import (
	"context"
	"strings"
	"testing"

	"ploke-lsp/index"
	"ploke-lsp/internal/o200k"
	"ploke-lsp/internal/syntax"
)

// oneFile is the text of a file, with secrets.
type oneFile struct {
	Texts
	text    string
	secrets []string
}

// Around returns no line more than is wanted.
func (f oneFile) Around(_ context.Context, u index.Unit, wanted Around) (Part, error) {
	if len(f.text) <= wanted.Whole {
		return Part{f.text, 1, true}, nil
	}
	lines := strings.SplitAfter(f.text, "\n")
	first := max(u.StartLine-1-wanted.Before, 0)
	return Part{strings.Join(lines[first:min(u.EndLine+wanted.After, len(lines))], ""), first + 1, false}, nil
}

func (f oneFile) SecretsOf(context.Context, string) (secrets []string, ok bool, err error) {
	return f.secrets, true, nil
}

const usual = "a line of the file that has words\n"

// TestAround shows the function in line 20 of a file of 40 lines. A "-" is a line that is shown already.
func TestAround(t *testing.T) {
	for name, test := range map[string]struct {
		lines   map[int]string
		doc     string
		secrets []string
		tokens  int
		want    string // the lines that are shown
	}{
		"the lines beside it":             {nil, "", nil, 200, "19:21"},
		"a shown line above":              {map[int]string{19: "-"}, "", nil, 200, "20:21"},
		"a shown line below":              {map[int]string{21: "-"}, "", nil, 200, "19:20"},
		"few lines between":               {map[int]string{13: "-", 27: "-"}, "", nil, 200, "14:26"},
		"many lines between":              {map[int]string{12: "-", 28: "-"}, "", nil, 200, "19:21"},
		"a comment":                       {map[int]string{16: "", 15: ""}, "one\ntwo\nthree", nil, 200, "16:21"},
		"a comment below another line":    {nil, "one\ntwo\nthree", nil, 200, "14:21"}, // the marks of the comment may have two lines
		"few lines above a comment":       {map[int]string{8: "-"}, "one\ntwo\nthree", nil, 200, "9:21"},
		"a secret above":                  {map[int]string{18: "ab", 19: "cd"}, "", []string{"ab\ncd"}, 200, ""},
		"a secret with all of its lines":  {map[int]string{18: "ab", 19: "cd"}, "one\ntwo", []string{"ab\ncd"}, 200, "15:21"},
		"the whole file":                  {nil, "", nil, 2000, "1:40"},
		"all of the file but shown lines": {map[int]string{5: "-", 38: "-"}, "", nil, 2000, "6:37"},
		"a text that has just changed":    {map[int]string{20: "other"}, "", nil, 200, ""},
		"no room":                         {nil, "", nil, 10, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := &Packer{Ctx: t.Context(), Layout: DefaultLayout}
			p.shown, p.measured, p.numbered = map[string]map[int]bool{"a": {}}, map[string]o200k.Measured{}, map[string]string{}
			p.wholes = map[string]*surroundings{}
			var text strings.Builder
			for i := 1; i <= 40; i++ {
				line, other := test.lines[i]
				if !other {
					line = strings.TrimSuffix(usual, "\n")
				}
				p.shown["a"][i] = line == "-"
				text.WriteString(line + "\n")
			}
			p.Texts = oneFile{text: text.String(), secrets: test.secrets}
			h := &Hit{Hit: index.Hit{Unit: index.Unit{Path: "a", Kind: syntax.KindFunction, Doc: test.doc}}}
			h.StartLine, h.EndLine = 20, 20
			item, tokens, err := p.withAround(p.codeOf(h, 20, []string{usual}), test.tokens)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if item != nil {
				_, rest, _ := strings.Cut(item.Snippet, " #")
				got, _, _ = strings.Cut(rest, ">")
			}
			if got != test.want || item != nil && (len(item.Further) > 0 || item.Cut != "" || tokens > test.tokens) {
				t.Errorf("the lines are %s, want %s: %+v", got, test.want, item)
			}
		})
	}
}

// TestHasComment tells code that begins with the comment of its symbol from code that does not.
func TestHasComment(t *testing.T) {
	for snippet, want := range map[string]bool{
		"<code=\"a #1.go\" #9:12>\n// Glaze.\nfunc Glaze() {\n}\n\n</code>": true,
		"<code=\"a #1.go\" #10:11>\nfunc Glaze() {\n}\n</code>":             false,
	} {
		item := &Item{ID: "a #1.go#10:11", Code: Code{Snippet: snippet}}
		if got := item.hasComment(); got != want {
			t.Errorf("%s has its comment: %v, want %v", snippet, got, want)
		}
	}
}
