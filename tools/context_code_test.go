package tools_test

import (
	"strings"
	"testing"

	"ploke-lsp/tools/wording"
)

// A snippet shows the lines of the file exactly, whatever they contain.
func TestContextShowsWholeLines(t *testing.T) {
	far := strings.Repeat("// what stands far above the symbol\n", 100)
	w := newWorld(t, map[string]string{
		"plain.go": "package a\n\nfunc quince() int {\n\treturn 1\n}\n",
		"crlf.go": "package a\r\n\r\n" + strings.ReplaceAll(far, "\n", "\r\n") +
			"func quince() int {\r\n\treturn 2\r\n}\r\n\r\nvar after = 1\r\n",
		"bom.go":    "\ufeffpackage a\n\n" + far + "func quince() int { return 3 }\n",
		"end.go":    "package a\n\n" + far + "func quince() int { return 4 }",
		"member.py": "class Fruit:\n" + strings.Repeat("    seeds = 'é'\n", 200) + "    def quince(self):\n        return 5\n",
		"shared.go": "package a\n\nfunc other() {}; func quince() int { return 6 }; func third() {}\n",
		"first.go":  "package a; func quince() int { return 7 }\n" + far,
		"wide.go":   "package a\n\nvar wide = `" + strings.Repeat("x ", 400) + "`; func quince() int {\n\treturn 8\n}\n",
		"wider.go":  "package a\n\nvar wider = `" + strings.Repeat("x ", 800) + "`; func quince() int {\n\treturn 9\n}\n",
		"on.go":     "package a\n\nfunc quince() int {\n\treturn 10\n}; var on = `" + strings.Repeat("x ", 800) + "`\n",
	})
	f, _ := w.ask(`{"hint":"quince"}`)
	checkFound(t, f)
	shown := map[string]bool{}
	for _, r := range f.Results {
		if r.Snippet == "" || r.Kind == "file" {
			continue
		}
		code := scan(r.Snippet)[0].Code
		name := w.deps.Workspace.Rel(code.Path)
		shown[name] = true
		lines := strings.SplitAfter(w.read(name), "\n")[code.StartLine-1 : code.EndLine]
		if want := wording.Snippet(code.Path, code.StartLine, strings.Join(lines, "")); r.Snippet != want {
			t.Errorf("%s shows %q, want %q", name, r.Snippet, want)
		}
		if !strings.Contains(code.Text, "quince") {
			t.Errorf("%s shows %q", name, code.Text)
		}
	}
	for _, name := range []string{"plain.go", "crlf.go", "bom.go", "end.go", "member.py", "shared.go", "first.go", "wide.go"} {
		if !shown[name] {
			t.Errorf("%s is not shown", name)
		}
	}
	for _, name := range []string{"wider.go", "on.go"} {
		if shown[name] {
			t.Errorf("%s is shown, but its line has more than a kilobyte", name)
		}
	}
}
