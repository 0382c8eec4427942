package embedded_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded"
	"ploke-lsp/session/llm/embedded/messages"
)

// send returns the pieces of the model's next response.
func send(ctx context.Context, messages []llm.Message) (text []string, calls []llm.Call, finish llm.Finish, err error) {
	for c, err := range embedded.Model().Provider.Send(ctx, &llm.Request{Messages: messages}) {
		if err != nil {
			return text, calls, finish, err
		}
		if c.Text != "" {
			text = append(text, c.Text)
		}
		if c.Call != nil {
			calls = append(calls, *c.Call)
		}
		finish = c.Finish
	}
	return text, calls, finish, nil
}

// dialog runs the embedded model against tools that answer with what answers
// holds, call by call, and returns the calls that it made and its answer.
func dialog(t *testing.T, message string, answers map[string][]string) (calls []string, answer string) {
	t.Helper()
	return dialogIn(t, "", message, answers)
}

// dialogIn is dialog in a workspace with one folder, "" for none.
func dialogIn(t *testing.T, dir, message string, answers map[string][]string) (calls []string, answer string) {
	t.Helper()
	system := "system"
	if dir != "" {
		system += messages.FoldersText([]string{dir})
	}
	messages := []llm.Message{
		{Role: llm.System, Text: system},
		{Role: llm.User, Text: "an earlier question"},
		{Role: llm.Assistant, Text: "an earlier answer"},
		{Role: llm.User, Text: message},
	}
	for range 10 {
		text, wanted, finish, err := send(t.Context(), messages)
		if err != nil {
			t.Fatal(err)
		}
		if len(wanted) == 0 {
			if finish != llm.FinishStop && finish != llm.FinishDeclined {
				t.Errorf("finish %q", finish)
			}
			return calls, strings.Join(text, "")
		}
		if finish != llm.FinishToolCalls {
			t.Errorf("finish %q", finish)
		}
		asked := llm.Message{Role: llm.Assistant, Text: strings.Join(text, "")}
		var results []llm.Message
		for _, c := range wanted {
			c.ID = "call" + strings.Repeat("x", len(messages)+len(results))
			asked.Calls = append(asked.Calls, c)
			if strings.Contains(string(c.Arguments), "#{1,6} ") { // of a question that goes by words, before its own calls
				headings := append(slices.Clone(answers["headings"]), `{"ok":true,"matches":[]}`)[0]
				results = append(results, llm.Message{Role: llm.Tool, CallID: c.ID, Content: json.RawMessage(headings)})
				continue
			}
			if strings.Contains(string(c.Arguments), `"!*baseline*"`) || strings.Contains(string(c.Arguments), `["*.rs"]`) { // of values
				given := `{"ok":true,"matches":[]}`
				if strings.Contains(string(c.Arguments), `"before":5`) && len(answers["given"]) > 0 {
					given = answers["given"][0]
				}
				results = append(results, llm.Message{Role: llm.Tool, CallID: c.ID, Content: json.RawMessage(given)})
				continue
			}
			calls = append(calls, c.Name+" "+string(c.Arguments))
			if len(answers[c.Name]) == 0 {
				t.Fatalf("unexpected call %s %s", c.Name, c.Arguments)
			}
			results = append(results, llm.Message{Role: llm.Tool, CallID: c.ID, Content: json.RawMessage(answers[c.Name][0])})
			answers[c.Name] = answers[c.Name][1:]
		}
		messages = append(append(messages, asked), results...)
		messages = append(messages, llm.Message{Role: llm.System, Text: "a notice"})
	}
	t.Fatal("the embedded model doesn't come to an end")
	return nil, ""
}

