package embedded_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestNamesakesOfARename says which namesakes a rename asks about, and which it leaves out.
func TestNamesakesOfARename(t *testing.T) {
	const edges = `{"ok":true,"edges":[{"kind":"occurrence","file":"/w/a.rs","line":3,"from":"","text":"X"}],"omitted":0}`
	const lines = `{"ok":true,"matches":[]}`
	tests := []struct {
		name, message string
		symbols       []string // canon, kind, file
		renamed       string   // canon, kind, file; "" for a question back
		says          string
	}{
		{"a struct with impls", "rename X to Y", []string{"X impl a.rs", "X struct a.rs", "X#2 impl a.rs"}, "X struct a.rs",
			"I propose to rename"},
		{"an impl elsewhere", "rename X to Y", []string{"X struct a.rs", "X impl b.rs"}, "X struct a.rs", "I propose"},
		{"impls alone", "rename X to Y", []string{"X impl a.rs", "X impl b.rs"}, "", "2 definitions"},
		{"a test's title", "rename X to Y", []string{"suite::X test a.spec.ts", "X function a.ts"}, "X function a.ts", "I propose"},
		{"declared in a test", "rename X to Y", []string{"X function a_test.go", "X function a.go"}, "X function a.go", "I propose"},
		{"a local variable", "rename X to Y", []string{"f::X variable a.ts", "X function b.ts"}, "X function b.ts", "I propose"},
		{"overloads", "rename X to Y", []string{"X function a.ts", "X#2 function a.ts"}, "X function a.ts", "I propose"},
		{"a prototype", "rename X to Y", []string{"X function a.h", "X function a.c"}, "X function a.h", "I propose"},
		{"static functions", "rename X to Y", []string{"X function a.c", "X function b.c"}, "", "2 definitions"},
		{"two members", "rename X to Y", []string{"A::X method a.ts", "B::X method a.ts"}, "", "as in `rename A.X to Y`"},
		{"a qualified name", "rename B.X to Y", []string{"A::X method a.ts", "B::X method a.ts"}, "B::X method a.ts", "I propose"},
		{"a qualified overload", "rename B.X to Y", []string{"A::X method a.ts", "B::X#2 method a.ts"}, "B::X#2 method a.ts", "I propose"},
		{"no such type", "rename C.X to Y", []string{"A::X method a.ts"}, "", "there is no such symbol"},
		{"of the kind that is said", "rename the function X to Y", []string{"D::X method a.ts", "X function b.ts", "X type c.ts"},
			"X function b.ts", "I propose"},
		{"of no kind that there is", "rename the trait X to Y", []string{"X function b.ts", "X type c.ts"}, "", "2 definitions"},
		{"an entry of a manifest", "rename X to Y", []string{"dependencies::X property c.toml", "X function b.rs"}, "X function b.rs",
			"I propose"},
		{"in a test alone", "rename X to Y", []string{"X function a_test.go"}, "X function a_test.go", "I propose"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			calls, answer := dialog(t, tt.message, map[string][]string{"code_item_lookup": {lookedUp(tt.symbols), notFound,
				notFound}, "code_item_edges": {edges, noEdges, noEdges}, "search_text": {lines}, "apply_code_edit": {placed}})
			checkWords(t, answer, []string{tt.says}, nil)
			last := calls[len(calls)-1]
			if tt.renamed == "" {
				if strings.HasPrefix(last, "apply_code_edit") {
					t.Errorf("it edits: %s", last)
				}
				return
			}
			f := strings.Fields(tt.renamed)
			if want := fmt.Sprintf(`"canon":"%s","file":"/w/%s","kind":"%s"`, f[0], f[2], f[1]); !strings.Contains(last, want) {
				t.Errorf("the last call is %s, want one with %s", last, want)
			}
		})
	}
}

