package tools_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// importing returns a Go file with imports and a function far below them.
func importing(name string, imports ...string) string {
	return "package a\n\nimport (\n\t\"" + strings.Join(imports, "\"\n\t\"") + "\"\n)\n\n" + filler("before"+name) +
		"// " + name + " covers a cake.\nfunc " + name + "() {\n\tmelt()\n}\n\n" + filler("after"+name)
}

// TestContextShowsImports shows the lines of the imports of the first files with code, and names those of others.
func TestContextShowsImports(t *testing.T) {
	many := make([]string, 30)
	for i := range many {
		many[i] = fmt.Sprintf("example.com/p%d", i)
	}
	for name, test := range map[string]struct {
		files    map[string]string
		budget   int
		has, not []string // of what a model reads
	}{
		"its lines instead of a note": {map[string]string{"a.go": importing("GlazeA", "fmt", "net/http")}, 900,
			[]string{"  4  \t\"fmt\"\n  5  \t\"net/http\"\n", "melt()", "<code=\"a.go\" #6:9>"}, []string{"imports, "}},
		"too many": {map[string]string{"a.go": importing("GlazeA", many...)}, 900,
			[]string{"30 imports, lines 4-33"}, []string{"example.com/p3\"\n"}},
		"a file that is shown whole": {map[string]string{"a.go": "package a\n\nimport \"net/http\"\n\nfunc GlazeA() { http.Get() }\n",
			"b.go": "package a\n\n" + filler("b")}, 900, []string{"\"net/http\""}, []string{"imports, "}},
		"the first two files": {map[string]string{"a.go": importing("GlazeA", "m/one"), "b.go": importing("GlazeB", "m/one"),
			"c.go": importing("GlazeC", "m/one")}, 4000, []string{"imports, line 4: m/one"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, test.files)
			args := fmt.Sprintf(`{"hint":"GlazeA GlazeB GlazeC","token_budget":%d}`, test.budget)
			f, _ := w.ask(args)
			checkFound(t, f)
			text := w.set.Text("request_code_context", w.call("request_code_context", args).Content)
			for _, part := range test.has {
				if !strings.Contains(text, part) {
					t.Errorf("there is no %q in\n%s", part, text)
				}
			}
			for _, part := range test.not {
				if strings.Contains(text, part) {
					t.Errorf("there is a %q in\n%s", part, text)
				}
			}
			if n := strings.Count(text, "\"m/one\"\n"); len(test.files) == 3 && n != 2 {
				t.Errorf("the imports of %d files are shown in\n%s", n, text)
			}
		})
	}
}

// TestContextShowsNoOtherLinesAsImports: the index may not know yet that the imports are elsewhere.
func TestContextShowsNoOtherLinesAsImports(t *testing.T) {
	text := importing("GlazeA", "m/one", "m/two")
	w := newWorld(t, map[string]string{"a.go": text})
	changed := strings.Replace(text, "\"m/one\"\n\t\"m/two\"", "// none\n\t// none", 1)
	w.write("a.go", changed)
	later := time.Now().Add(time.Minute)
	if err := os.Chtimes(w.path("a.go"), later, later); err != nil {
		t.Fatal(err)
	}
	read := w.set.Text("request_code_context", w.call("request_code_context", `{"hint":"GlazeA","token_budget":900}`).Content)
	if !strings.Contains(read, "melt()") || strings.Contains(read, "// none") {
		t.Errorf("a model reads\n%s", read)
	}
}