const (
	notFound = `{"ok":false,"error":"no symbol Y","code":"not_found","hint":"look with search_text",
		"candidates":[{"id":"/w/a.go#3:4","canon":"Yes","kind":"function","hash":"h"}]}`
	oneX = `{"ok":true,"items":[{"id":"/w/a.go#3:4","canon":"S::X","name":"X","kind":"method","file":"/w/a.go","signature":"func (S) X()",` +
		`"doc":"X does x. And more.","snippet":"<code=\"/w/a.go\" #3:4>\nfunc (S) X() {\n}\n</code>"}]}`
	twoX = `{"ok":true,"items":[{"id":"/w/a.go#3:4","canon":"S::X","name":"X","kind":"method","file":"/w/a.go"},{"id":"/w/b.go#5:5",` +
		`"canon":"X","name":"X","kind":"variable","file":"/w/b.go"}]}`
	places = `{"ok":true,"canon":"S::X","edges":[{"kind":"occurrence","file":"/w/a.go","line":3,"start_byte":30,"end_byte":31,"from":"",` +
		`"file_hash":"ha","text":"func (S) X() {"},
		{"kind":"occurrence","file":"/w/b.go","line":9,"start_byte":90,"end_byte":91,"from":"main","file_hash":"hb","text":"s.X()"}],"omitted":0}`
	noEdges = `{"ok":true,"edges":[]}`
	nothing = `{"ok":true,"query":"q","top_k":20,"results":[],"omitted":0}`
	placed  = `{"ok":true,"proposal_id":"p1","status":"staged","files":[{"file":"/w/a.go","hunks":[{"id":"h1"}],"syntax_errors":[]},
		{"file":"/w/b.go","hunks":[{"id":"h2"},{"id":"h3"}],"syntax_errors":[{"line":1}]}],"edits":[{"left":[{"file":"/w/c.go","line":5,` +
		`"text":"t.X()"}],"left_omitted":2}],"note":""}`
)

