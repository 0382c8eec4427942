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
		{"package.json", `{"dependencies": {"a": "workspace:@b/c@*", "d": "npm:e@^1", "f": "link:../g", "h": "workspace:./i", "j": "file:k"},
			"devDependencies": {"a": "npm:other@1", "l": "workspace:*", "m": "^1", "n": 7, "o": "link:/p", "q": "git+ssh://a/b@1"}}`,
			Package{Exports: map[string][]string{".": nil},
				Renames: map[string]string{"a": "@b/c", "d": "e", "f": "../g", "h": "./i", "j": "./k"}}},
		{"Cargo.toml", "[package]\nname = 'my-a'\n", Package{Name: "my_a", Listed: "my_a",
			Exports: map[string][]string{".": {"src/lib.rs"}}}},
		{"Cargo.toml", "[package]\nname = 'my-a'\n[lib]\nname = 'a'\npath = './b.rs'\n", Package{Name: "a", Listed: "my_a",
			Exports: map[string][]string{".": {"b.rs"}}}},
		{"Cargo.toml", "[workspace.dependencies]\na-b = {package = 'c-d', path = '.'}\n[dev-dependencies.e]\npackage = 'f'\n" +
			"[target.'cfg(unix)'.dependencies]\ng = {package = 'h'}\ni = {package = 7}\nj = '1'\n",
			Package{Renames: map[string]string{"a_b": "c_d", "e": "f", "g": "h"}}},
		{"Cargo.toml", "[package", Package{}},
		{"pyproject.toml", "[tool.setuptools]\npackage-dir = {'' = 'src', 'a.b' = './lib/b'}\n", Package{Aliases: map[string][]string{
			"*": {"src/*"}, "a/b": {"lib/b"}, "a/b/*": {"lib/b/*"}}}},
		{"pyproject.toml", "[tool.setuptools]\npackages = ['a']\npackage-dir = {a = '../b'}\n", Package{Aliases: map[string][]string{}}},
		{"pyproject.toml", "[tool.setuptools.packages.find]\nwhere = ['python']\n", Package{Aliases: map[string][]string{"*": {"python/*"}}}},
		{"pyproject.toml", "[tool.poetry]\npackages = [{include = 'a', from = 'lib'}, {include = 'b'}]\n",
			Package{Aliases: map[string][]string{"*": {"lib/*"}}}},
		{"pyproject.toml", "[tool.hatch.build.targets.wheel]\npackages = ['x/a']\nsources = ['y']\n",
			Package{Aliases: map[string][]string{"*": {"y/*"}, "a": {"x/a"}, "a/*": {"x/a/*"}}}},
		{"pyproject.toml", "[tool.hatch.build.targets.wheel.sources]\n'z' = 'a/b'\n",
			Package{Aliases: map[string][]string{"a/b": {"z"}, "a/b/*": {"z/*"}}}},
		{"setup.cfg", "[options]\npackage_dir =\n    = src\n    a.b = c\npackages = find:\n  d = e\n",
			Package{Aliases: map[string][]string{"*": {"src/*"}, "a/b": {"c"}, "a/b/*": {"c/*"}}}},
	} {
		c.want.Manifest, c.want.Folder = c.rel, "p/q"
		if d := cmp.Diff(&c.want, newPackage("p/q/"+c.rel, []byte(c.text))); d != "" {
			t.Errorf("%s: %s", c.text, d)
		}
	}
}
