package tools_test

import (
	"strings"
	"testing"
)

func TestEdgesShowACallWithAllOfItsLines(t *testing.T) {
	w := newWorld(t, map[string]string{"a.ts": "export function feed(animal: string, at?: number) {}\n\nfunction all() {\n" +
		"  feed('lion')\n" +
		"  feed(\n    'tiger (old)',\n\n    12,\n  )\n" +
		"  feed('bear', // )\n    9)\n" +
		"  if (feed('ape')) {\n    all()\n  }\n" +
		"  feed(\n" + strings.Repeat("    'one of many animals with a long name' +\n", 9) + "  )\n" +
		"}\n"})
	const want = "a.ts\nin all\n4: feed('lion')\n5: feed( 'tiger (old)', 12, )\n10: feed('bear', // )\n12: if (feed('ape')) {\n" +
		"15: feed( 'one of many animals with a long name' + 'one of many animals with a long name' + 'one of many animals with a long name' +" +
		" 'one of many animals with a long name' + 'one of many animals with a long name' + …"
	if text := w.set.Text("code_item_edges", w.call("code_item_edges", `{"canon":"feed"}`).Content); text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}