func TestInstructions(t *testing.T) {
	lookupX, lookupY := `code_item_lookup {"name":"X"}`, `code_item_lookup {"name":"Y"}`
	occurrences := `code_item_edges {"canon":"S::X","direction":"occurrences","file":"/w/a.go","limit":1000}`
	implementers := `code_item_edges {"canon":"S::X","direction":"implementers","file":"/w/a.go","kind":"method","limit":600}`
	references := `code_item_edges {"canon":"S::X","direction":"references","file":"/w/a.go","kind":"method","limit":1000}`
	inText := `search_text {"include":["!*.lock","!*-lock.json","!*-lock.yaml","!npm-shrinkwrap.json","!go.sum","!*.lockfile"],` +
		`"pattern":"\\bX\\b"}`
	matches := `{"ok":true,"matches":[{"file":"/w/a.go","line":2,"text":"// X does"},{"file":"/w/a.go","line":3,"text":"func (S) X() {"}],` +
		`"omitted":0}`
	inDoc := `{"ok":true,"edges":[{"kind":"doc","file":"/w/a.go","line":2,"start_byte":13,"end_byte":14,"from":"","file_hash":"ha",` +
		`"text":"// X does"}],"omitted":0}`
	renameX := `apply_code_edit {"edits":[{"canon":"S::X","file":"/w/a.go","kind":"method","mode":"rename","new_name":"Y"}],` +
		`"reason":"rename X to Y"}`
	tests := []struct {
		name, message string
		answers       map[string][]string
		calls         []string
		says, not     []string
	}{
		{"rename", "rename X to Y",
			map[string][]string{"code_item_lookup": {oneX, notFound}, "code_item_edges": {places, noEdges, places}, "search_text": {matches},
				"apply_code_edit": {placed}},
			[]string{lookupX, lookupY, occurrences, inText, implementers, references, renameX},
			[]string{"3 places in 2 files", "may mean a namesake", "- /w/c.go:5: `t.X()`\n- and 2 more", "the proposal waits for your review",
				"/w/b.go — 2 places; **it would have 1 new syntax error**", "Left as they are", "- /w/a.go:2: `// X does`\n"}, []string{"a.go:3: ",
				"p1", "doc comment"}},
		{"rename what its doc comment names", "rename X to Y",
			map[string][]string{"code_item_lookup": {oneX, notFound}, "code_item_edges": {inDoc, noEdges}, "search_text": {matches},
				"apply_code_edit": {placed}},
			[]string{lookupX, lookupY, occurrences, inText, implementers, renameX},
			[]string{"own doc comment is changed, too", "- /w/a.go:3: "}, []string{"a.go:2: "}},
		{"rename what another file declares", "rename S.X to Y",
			map[string][]string{"code_item_lookup": {`{"ok":true,"items":[{"id":"/w/a.js#3:4","canon":"S::X","name":"X","kind":"method",` +
				`"file":"/w/a.js"},{"id":"/w/a.d.ts#7:7","canon":"S::X","name":"X","kind":"method","file":"/w/a.d.ts"}]}`, notFound},
				"code_item_edges": {places, noEdges}, "search_text": {matches}, "apply_code_edit": {placed}},
			[]string{lookupX, lookupY, `code_item_edges {"canon":"S::X","direction":"occurrences","file":"/w/a.js","limit":1000}`, inText,
				`code_item_edges {"canon":"S::X","direction":"implementers","file":"/w/a.js","kind":"method","limit":600}`,
				`apply_code_edit {"edits":[{"canon":"S::X","file":"/w/a.js","kind":"method","mode":"rename","new_name":"Y"},` +
					`{"canon":"S::X","file":"/w/a.d.ts","kind":"method","mode":"rename","new_name":"Y"}],"reason":"rename S::X to Y"}`},
			[]string{"Its declaration at /w/a.d.ts:7 is renamed, too."}, nil},
		{"rename one of two that another file may declare", "rename S.X in a.js to Y",
			map[string][]string{"code_item_lookup": {`{"ok":true,"items":[{"id":"/w/a.js#3:4","canon":"S::X","name":"X","kind":"method",` +
				`"file":"/w/a.js"},{"id":"/w/b.js#3:4","canon":"S::X","name":"X","kind":"method","file":"/w/b.js"},{"id":"/w/a.d.ts#7:7",` +
				`"canon":"S::X","name":"X","kind":"method","file":"/w/a.d.ts"}]}`, notFound},
				"code_item_edges": {places, noEdges}, "search_text": {matches}, "apply_code_edit": {placed}},
			[]string{lookupX, lookupY, `code_item_edges {"canon":"S::X","direction":"occurrences","file":"/w/a.js","limit":1000}`, inText,
				`code_item_edges {"canon":"S::X","direction":"implementers","file":"/w/a.js","kind":"method","limit":600}`,
				`apply_code_edit {"edits":[{"canon":"S::X","file":"/w/a.js","kind":"method","mode":"rename","new_name":"Y"}],` +
					`"reason":"rename S::X to Y"}`}, nil, []string{"Its declaration"}},
		{"rename what has namesakes", "rename X to Y", map[string][]string{"code_item_lookup": {twoX, notFound}},
			[]string{lookupX, lookupY}, []string{"2 definitions", "- `S::X` (method) — /w/a.go:3", "- `X` (variable) — /w/b.go:5"}, nil},
		{"rename to what is taken", "rename X to Y", map[string][]string{"code_item_lookup": {oneX, oneX}},
			[]string{lookupX, lookupY}, []string{"`Y` is taken", "/w/a.go:3"}, nil},
		{"rename what is not there", "rename X to Y", map[string][]string{"code_item_lookup": {notFound, notFound}},
			[]string{lookupX, lookupY}, []string{"no symbol Y", "- `Yes` (function) — /w/a.go:3"}, nil},
		{"rename another's method", "rename T.X to Y", map[string][]string{"code_item_lookup": {oneX, notFound, notFound}},
			[]string{lookupX, lookupY, `code_item_lookup {"name":"T"}`}, []string{"there is no such symbol", "`S::X`"}, nil},
		{"rename in a half-built index", "rename S.X to Y",
			map[string][]string{"code_item_lookup": {oneX, notFound}, "code_item_edges": {`{"ok":true,"edges":[],"omitted":0,"partial":true}`,
				noEdges}, "search_text": {matches}},
			[]string{lookupX, lookupY, occurrences, inText, implementers}, []string{"still being built"}, nil},
		{"rename too much", "rename S.X to Y",
			map[string][]string{"code_item_lookup": {oneX, notFound}, "code_item_edges": {strings.Replace(places, `"omitted":0`, `"omitted":7`, 1),
				noEdges}, "search_text": {matches}},
			[]string{lookupX, lookupY, occurrences, inText, implementers}, []string{"9 places"}, nil},
		{"replace", "replace 'a<b' with '' in a.go", map[string][]string{
			"search_text": {`{"ok":true,"matches":[{"file":"/w/a.go","line":7,"text":"a<b a<b"}]}`},
			"apply_code_edit": {`{"ok":false,"error":"old is not in the file","code":"not_found","hint":"copy it exactly",` +
				`"candidates":[{"file":"/w/a.go","line":7,"text":"a < b"}]}`}},
			[]string{`search_text {"include":["**/a.go"],"limit":500,"pattern":"a\u003cb"}`,
				`apply_code_edit {"edits":[{"file":"/w/a.go","mode":"replace","new":"","old":"a\u003cb","replace_all":true}],"reason":"replace text ` +
					`in a.go"}`},
			[]string{"I could not replace `a<b` in a.go: old is not in the file. Hint: copy it exactly.", "- /w/a.go:7"}, []string{"review"}},
		{"replace in a file that is left out", "replace 'a' with 'b' in a.go", map[string][]string{
			"search_text": {`{"ok":true,"matches":[{"file":"/w/a.go","line":7,"text":"a"}]}`},
			"apply_code_edit": {`{"ok":false,"error":"edits[0]: a.go is ignored; nothing was staged","code":"left_out",` +
				`"hint":"this file is excluded from the workspace; go on without it"}`}},
			[]string{`search_text {"include":["**/a.go"],"limit":500,"pattern":"a"}`,
				`apply_code_edit {"edits":[{"file":"/w/a.go","mode":"replace","new":"b","old":"a","replace_all":true}],"reason":"replace text ` +
					`in a.go"}`},
			[]string{"I could not replace `a` in a.go: a.go is ignored.\n"}, []string{"Hint", "go on"}},
		{"create", "create n.md with 'hi'", map[string][]string{"create_file": {`{"ok":true,"proposal_id":"p2","files":[{"file":"/w/n.md",` +
			`"hunks":[]}]}`}},
			[]string{`create_file {"content":"hi\n","file":"n.md","reason":"create n.md"}`}, []string{"/w/n.md",
				"the proposal waits for your review"}, []string{"p2"}},
		{"work for a language model", "write a parser", map[string][]string{"request_code_context": {nothing}},
			[]string{`request_code_context {"token_budget":4096}`}, []string{"not a language model", "`ploke-lsp setup`"}, []string{"nearest"}},
		{"document", "Document `X` in a.go", map[string][]string{"code_item_lookup": {oneX}}, []string{`code_item_lookup {"file":"a.go",` +
			`"name":"X"}`},
			[]string{"I changed nothing: `S::X`, at /w/a.go:3, has a doc comment, which begins with \"X does x.\"."}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			calls, answer := dialog(t, tt.message, tt.answers)
			if d := cmp.Diff(tt.calls, calls); d != "" {
				t.Error(d)
			}
			checkWords(t, answer, tt.says, tt.not)
		})
	}
}

