package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/edits"
	"ploke-lsp/internal/testbed"
)

// TestCompiledCode measures a module of Go against gopls, with a rename that has to reach another file.
func TestCompiledCode(t *testing.T) {
	gopls := testbed.File(t, "gopls", filepath.Join(os.Getenv("PLOKE_TEST_SERVERS"), "bin", "gopls"))
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module a\n\ngo 1.24\n", "inner/go.mod": "module b\n",
		"inner/b.go": "package b\n\nfunc Square() {}\n",
		"a.go":       "package a\n\ntype Shape interface{ Area() int }\n\ntype square struct{}\n\nfunc (square) Area() int { return side() }\n",
		"side.go":    "package a\n\n// side is one.\nfunc side() int { return 1 }\n"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var list strings.Builder
	b := &bench{log: t.Output(), list: &list, temp: t.TempDir(), servers: filepath.Dir(filepath.Dir(gopls)), sampling: quickSampling}
	if err := b.addCode("go=" + dir); err != nil {
		t.Fatal(err)
	}
	if err := b.compiler(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	for _, f := range b.table.figures {
		if strings.Contains(f.Name, "missed") && f.Value != 0 || strings.Contains(f.Name, "by name that") && f.Value != 0 ||
			strings.Contains(f.Name, "renames") && (f.Value != 0 || !strings.HasPrefix(f.Note, "of 1,")) {
			t.Errorf("%s: %v, %s\n%s", f.Name, f.Value, f.Note, &list)
		}
	}
	if len(b.table.figures) < 20 {
		t.Errorf("there are %d figures", len(b.table.figures))
	}
	for _, code := range []string{"", "go", "cobol=x", "go="} {
		if err := b.addCode(code); err == nil {
			t.Errorf("%q is taken", code)
		}
	}
}

// TestCompilersOutput reads what compilers print, and finds what is new.
func TestCompilersOutput(t *testing.T) {
	t.Parallel()
	for want, got := range map[string][]string{
		"./a.go: undefined: x":     goProblems([]byte("# a\nvet: ./a.go:3:5: undefined: x\n./a.go:9:5: undefined: x\n")),
		"src/a.ts: error TS1: no":  lineProblems([]byte("src/a.ts(3,5): error TS1: no\n  more\n")),
		"a.py: no":                 pyrightProblems([]byte(`{"generalDiagnostics":[{"file":"/x/a.py","severity":"error","message":"no"},{}]}`)),
		"the output can't be read": pyrightProblems([]byte("Usage")),
		"b":                        newProblems([]string{"a", "a"}, []string{"a", "b", "a"}),
		"a":                        newProblems([]string{"a"}, []string{"a", "a"}),
	} {
		if !slices.Equal(got, []string{want}) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	at := func(start, end int) map[string][]edits.Edit {
		return map[string][]edits.Edit{"a": {{Start: start, End: end}}}
	}
	if overlap(at(0, 3), at(4, 5)) || !overlap(at(0, 3), at(2, 5)) || !overlap(at(0, 3), at(3, 5)) {
		t.Error("edits that touch are not told from others")
	}
}