// lookedUp returns a lookup's result with symbols of the name X: canon, kind and file of each.
func lookedUp(symbols []string) string {
	var items []string
	for i, s := range symbols {
		f := strings.Fields(s)
		items = append(items, fmt.Sprintf(`{"id":"/w/%s#%d:9","canon":"%s","name":"X","kind":"%s","file":"/w/%s"}`, f[2], i+1, f[0], f[1], f[2]))
	}
	return `{"ok":true,"items":[` + strings.Join(items, ",") + `]}`
}

// TestUsesOfATypeAreAskedOnce asks who uses a type that has impl blocks.
func TestUsesOfATypeAreAskedOnce(t *testing.T) {
	calls, _ := dialog(t, "who uses X?", map[string][]string{
		"code_item_lookup": {lookedUp([]string{"X impl a.rs", "X struct a.rs", "X#2 impl a.rs"})},
		"code_item_edges":  {`{"ok":true,"edges":[{"kind":"use","file":"/w/b.rs","line":9,"from":"main","text":"X"}]}`}})
	if len(calls) != 2 || !strings.Contains(calls[1], `"kind":"struct"`) {
		t.Errorf("the calls are %q", calls)
	}
}

// TestCallersBeyondTwentyAreCounted lists the first callers, and counts the others by file.
func TestCallersBeyondTwentyAreCounted(t *testing.T) {
	var edges []string
	for i := range 26 {
		edges = append(edges, fmt.Sprintf(`{"kind":"call","file":"/w/%c.go","line":%d,"from":"f%d","text":"X()"}`, 'a'+i/22, i+1, i))
	}
	_, answer := dialog(t, "who calls X", map[string][]string{"code_item_lookup": {lookedUp([]string{"X function x.go"})},
		"code_item_edges": {`{"ok":true,"edges":[` + strings.Join(edges, ",") + `]}`}})
	checkWords(t, answer, []string{"26 places in all", "- `f9` — /w/a.go:10", "The others, by file:\n\n- /w/a.go — 12\n- /w/b.go — " +
		"4\n"}, []string{"`f10`"})
}

// TestCallersThroughAnInterfaceAreMarked names the interface.
func TestCallersThroughAnInterfaceAreMarked(t *testing.T) {
	_, answer := dialog(t, "who calls X", map[string][]string{"code_item_lookup": {lookedUp([]string{"X function x.go"})},
		"code_item_edges": {`{"ok":true,"edges":[{"kind":"call","confidence":0.8,"through":"I","file":"/w/a.go","line":1,"from":"f","text":"X()"},` +
			`{"kind":"call","confidence":0.8,"file":"/w/a.go","line":5,"from":"g","text":"X()"},` +
			`{"kind":"call","confidence":0.8,"file":"/w/a.go","line":7,"from":"h","text":"X()"}]}`}})
	checkWords(t, answer, []string{"`X()`, through `I`\n"}, []string{"a.go:5: `X()`, through"})
}

// TestMocksComeLast asks for a name that a mock, a test and the code declare.
func TestMocksComeLast(t *testing.T) {
	_, answer := dialog(t, "where is X defined", map[string][]string{
		"code_item_lookup": {lookedUp([]string{"X function mocks/x.go", "X function examples/x.go", "X function a/b/x.go"})}})
	if !strings.HasPrefix(answer, "`X` is a function in /w/a/b/x.go") {
		t.Errorf("the answer is\n%s", answer)
	}
}

// TestOverloadsAreDeletedByNumber deletes one of two overloads.
func TestOverloadsAreDeletedByNumber(t *testing.T) {
	overloads := lookedUp([]string{"A::X method a.java", "A::X#2 method a.java"})
	_, answer := dialog(t, "delete A.X", map[string][]string{"code_item_lookup": {overloads}})
	checkWords(t, answer, []string{"I deleted nothing: `A.X` has 2 overloads.", "as in `delete A::X#2`"}, nil)
	one := lookedUp([]string{"A::X#2 method a.java"})
	calls, answer := dialog(t, "delete A::X#2", map[string][]string{"code_item_lookup": {one}, "code_item_edges": {noEdges},
		"search_text":     {`{"ok":true,"matches":[]}`},
		"apply_code_edit": {placed}})
	if last := calls[len(calls)-1]; !strings.Contains(last, `"canon":"A::X#2"`) || !strings.Contains(answer, "I propose to delete") {
		t.Errorf("%s: %s", last, answer)
	}
}