func checkWords(t *testing.T, answer string, says, not []string) {
	t.Helper()
	for _, s := range says {
		if !strings.Contains(answer, s) {
			t.Errorf("%q is missing in:\n%s", s, answer)
		}
	}
	for _, s := range not {
		if strings.Contains(answer, s) {
			t.Errorf("%q should not be in:\n%s", s, answer)
		}
	}
}

func TestQuestion(t *testing.T) {
	result := `{"ok":true,"query":"q","top_k":20,"partial":true,"omitted":4,"results":[
		{"id":"/w/a.go#3:4","canon":"S::X","kind":"method","signature":"func (S) X()",
			"doc":"X does x\nand y. And more.","snippet":"<code=\"/w/a.go\" #3:4>\nfunc (S) X() {\n}\n</code>"},
		{"id":"/w/b.go#1:200","canon":"Long","kind":"function","snippet":"` + strings.Repeat(`line\n`, 42) + `"},
		{"id":"/w/c.go#9:9","canon":"C","kind":"constant","signature":"const C = 1"}]}`
	calls, answer := dialog(t, "<code=\"/w/z.go\" #1:1>\nrename A to B\n</code>\n\nHow is X made of s?",
		map[string][]string{"request_code_context": {result}})
	if d := cmp.Diff([]string{`request_code_context {"token_budget":4096}`}, calls); d != "" {
		t.Error(d)
	}
	if !strings.HasPrefix(answer, "The best match is the method `S::X`, at /w/a.go:3.\n") {
		t.Errorf("the answer does not begin with the best match:\n%s", answer)
	}
	checkWords(t, answer, []string{
		"The best match is the method `S::X`, at /w/a.go:3.\n\n`func (S) X()`\n\nX does x and y.\n\n<code=\"/w/a.go\" #3:4>\nfunc (S) X() " +
			"{\n}\n</code>\n\n",
		"Further places:\n\n- `Long` (function) — /w/b.go:1\n- `C` (constant) — /w/c.go:9\n- and 4 more\n",
		"still being built", "not a language model",
	}, []string{"line\n", "And more"})

	card := `{"id":"/w/c#.md#9:9","canon":"C","kind":"section","siblings":["20:30 C::D e ## D e"]}`
	result = `{"ok":true,"omitted":1,"results":[
		{"id":"/w/a.go#3:4","canon":"X","kind":"function","snippet":"<code=\"/w/a.go\" #3:4>\nfunc X() {\n}\n</code>",
			"siblings":["6:7 Y func Y()","9:9 Z var Z (X calls it)","12:12 V var V","15:15 W var W"]},
		` + card + `,{"id":"/w/b.go#5:6","canon":"B","kind":"function","relation":"calls X"}` + strings.Repeat(","+card, 3) + `]}`
	_, answer = dialog(t, "How is X made of s?", map[string][]string{"request_code_context": {result}})
	checkWords(t, answer, []string{
		"Further places:\n\n- `Y` — /w/a.go:6\n- `Z` — /w/a.go:9, X calls it\n- `V` — /w/a.go:12\n- `C` (section) — /w/c#.md:9\n- " +
			"`C::D e` — /w/c#.md:20\n- `B` (function) — /w/b.go:5, calls `X`\n",
		"- and 4 more\n",
	}, []string{"`W`"})
	_, answer = dialog(t, "How is X made of s?", map[string][]string{"request_code_context": {nothing}})
	checkWords(t, answer, []string{"found nothing", "Try the name"}, []string{"still being built"})
	_, answer = dialog(t, "How is X made of s?", map[string][]string{"request_code_context": {`{"ok":false,"error":"the tool took too long: ` +
		`more than 30s","code":"timeout","hint":"ask for less"}`}})
	checkWords(t, answer, []string{"The search failed: the tool took too long: more than 30s. Hint: ask for less."}, nil)
}

