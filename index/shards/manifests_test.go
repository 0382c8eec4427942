package shards

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNewPackage reads manifests as their formats allow them to be written.
func TestNewPackage(t *testing.T) {
	for _, c := range []struct {
		rel, text string
		want      Package
	}{
		{"go.mod", "// x\nmodule \"acme.com/a\"\n", Package{Name: "acme.com/a"}},
		{"go.mod", "go 1.26\n", Package{}},
		{"package.json", `{"name": "a"}`, Package{Name: "a", Exports: map[string][]string{".": nil}}},
		{"package.json", `{"name": "a", "main": "./b.js", "exports": "./c.js"}`,
			Package{Name: "a", Exports: map[string][]string{".": {"c.js", "b.js"}}}},
		{"package.json", `{"name": "a", "exports": {"import": ["./b.js", {"x": null, "y": "./b.js"}], "default": "./c.js"}}`,
			Package{Name: "a", Exports: map[string][]string{".": {"b.js", "c.js"}}}},
		{"package.json", `{"name": "a", "main": 7, "exports": {".": "./b.js", "./c/*": {"types": "./c/*.d.ts"}}}`,
			Package{Name: "a", Exports: map[string][]string{".": {"b.js"}, "./c/*": {"c/*.d.ts"}}}},
		{"package.json", `{"name": 7}`, Package{}},
		{"package.json", `{"name": "a`, Package{}},
		{"tsconfig.base.json", "{ // c\n\"compilerOptions\": {\"baseUrl\": \"src\", \"paths\": {\"@/*\": [\"./*\",],},},}",
			Package{Aliases: map[string][]string{"@/*": {"src/*"}}}},
		{"jsconfig.json", "[]", Package{}},
	} {
		c.want.Manifest, c.want.Folder = c.rel, "p/q"
		if d := cmp.Diff(&c.want, newPackage("p/q/"+c.rel, []byte(c.text))); d != "" {
			t.Errorf("%s: %s", c.text, d)
		}
	}
}
