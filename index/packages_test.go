package index_test

import "testing"

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