func TestExplain(t *testing.T) {
	callers := `{"ok":true,"edges":[{"file":"/w/b.go","line":9,"from":"main"},{"file":"/w/b.go","line":12,"from":"main"},{"file":"/w/c.go",` +
		`"line":2,"from":""}],"omitted":0}`
	calls, answer := dialog(t, "Explain `S::X` in a.go", map[string][]string{
		"code_item_lookup": {oneX}, "code_item_edges": {callers},
		"request_code_context": {`{"ok":true,"results":[{"id":"/w/a.go#3:4","canon":"S::X","kind":"method"},{"id":"/w/d.go#7:8","canon":"D",` +
			`"kind":"type"}]}`}})
	want := []string{`code_item_lookup {"file":"a.go","name":"S::X"}`, `request_code_context {"hint":"S::X","token_budget":4096}`,
		`code_item_edges {"canon":"S::X","direction":"callers","file":"/w/a.go"}`}
	if d := cmp.Diff(want, calls); d != "" {
		t.Error(d)
	}
	checkWords(t, answer, []string{
		"`S::X` is a method in /w/a.go:3.\n\n`func (S) X()`\n\nX does x.\n\n<code=\"/w/a.go\" #3:4>\n",
		"- `main` — /w/b.go:9\n- `c.go` — /w/c.go:2\n", "Further places:\n\n- `D` (type) — /w/d.go:7\n",
	}, []string{"/w/b.go:12"})

	_, answer = dialog(t, "explain Y", map[string][]string{"code_item_lookup": {notFound}, "request_code_context": {nothing}})
	checkWords(t, answer, []string{"no symbol Y", "- `Yes` (function) — /w/a.go:3"}, nil)
}

func TestStreams(t *testing.T) {
	messages := []llm.Message{{Role: llm.User, Text: "help"}}
	text, _, _, err := send(t.Context(), messages)
	if err != nil || len(text) < 10 {
		t.Errorf("%d deltas, %v", len(text), err)
	}
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	for _, err := range embedded.Model().Provider.Send(ctx, &llm.Request{Messages: messages}) {
		cancel(stopped)
		if err != nil && err != stopped {
			t.Error(err)
		}
	}
	if text, _, _, err := send(ctx, messages); err != stopped || len(text) > 0 {
		t.Errorf("after the cancel: %q, %v", text, err)
	}
}

