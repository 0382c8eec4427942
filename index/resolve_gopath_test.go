package index_test

import "testing"

// TestModulePath renames a Go module, on disk and in an unsaved text. Imports resolve by
// the current name.
func TestModulePath(t *testing.T) {
	p := open(t, map[string]string{
		"go.mod":       "module cafe\n",
		"main.go":      "package main\n\nimport \"cafe/oven\"\n\nfunc main() { oven.Bake() }\n",
		"oven/oven.go": "package oven\n\nfunc Bake() {}\n",
	})
	p.update()
	called := func(when string, want bool) {
		t.Helper()
		if edges := p.edges("incoming", p.unit("oven/oven.go", "Bake")); len(edges) > 0 != want {
			t.Errorf("%s: %v", when, edges)
		}
	}
	called("at first", true)
	p.write("go.mod", "module bar\n")
	p.update()
	called("after the module was renamed", false)
	if err := p.index.SetBuffer(t.Context(), p.path("go.mod"), []byte("module cafe\n")); err != nil {
		t.Fatal(err)
	}
	called("while the unsaved text has the old name", true)
	p.index.DropBuffer(p.path("go.mod"))
	called("after the unsaved text was dropped", false)
}
