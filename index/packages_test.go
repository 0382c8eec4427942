package index_test

import (
	"strings"
	"testing"
)

// TestPackageNames follows a package's name, on disk and in an unsaved manifest.
func TestPackageNames(t *testing.T) {
	p := open(t, map[string]string{
		"core/package.json": `{"name": "core-one"}`,
		"core/src/index.ts": "export function run() {}\n",
		"app/one.ts":        "import { run } from 'core-one';\n",
		"app/two.ts":        "import { run } from 'core-two';\n",
	})
	p.update()
	check := func(want string) {
		t.Helper()
		if got := formatEdges(p.edges("incoming", p.unit("core/src/index.ts", "run"))); got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	}
	const one = "  0.90 app/one.ts:1 import - -> core/src/index.ts run\n"
	const two = "  0.90 app/two.ts:1 import - -> core/src/index.ts run\n"
	check(one)
	p.write("core/package.json", `{"name": "core-two"}`)
	p.update()
	check(two)
	if err := p.index.SetBuffer(t.Context(), p.path("core/package.json"), []byte(`{"name": "core-one"}`)); err != nil {
		t.Fatal(err)
	}
	check(one)
	p.index.DropBuffer(p.path("core/package.json"))
	check(two)
}

// TestReexportsInACycle resolves names through files that export each other's, in both orders.
func TestReexportsInACycle(t *testing.T) {
	for _, order := range []string{"a b", "b a"} {
		p := open(t, map[string]string{
			"a.ts": "export * from './b';\nexport * from './c';\n",
			"b.ts": "export * from './a';\n",
			"c.ts": "export function run() {}\n",
			"x.ts": "import { run as one } from './" + order[:1] + "';\nimport { run as two } from './" + order[2:] + "';\none();\ntwo();\n",
		})
		p.update()
		if got := strings.Count(formatEdges(p.edges("incoming", p.unit("c.ts", "run"))), "0.90 x.ts"); got != 4 {
			t.Errorf("%s: %d places:\n%s", order, got, formatEdges(p.edges("incoming", p.unit("c.ts", "run"))))
		}
	}
}