// TestAMentionOfAWholeFileIsItsName asks about an attached file, and by its name.
func TestAMentionOfAWholeFileIsItsName(t *testing.T) {
	const attached = "<code=\"/w/z.go\" #1:2>\n  1  package z\n  2  func X() {}\n</code>\n\n"
	for mentioned, named := range map[string]string{
		"explain @z.go": "explain z.go", "@z.go what does this file do?": "what does z.go do?", "what is this @z.go": "what is z.go", "@z.go": "z.go",
	} {
		results := func() map[string][]string {
			return map[string][]string{"request_code_context": {`{"ok":true,"results":[]}`}, "code_item_lookup": {notFound, notFound},
				"code_item_outline": {notFound}, "read_file": {`{"ok":true,"text":"package z\n"}`}, "list_dir": {notFound}, "search_text": {notFound}}
		}
		want, told := dialog(t, named, results())
		got, answer := dialog(t, attached+mentioned, results())
		if d := cmp.Diff(want, got); d != "" || answer != told {
			t.Errorf("%s: %s\n%s\nand by name\n%s", mentioned, d, answer, told)
		}
	}
}

// TestAnAttachedFolderIsListed asks what an attached folder has, and of attached files that look like one.
func TestAnAttachedFolderIsListed(t *testing.T) {
	attached := func(path, first string) string {
		return "<code=\"" + path + "\" #1:2>\n 1 " + first + "\n 2   b.go: B\n</code>\n\n"
	}
	listing := `{"ok":true,"entries":[{"path":"/w/src/lib/b.go","type":"file","bytes":9}],"omitted":0}`
	for message, want := range map[string]string{
		attached("src/lib", "b/") + "what is here @src/lib":             `list_dir {"dir":"src/lib","limit":1000}`,
		attached("src/lib", "b.go: A, B") + "what's in this folder?":    `list_dir {"dir":"src/lib","limit":1000}`,
		attached("/w/src/lib", "(the folder is empty)") + "@src/lib":    `list_dir {"dir":"/w/src/lib","limit":1000}`,
		attached("lib", "b (left out: binary)") + "summarize this @lib": `list_dir {"dir":"lib","limit":1000}`,
		attached("Makefile", "b/") + "what is here @Makefile":           `code_item_lookup {"name":"Makefile"}`,
		attached("src/lib", "package b") + "what is here":               `list_dir {"limit":1000}`,
		attached("src/lib", "b/") + "who calls Run":                     `code_item_lookup {"name":"Run"}`,
	} {
		results := map[string][]string{"list_dir": {listing, listing}, "code_item_lookup": {notFound, notFound}, "search_text": {nothing, nothing, nothing, nothing, nothing},
			"request_code_context": {nothing}, "read_file": {notFound}, "project_facts": {nothing}}
		if calls, _ := dialog(t, message, results); calls[0] != want {
			t.Errorf("%s: the calls are %q", message, calls)
		}
	}
}

