package embedded_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestARenameAsksWhetherItIsWhole renames what is called where nothing shows that the calls mean it.
func TestARenameAsksWhetherItIsWhole(t *testing.T) {
	const staged = "I propose to rename"
	const asks = "I changed nothing yet: 1 call of that name is not known to mean `A.X`, and would stay as `X`. " +
		"Say `rename only A.X to Y`"
	edge := func(kind, confidence, file, from, text string) string {
		return fmt.Sprintf(`{"kind":%q,"confidence":%s,"file":"/w/%s","line":9,"from":%q,"text":%q}`, kind, confidence, file, from, text)
	}
	edges := func(all ...string) string { return `{"ok":true,"edges":[` + strings.Join(all, ",") + `]}` }
	declared := `{"kind":"occurrence","file":"/w/a.kt","line":3,"from":"A::X","text":"private fun X(t: T): Any {"}`
	call := func(text string) string { return edges(declared, edge("occurrence", "0", "a.kt", "A::f", text)) }
	one, two := []string{"A::X function a.kt"}, []string{"A::X function a.kt", "B::X function b.kt"}
	vague, sure := edges(edge("call", "0.3", "a.kt", "A::f", "X(1)")), edges(edge("call", "0.5", "a.kt", "A::f", "X(1)"))
	tests := []struct {
		name, message string
		declared      []string
		edges         []string
		says          string
	}{
		{"a bare call", "rename A.X to Y", one, []string{call("val X = X(1)"), noEdges}, asks + " to rename what is known, and change the others " +
			"by hand.\n\n- /w/a.kt:9: `val X = X(1)`\n"},
		{"a call of a member", "rename A.X to Y", one, []string{call("if (a.X() && b) {"), vague}, asks},
		{"with arguments of types", "rename A.X to Y", one, []string{call("a.X<Int>()"), vague}, asks},
		{"one line twice", "rename A.X to Y", one, []string{edges(declared, edge("occurrence", "0", "a.kt", "A::f", "val X = X(1)"),
			edge("occurrence", "0", "a.kt", "A::f", "val X = X(1)")), noEdges}, asks},
		{"in another language of the family", "rename A.X to Y", one, []string{edges(declared, edge("occurrence", "0", "b.java", "A::f", "a.X()")),
			noEdges}, asks},
		{"a call of it", "rename A.X to Y", one, []string{call("X(1)"), sure}, staged},
		{"a call of a namesake", "rename A.X to Y", two, []string{call("b.X(1)"), noEdges, sure}, staged},
		{"a call of neither", "rename A.X to Y", two, []string{call("b.X(1)"), noEdges, vague}, asks},
		{"by a compiler", "rename A.X to Y", one, []string{call("b.X(1)"), `{"ok":true,"edges":[],"by":"gopls"}`}, staged},
		{"by name, though a compiler was asked", "rename A.X to Y", one, []string{call("b.X(1)"), `{"ok":true,"edges":[],"by":"name"}`}, asks},
		{"no call", "rename A.X to Y", one, []string{call("val c = other[X]")}, staged},
		{"a longer name", "rename A.X to Y", one, []string{call("val X = toX(1)")}, staged},
		{"another language", "rename A.X to Y", one, []string{edges(declared, edge("occurrence", "0", "a.js", "f", "X(1)"))}, staged},
		{"the declaration of another", "rename A.X to Y", one, []string{edges(declared, edge("occurrence", "0", "a.kt", "B::X", "X(t: T)"))}, staged},
		{"a local declaration", "rename A.X to Y", one, []string{call("private fun X(t: T)")}, staged},
		{"only it", "rename only A.X to Y", one, []string{call("X(1)")}, staged},
		{"what can't be called", "rename A.X to Y", []string{"A::X field a.kt"}, []string{call("X(1)")}, staged},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			calls, answer := dialog(t, tt.message, map[string][]string{"code_item_lookup": {lookedUp(tt.declared), notFound},
				"code_item_edges": tt.edges, "search_text": {`{"ok":true,"matches":[]}`}, "apply_code_edit": {placed}})
			checkWords(t, answer, []string{tt.says}, nil)
			if last := calls[len(calls)-1]; strings.HasPrefix(last, "apply_code_edit") != (tt.says == staged) {
				t.Errorf("the last call is %s", last)
			}
		})
	}
}
