package tools_test

import (
	"fmt"
	"strings"
	"testing"

	"ploke-lsp/internal/o200k"
)

// filler is code that fills a file, so that it is not shown whole.
func filler(name string) string {
	var b strings.Builder
	for i := range 80 {
		fmt.Fprintf(&b, "func %s%d() { panic(\"nothing to see here, number %d\") }\n\n", name, i, i)
	}
	return b.String()
}

// TestContextShowsWhatIsAround shows code with what a change needs beside it.
func TestContextShowsWhatIsAround(t *testing.T) {
	before, after := "package a\n\n"+filler("before"), "\n"+filler("after")
	first := strings.Count(before, "\n") + 1
	glaze := "func Glaze() {\n\tmelt()\n}\n"
	for name, test := range map[string]struct {
		middle     string
		start, end int // counted from the first line of the middle
	}{
		"the lines beside it": {glaze, -1, 3},
		"its comment":         {"// Glaze covers\n// a cake\n// with icing.\n" + glaze, -1, 6},
		"a block comment":     {"/*\nGlaze covers\na cake.\n*/\n" + glaze, -1, 7},
		"no other paragraph":  {"// Nothing.\nvar x = 1\n\n" + glaze, 2, 6},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"a.go": before + test.middle + after})
			f, _ := w.ask(`{"hint":"Glaze","token_budget":900}`)
			checkFound(t, f)
			shown := map[int]bool{}
			for _, r := range f.Results {
				for _, snippet := range append([]string{r.Snippet}, r.Further...) {
					for _, part := range scan(snippet) {
						for i := 0; part.Code != nil && i < part.Code.EndLine-part.Code.StartLine+1; i++ {
							shown[part.Code.StartLine+i-first] = strings.HasPrefix(r.Canon, "Glaze")
						}
					}
				}
			}
			for at := test.start - 1; at <= test.end+1; at++ {
				if want := test.start <= at && at <= test.end; shown[at] != want {
					t.Errorf("line %d: shown %v, want %v, of %v", at, shown[at], want, f.Results[0])
				}
			}
		})
	}
}

// TestContextShowsFilesThatFit shows a short file whole, and names its other symbols that match.
func TestContextShowsFilesThatFit(t *testing.T) {
	text := "package a\n\nimport \"fmt\"\n\nvar sugar = 1\n\n// Glaze covers.\nfunc Glaze() { fmt.Println() }\n\nfunc Other() { Glaze() }\n"
	w := newWorld(t, map[string]string{"a.go": text, "b.go": "package a\n\n" + filler("after")})
	f, _ := w.ask(`{"hint":"Glaze","token_budget":900}`)
	checkFound(t, f)
	if r := f.Results[0]; r.Canon != "Glaze" || scan(r.Snippet)[0].Code.Text != text {
		t.Errorf("the best result is %+v", r)
	}
	if r := f.Results[1]; r.Canon != "Other" || r.Snippet != "" {
		t.Errorf("the next result is %+v", r)
	}
	shown := w.set.Text("request_code_context", w.call("request_code_context", `{"hint":"Glaze","token_budget":900}`).Content)
	if n := strings.Count(shown, "Glaze covers"); n != 1 {
		t.Errorf("the comment is shown %d times in %s", n, shown)
	}
}

// TestContextIsMostlyCode gives code about four fifths of the budget where more was found than fits.
func TestContextIsMostlyCode(t *testing.T) {
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("oven%d.go", i)] = fmt.Sprintf("package a\n\nfunc Bake%d(cake, heat int) int {\n%s\treturn cake\n}\n", i,
			strings.Repeat("\tcake += heat * 2 // the cake bakes\n", 8))
	}
	w := newWorld(t, files)
	f, _ := w.ask(`{"hint":"bake a cake","token_budget":2000}`)
	code, cards := 0, 0
	for _, r := range f.Results {
		if r.Snippet == "" {
			cards++
		}
		for _, part := range scan(r.Snippet) {
			if part.Code != nil {
				code += o200k.Count(w.set.Text("request_code_context", []byte(fmt.Sprintf(`{"results":[{"id":"x#1:2","snippet":%q}]}`, r.Snippet))))
			}
		}
	}
	if code < 1400 || cards < 5 {
		t.Errorf("%d tokens of 2000 are code, and there are %d cards", code, cards)
	}
}