// TestAnInstructionOnAttachedCode changes what a message calls "this". A line within a symbol is not the symbol.
func TestAnInstructionOnAttachedCode(t *testing.T) {
	const around = `{"ok":true,"results":[{"id":"/w/z.py#1:90","canon":"T","kind":"class"},` +
		`{"id":"/w/z.py#3:9","canon":"T::x","kind":"method","file":"/w/z.py",` +
		`"snippet":"<code=\"/w/z.py\" #3:9>\n  @cached\n  def x(self):\n    return 1\n</code>"}]}`
	attached := func(line string) string {
		return "<code=\"/w/z.py\" #" + line + ":" + line + ">\n  " + line + "  code\n</code>\n\n"
	}
	const ofX, ofT, x = `code_item_lookup {"file":"/w/z.py","name":"T::x"}`, `code_item_lookup {"file":"/w/z.py","name":"T"}`,
		`code_item_lookup {"name":"x"}`
	tests := []struct{ line, message, call, says string }{
		{"3", "rename this to y", x, ""},
		{"4", "Please rename this to y.", x, ""},
		{"4", "rename to y @z.py#L4", x, ""},
		{"5", "rename this method to y", x, ""},
		{"5", "rename this class to U", `code_item_lookup {"name":"T"}`, ""},
		{"5", "rename this to y", "", "line 5 is within the method `T::x`, at /w/z.py:3. If you mean that, say `rename T.x to y`"},
		{"5", "delete it", "", "say `delete T.x`"},
		{"3", "@z.py#L3 delete this", ofX, ""},
		{"5", "remove this function", ofX, ""},
		{"5", "delete this class", ofT, ""},
		{"3", "move this to b.py", ofX, ""},
		{"3", "add a doc comment: Says x.", ofX, ""},
		{"3", "add a doc comment to this: Says x.", ofX, ""},
		{"3", "document this method", ofX, ""},
	}
	for _, tt := range tests {
		const failed = `{"ok":false,"code":"timeout","error":"took too long"}`
		calls, answer := dialog(t, attached(tt.line)+tt.message, map[string][]string{"request_code_context": {around},
			"code_item_lookup": {failed, failed}})
		want := []string{`request_code_context {"hint":"/w/z.py:` + tt.line + `","token_budget":4096}`}
		if tt.call != "" {
			want = append(want, tt.call)
		}
		if d := cmp.Diff(want, calls[:min(2, len(calls))]); d != "" {
			t.Errorf("%s: %s", tt.message, d)
		}
		checkWords(t, answer, []string{tt.says}, nil)
	}
	if calls, _ := dialog(t, attached("3")+"add a doc comment to T: wraps it", map[string][]string{"code_item_lookup": {
		`{"ok":false,"code":"timeout","error":"took too long"}`}}); !slices.Equal(calls, []string{`code_item_lookup {"name":"T"}`}) {
		t.Errorf("a text with such a word makes the calls %q", calls)
	}
	calls, answer := dialog(t, "rename this to y", nil)
	if len(calls) > 0 {
		t.Errorf("without attached code, it calls %q", calls)
	}
	checkWords(t, answer, []string{"Which one do you mean?", "`rename NAME to y`"}, nil)
}

// TestAttachedCodeIsThis asks about attached code.
func TestAttachedCodeIsThis(t *testing.T) {
	const around = `{"ok":true,"results":[{"id":"/w/z.go#1:90","canon":"T","kind":"struct"},{"id":"/w/z.go#4:6","canon":"S::X",` +
		`"kind":"method","snippet":"<code=\"/w/z.go\" #4:6>\nfunc (S) X() {\n\tgo()\n}\n</code>"}]}`
	const attached = "<code=\"/w/z.go\" #2:5>\n  2  \n  3  // X does x.\n  4  func (S) X() {\n  5  \tgo()\n</code>\n\n"
	search := `request_code_context {"hint":"/w/z.go:4","token_budget":4096}`
	edges := func(direction string) string {
		return `code_item_edges {"canon":"S::X","direction":"` + direction + `","file":"/w/z.go","kind":"method","limit":600}`
	}
	tests := []struct {
		question string
		calls    []string
		says     string
	}{
		{"who calls this?", []string{search, edges("callers")}, "`main` calls `S::X`, at /w/b.go:9."},
		{"what does this function call", []string{search, edges("callees")}, "It also names these"},
		{"where is that called from?", []string{search, edges("callers")}, "`main` calls `S::X`"},
		{"explain this code", []string{search}, "Line 4 is in the method `S::X`, at /w/z.go:4."},
		{"Explain", []string{search}, "Line 4 is in the method `S::X`"},
		{"what is this", []string{search}, "Line 4 is in the method `S::X`"},
		{"what does it do?", []string{search}, "Line 4 is in the method `S::X`"},
		{"@z.go#L2-L5 what is this?", []string{search}, "Line 4 is in the method `S::X`"},
		{"who calls this @z.go#L2", []string{search, edges("callers")}, "`main` calls `S::X`"},
		{"@z.go#L2", []string{search}, "Line 4 is in the method `S::X`"},
	}
	for _, tt := range tests {
		calls, answer := dialog(t, attached+tt.question, map[string][]string{"request_code_context": {around},
			"code_item_edges": {`{"ok":true,"edges":[{"kind":"call","file":"/w/b.go","line":9,"from":"main","name":"X","confidence":1,` +
				`"target":null,"text":"s.X()"}],"omitted":0}`}})
		if d := cmp.Diff(tt.calls, calls); d != "" {
			t.Errorf("%s: %s", tt.question, d)
		}
		checkWords(t, answer, []string{tt.says}, nil)
	}
}