// TestPrototypesAreDeleted deletes a function of C with its prototype.
func TestPrototypesAreDeleted(t *testing.T) {
	calls, answer := dialog(t, "delete X", map[string][]string{
		"code_item_lookup": {lookedUp([]string{"X function src/x.c", "X function inc/x.h"})}, "code_item_edges": {noEdges},
		"search_text": {`{"ok":true,"matches":[]}`}, "apply_code_edit": {placed}})
	last := calls[len(calls)-1]
	checkWords(t, last, []string{`"file":"/w/src/x.c"`, `"file":"/w/inc/x.h"`}, nil)
	checkWords(t, answer, []string{"I propose to delete `X`"}, nil)
}

// TestTheMostUsedNamesakeComesFirst asks where a name is defined that two files declare alike, and a private one.
func TestTheMostUsedNamesakeComesFirst(t *testing.T) {
	uses := `{"ok":true,"about":"uses","uses":[{"id":"/w/b.py#2:9","uses":7},{"id":"/w/a.py#1:9","uses":1}]}`
	calls, answer := dialog(t, "where is X defined", map[string][]string{
		"code_item_lookup": {lookedUp([]string{"X function a.py", "X function b.py"})}, "project_facts": {uses}})
	if len(calls) != 2 || !strings.HasPrefix(answer, "`X` is a function in /w/b.py:2") {
		t.Errorf("the calls are %q, the answer is\n%s", calls, answer)
	}
	private := strings.Replace(lookedUp([]string{"X function a.c", "X function b/b.c"}), `"name"`, `"signature":"static int X()","name"`, 1)
	if _, answer = dialog(t, "where is X defined", map[string][]string{"code_item_lookup": {private}}); !strings.HasPrefix(answer,
		"`X` is a function in /w/b/b.c") {
		t.Errorf("the answer is\n%s", answer)
	}
}

// TestCallersOfTheMostUsedNamesakeComeFirst asks who calls a function that has the name of a method which is used more,
// and of one in a test that is used most.
func TestCallersOfTheMostUsedNamesakeComeFirst(t *testing.T) {
	uses := `{"ok":true,"about":"uses","uses":[{"id":"/w/b.py#2:9","uses":7},{"id":"/w/test_c.py#3:9","uses":9}]}`
	calls, _ := dialog(t, "who calls X", map[string][]string{"project_facts": {uses},
		"code_item_lookup": {lookedUp([]string{"X function a.py", "B::X method b.py", "C::X method test_c.py"})},
		"code_item_edges":  {noEdges, noEdges, noEdges}, "search_text": {`{"ok":true,"matches":[]}`}})
	if len(calls) != 6 || !strings.Contains(calls[2], `"canon":"B::X"`) {
		t.Errorf("the calls are %q", calls)
	}
}

// TestATypeStandsForAMemberThatItLacks explains a type by a member that it does not have.
func TestATypeStandsForAMemberThatItLacks(t *testing.T) {
	flags := `{"ok":true,"items":[{"id":"/w/f.ts#1:9","canon":"Flags","name":"Flags","kind":"enum","file":"/w/f.ts","signature":"export ` +
		`enum Flags | X"}]}`
	calls, answer := dialog(t, "what does Flags.GONE mean?", map[string][]string{
		"code_item_lookup": {notFound, flags}, "code_item_edges": {noEdges}})
	if len(calls) != 3 || !strings.Contains(calls[1], `"name":"Flags"`) {
		t.Errorf("the calls are %q", calls)
	}
	checkWords(t, answer, []string{"`Flags` is an enum in /w/f.ts:1.\n\n```\nexport enum Flags | X\n```\n",
		"There is no `Flags::GONE`, so this is about `Flags`."}, nil)
}

