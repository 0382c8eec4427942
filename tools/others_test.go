package tools_test

import (
	"fmt"
	"strings"
	"testing"
)

// monorepo is a workspace of TypeScript packages that import each other by their names.
func monorepo() map[string]string {
	files := map[string]string{
		"core/index.ts": "export { makeStore } from './store';\nexport { Store } from './store';\n",
		"core/store.ts": "export interface Store {}\n\nexport function makeStore() { return 1 }\n\nexport const one = makeStore();\n",
		// Calls of another function of that name, and names in another language, are not places that are unknown.
		"own/a.ts": "function makeStore() { return 2 }\n\nmakeStore();\n",
		"own/b.ts": "import { makeStore as make } from '@acme/core';\n\nmake();\n",
		"a.py":     "from b import area\n\narea()\nmakeStore()\n",
		"b.py":     "def area():\n    pass\n",
	}
	for i := range 5 {
		files[fmt.Sprintf("app%d/a.ts",
			i)] = "import { makeStore, Store } from '@acme/core';\n\nexport const s = makeStore();\n\nclass A implements Store {}\n"
	}
	return files
}

// TestPlacesThatAreNotResolved checks that the results about a symbol count the places with its name that may mean
// it, and that they say nothing where all is known.
func TestPlacesThatAreNotResolved(t *testing.T) {
	w := newWorld(t, monorepo())
	for _, test := range []struct{ arguments, want string }{
		{`{"canon":"makeStore","file":"core/store.ts"}`, "5 other places with that name could not be resolved (app0/a.ts:3, app1/a.ts:3, app2/a.ts:3, …): search_text for makeStore finds them"},
		{`{"canon":"makeStore","file":"core/store.ts","direction":"references"}`, "11 other places with that name could not be resolved (app0/a.ts:1, app0/a.ts:3, app1/a.ts:1, …): search_text for makeStore finds them"},
		{`{"canon":"Store","direction":"implementers"}`, "5 other places with that name could not be resolved (app0/a.ts:5, app1/a.ts:5, app2/a.ts:5, …): search_text for Store finds them"},
		{`{"canon":"area"}`, ""},
		{`{"canon":"makeStore","file":"core/store.ts","direction":"callees"}`, ""},
		{`{"canon":"makeStore","file":"core/store.ts","direction":"containers"}`, ""},
		{`{"canon":"makeStore","file":"core/store.ts","direction":"occurrences"}`, ""},
	} {
		text := w.set.Text("code_item_edges", w.call("code_item_edges", test.arguments).Content)
		got := ""
		for line := range strings.Lines(text) {
			if strings.Contains(line, "other place") {
				got += strings.TrimSpace(line)
			}
		}
		if got != test.want {
			t.Errorf("%s: %q; want %q, in\n%s", test.arguments, got, test.want, text)
		}
	}
	result := w.call("apply_code_edit", `{"edits":[{"file":"core/store.ts","canon":"makeStore","new_name":"newStore"}]}`)
	text := w.set.Text("apply_code_edit", result.Content)
	const want = "left 14 other places with that name that could not be resolved to it: search_text for makeStore finds them"
	if !strings.Contains(text, want) {
		t.Errorf("the rename does not say %q:\n%s", want, text)
	}
}

// TestPlacesAfterAnEdit counts those of a text that only the turn sees.
func TestPlacesAfterAnEdit(t *testing.T) {
	w := newWorld(t, monorepo())
	w.call("apply_code_edit",
		`{"edits":[{"file":"app1/a.ts","old":"export const s = makeStore();","new":""},`+
			`{"file":"app0/a.ts","old":"export","new":"// One more.\nmakeStore();\nexport"}]}`)
	text := w.set.Text("code_item_edges", w.call("code_item_edges", `{"canon":"makeStore","file":"core/store.ts"}`).Content)
	const want = "5 other places with that name could not be resolved (app0/a.ts:4, app0/a.ts:5, app2/a.ts:3, …)"
	if !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
}