// TestSidePackagesComeLast asks for a name that the project's own package declares, and one that goes with it.
func TestSidePackagesComeLast(t *testing.T) {
	for _, tt := range []struct{ message, says string }{
		{"where is X defined", "`X` is a function in tokio/src/deep/x.rs:2"},
		{"X vs X", "`X` is a function in tokio/src/deep/x.rs:2"},
	} {
		found := strings.ReplaceAll(lookedUp([]string{"X function tokio-test/x.rs", "X function tokio/src/deep/x.rs"}), "/w/", "/w/tokio/")
		_, answer := dialogIn(t, "/w/tokio", tt.message, map[string][]string{"code_item_lookup": {found, found}})
		if !strings.HasPrefix(answer, tt.says) {
			t.Errorf("%s: the answer is\n%s", tt.message, answer)
		}
	}
}

// TestAMemberOfAnotherTypeIsNoClash renames a method to the name that another type's method has.
func TestAMemberOfAnotherTypeIsNoClash(t *testing.T) {
	const edges = `{"ok":true,"edges":[{"kind":"occurrence","file":"/w/a.ts","line":3,"from":"","text":"X"}],"omitted":0}`
	for other, want := range map[string]string{"B::Y": "I propose to rename", "A::Y": "`Y` is taken"} {
		found := strings.ReplaceAll(lookedUp([]string{other + " method b.ts"}), `"name":"X"`, `"name":"Y"`)
		_, answer := dialog(t, "rename A.X to Y", map[string][]string{"code_item_lookup": {lookedUp([]string{"A::X method a.ts"}), found},
			"code_item_edges": {edges, noEdges}, "search_text": {`{"ok":true,"matches":[]}`}, "apply_code_edit": {placed}})
		checkWords(t, answer, []string{want}, nil)
	}
}

// TestAMethodThatImplementsAnother asks whether what it implements is renamed with it.
func TestAMethodThatImplementsAnother(t *testing.T) {
	const edges = `{"ok":true,"edges":[{"kind":"occurrence","file":"/w/a.go","line":3,"from":"","text":"X"}],"omitted":0}`
	const of = `{"ok":true,"edges":[{"kind":"inherit","confidence":%s,"file":"/w/a.go",` +
		`"line":1,"target":{"canon":"A::X","file":"/w/a.go","line":1}}]}`
	methods := lookedUp([]string{"A::X method a.go", "I::X method i.go", "P::X method p.py"})
	for _, tt := range []struct{ message, confidence, says string }{
		{"rename A.X to Y", "0.8", "I changed nothing yet: `A.X` implements `I.X`. Say `rename I.X and its implementers to Y`, or `rename only A.X to Y`."},
		{"rename A.X to Y", "0.3", "I propose to rename"},
		{"rename only A.X to Y", "0.8", "I propose to rename"},
	} {
		_, answer := dialog(t, tt.message, map[string][]string{"code_item_lookup": {methods, notFound},
			"code_item_edges": {edges, noEdges, fmt.Sprintf(of, tt.confidence)}, "search_text": {`{"ok":true,"matches":[]}`},
			"apply_code_edit": {placed}})
		checkWords(t, answer, []string{tt.says}, nil)
	}
}

// TestARenameSaysWhatOtherModulesNeed of interfaces, whose implementers may be elsewhere, and of names that well-known
// interfaces want.
func TestARenameSaysWhatOtherModulesNeed(t *testing.T) {
	const edges = `{"ok":true,"edges":[{"kind":"occurrence","file":"/w/a.go","line":3,"from":"","text":"X"}],"omitted":0}`
	for _, tt := range []struct{ name, signature, says, not string }{
		{"X", "X() int", "types of other modules that implement `S` have `X`, and no longer fit", ""},
		{"X", "func (S) X() int", "I propose", "other modules"},
		{"String", "func (S) String() string", "interfaces of the standard library want a method `String`", ""},
	} {
		found := strings.ReplaceAll(`{"ok":true,"items":[{"id":"/w/a.go#3:4","canon":"S::X","name":"X","kind":"method",`+
			`"file":"/w/a.go","signature":"`+tt.signature+`"}]}`, `X"`, tt.name+`"`)
		_, answer := dialog(t, "rename S."+tt.name+" to Y", map[string][]string{"code_item_lookup": {found, notFound},
			"code_item_edges": {edges, noEdges}, "search_text": {`{"ok":true,"matches":[]}`}, "apply_code_edit": {placed}})
		var not []string
		if tt.not != "" {
			not = []string{tt.not}
		}
		checkWords(t, answer, []string{tt.says, "**Perhaps it is not whole:** the old name stays in 3 places"}, not)
	}
}

// TestAnotherPackageIsNoClash gives a type of Go the name of what other packages and other types have.
func TestAnotherPackageIsNoClash(t *testing.T) {
	const edges = `{"ok":true,"edges":[{"kind":"occurrence","file":"/w/a.go","line":3,"from":"","text":"X"}],"omitted":0}`
	for other, says := range map[string]string{"Y type b/b.go": "I propose", "T::Y field a.go": "I propose", "Y function b.go": "`Y` is taken"} {
		found := strings.ReplaceAll(lookedUp([]string{other}), `"name":"X"`, `"name":"Y"`)
		_, answer := dialog(t, "rename X to Y", map[string][]string{"code_item_lookup": {lookedUp([]string{"X type a.go"}), found},
			"code_item_edges": {edges, noEdges}, "search_text": {`{"ok":true,"matches":[]}`}, "apply_code_edit": {placed}})
		checkWords(t, answer, []string{says}, nil)
	}
}

// TestTheManifestNamesTheProject asks what a name is that the manifest at the top has, and no folder.
func TestTheManifestNamesTheProject(t *testing.T) {
	none := `{"ok":true,"matches":[]}`
	calls, _ := dialogIn(t, "/w/json", "what's serde_json for?", map[string][]string{"code_item_lookup": {notFound, notFound},
		"search_text": {`{"ok":true,"matches":[{"file":"/w/json/Cargo.toml","line":2,"text":"name = \"serde_json\""}]}`, none, none, none, none, none},
		"list_dir":    {`{"ok":true,"entries":[]}`}, "project_facts": {none}})
	if len(calls) != 9 || !strings.HasPrefix(calls[2], "list_dir ") {
		t.Errorf("the calls are %q", calls)
	}
}

// TestRenameOfAnAttribute renames what the methods of a class set on their object, which the index does not know.
func TestRenameOfAnAttribute(t *testing.T) {
	const state = `{"ok":true,"items":[{"id":"/w/a.py#1:3","canon":"State","name":"State","kind":"class","file":"/w/a.py"}]}`
	found := func(lines ...string) string {
		var matches []string
		for i, line := range lines {
			matches = append(matches, fmt.Sprintf(`{"file":"/w/a.py","line":%d,"text":%q}`, i+1, line))
		}
		return `{"ok":true,"matches":[` + strings.Join(matches, ",") + `]}`
	}
	tests := []struct {
		name, lines, says, edit string
	}{
		{"set", found("class State:", "self.X = 1", "", "s = State()", "s.X", "t.X"), "- /w/a.py:6: `t.X`", `"line":5,"mode":"replace","new":"s.Y","old":"s.X"`},
		{"never set", found("class State:", "self.X"), "no method of the class at /w/a.py:1 sets `X`", ""},
		{"taken", found("class State:", "self.X = 1", "self.Y = 1"), "`Y` is taken", ""},
		{"of too many objects", found(append([]string{"class State:", "self.X = 1", ""}, slices.Repeat([]string{"t.X"}, 21)...)...),
			"21 lines name a `X` of objects whose class", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			calls, answer := dialog(t, "rename State.X to Y", map[string][]string{"code_item_lookup": {notFound, notFound, state},
				"search_text": {tt.lines}, "apply_code_edit": {placed}})
			checkWords(t, answer, []string{tt.says}, nil)
			if last := calls[len(calls)-1]; strings.HasPrefix(last, "apply_code_edit") != (tt.edit != "") || !strings.Contains(last, tt.edit) {
				t.Errorf("the last call is %s", last)
			}
		})
	}
}

// TestCallersOfAPrototypeAreListedOnce asks for the callers of what a header declares.
func TestCallersOfAPrototypeAreListedOnce(t *testing.T) {
	const found = `{"ok":true,"items":[{"id":"/w/a.c#3:4","canon":"X","name":"X","kind":"function","file":"/w/a.c"},` +
		`{"id":"/w/a.h#5:5","canon":"X","name":"X","kind":"function","file":"/w/a.h"}]}`
	const edges = `{"ok":true,"edges":[{"kind":"call","file":"/w/b.c","line":9,"from":"main","text":"X()","confidence":1}]}`
	calls, answer := dialog(t, "who calls X?", map[string][]string{"code_item_lookup": {found}, "code_item_edges": {edges}})
	if n := strings.Count(answer, "`main` calls `X`"); n != 1 || len(calls) != 2 {
		t.Errorf("%q, and %d times in\n%s", calls, n, answer)
	}
}

// TestExplainingOneOfManyNamesakes looks up again what a lookup of all namesakes shows without its code.
func TestExplainingOneOfManyNamesakes(t *testing.T) {
	item := func(file, code, cut string) string {
		return `{"id":"` + file + `#3:4","canon":"pick","name":"pick","kind":"function","file":"` + file +
			`","start_line":3,"snippet":"` + code + `","cut":"` + cut + `"}`
	}
	whole := item("/w/a.go", "func pick() { return first }", "")
	tests := []struct {
		name    string
		lookups []string // what they find, in their order
		want    string
		not     string
		looks   int
	}{
		{"without its code", []string{item("/w/a.go", "func pick()", "4") + "," + item("/w/a_test.go", "func pick()", "9"),
			whole + "," + strings.Replace(item("/w/a.go", "func pick(n int)", "7"), "#3:4", "#5:6", 1)}, "return first", "The rest is not shown", 2},
		{"with its code", []string{whole + "," + item("/w/a_test.go", "func pick()", "9")}, "return first", "The rest is not shown", 1},
		{"alone, and too long", []string{item("/w/a.go", "func pick()", "400")}, "The rest is not shown", "also that of", 1},
		{"gone meanwhile", []string{item("/w/a.go", "func pick()", "4") + "," + item("/w/a_test.go", "func pick()", "9"), ""},
			"The rest is not shown", "return first", 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			answers := map[string][]string{"code_item_edges": {noEdges}, "request_code_context": {nothing}}
			for _, items := range tt.lookups {
				found := `{"ok":true,"items":[` + items + `]}`
				if items == "" {
					found = notFound
				}
				answers["code_item_lookup"] = append(answers["code_item_lookup"], found)
			}
			calls, answer := dialog(t, "explain pick", answers)
			looks := 0
			for _, c := range calls {
				if strings.Contains(c, "code_item_lookup") {
					looks++
				}
			}
			if looks != tt.looks || !strings.Contains(answer, tt.want) || strings.Contains(answer, tt.not) {
				t.Errorf("%d lookups, want %d; the answer is:\n%s", looks, tt.looks, answer)
			}
		})
	}
}
