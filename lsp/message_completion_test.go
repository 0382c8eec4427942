package lsp_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

// complete completes the last word of a text. It returns the items' kinds and labels.
func complete(e *lsptest.Editor, text string) (result ploke.ChatCompleteResult, labels []string) {
	e.Call(ploke.MethodChatComplete, ploke.ChatCompleteParams{Text: text}, &result)
	for _, item := range result.Items {
		labels = append(labels, string(item.Kind)+" "+item.Label)
	}
	return result, labels
}

func TestAnInputOfTheClientIsCompleted(t *testing.T) {
	f := newFixture(t)
	f.useCommands(map[string]string{"review.md": "---\ndescription: Reviews a file\nargument-hint: [FILE]\n---\nReview $1.", "explain.md": "Explain."})
	f.write("notes/über.md", "# Notes\n")
	e := f.startIndexed()
	for _, tt := range []struct {
		text    string
		replace int
		first   string
	}{
		{"See @sha", 4, "folder shapes/"},
		{"@shapes/ci", 10, "file shapes/circle.go"},
		{"@", 1, "command diagnostics"},
		{"@note", 5, "folder notes/"},
		{"one\ntwo @circle", 7, "file shapes/circle.go"},
		{"@rct", 4, "file shapes/rect.go"},
		{"@shrect", 7, "file shapes/rect.go"},
		{"@notes/ü", 8, "file notes/über.md"},
		{"What is #squ", 4, "symbol square"},
		{"What is #sqr", 4, "symbol square"},
		{"\n/rev", 4, "command /review"},
		{"mail me@sha", 0, ""},
		{"a #1 b", 0, ""},
		{"and /rev", 0, ""},
		{"/review /ex", 0, ""},
		{"@../", 0, ""},
		{"@/etc/pass", 0, ""},
		{"", 0, ""},
	} {
		result, labels := complete(e, tt.text)
		if result.Replace != tt.replace || (len(labels) > 0) != (tt.first != "") || tt.first != "" && labels[0] != tt.first {
			t.Errorf("%q: replaces %d with %q, want %d with %q first", tt.text, result.Replace, labels, tt.replace, tt.first)
		}
	}
}

// TestACompletionHasWhatIsSentWithTheMessage follows the ways from a completion to an attachment.
func TestACompletionHasWhatIsSentWithTheMessage(t *testing.T) {
	f := newFixture(t)
	f.useCommands(map[string]string{"review.md": "---\ndescription: Reviews a file\nargument-hint: [FILE]\n---\nReview $1."})
	e := f.startIndexed()
	find := func(text, label string) ploke.ChatCompletion {
		t.Helper()
		result, labels := complete(e, text)
		i := slices.IndexFunc(result.Items, func(item ploke.ChatCompletion) bool { return item.Label == label })
		if i < 0 {
			t.Fatalf("%q is not completed to %q: %q", text, label, labels)
		}
		return result.Items[i]
	}
	if got := find("/re", "/review"); got.Insert != "/review" || got.Detail != "[FILE] Reviews a file" || got.Attachment != nil {
		t.Errorf("a command is completed as %+v", got)
	}
	for _, tt := range []struct {
		text, label, insert, path string
	}{
		{"@shapes/c", "shapes/circle.go", "@shapes/circle.go", "shapes/circle.go"},
		{"@shap", "shapes/", "@shapes/", "shapes"},
	} {
		got := find(tt.text, tt.label)
		if got.Insert != tt.insert || got.Attachment == nil || got.Attachment.URI != uri.File(f.path(tt.path)) || got.Attachment.Range != nil {
			t.Errorf("%q is completed as %+v", tt.text, got)
		}
	}
	symbol := find("#square", "square")
	want := ploke.Attachment{URI: uri.File(f.path("shapes/circle.go")),
		Range: &protocol.Range{Start: protocol.Position{Line: 15}, End: protocol.Position{Line: 15}}}
	if d := cmp.Diff(&want, symbol.Attachment); d != "" || symbol.Insert != "`square`" || symbol.Detail != "shapes/circle.go" {
		t.Errorf("a symbol is completed as %+v: %s", symbol, d)
	}
}

// withState returns options of an editor whose state is what state points to.
func withState(state *ploke.ClientState, more ...string) lsptest.Options {
	methods := append([]string{ploke.MethodClientState}, more...)
	return lsptest.Options{Capabilities: lsptest.WithMethods(lsptest.Capabilities(), methods...),
		State: func(context.Context) *ploke.ClientState { return state }}
}

// TestOpenFilesAreOfferedFirst: before anything is typed, and before files that fit as well.
func TestOpenFilesAreOfferedFirst(t *testing.T) {
	f := newFixture(t)
	for _, name := range []string{"area.go", "deep/inside/area_two.go", "last.go", "recent.go"} {
		f.write(name, "package any\n")
	}
	f.write(".env", "KEY=secret\n")
	document := func(name string) uri.URI { return fileURI(f.path(name)) }
	e := f.start(withState(&ploke.ClientState{Recent: []uri.URI{document("recent.go"), "untitled:x"},
		Open: []uri.URI{document("last.go"), document("deep/inside/area_two.go"), document(".env")}}))
	e.AwaitIndex()
	for text, first := range map[string][]string{
		"@":     {"file last.go", "file deep/inside/area_two.go", "file recent.go", "command diagnostics"},
		"@area": {"file deep/inside/area_two.go", "file area.go"},
		"@a":    {"file deep/inside/area_two.go", "file area.go"},
		"@rece": {"file recent.go"},
		"@last": {"file last.go"},
	} {
		if _, labels := complete(e, text); len(labels) < len(first) || !slices.Equal(labels[:len(first)], first) {
			t.Errorf("%q is completed to %q, want %q first", text, labels, first)
		}
	}
}

// TestSymbolsOfOpenFilesAreOfferedFirst: of a hundred files that declare the same, the open one comes first, then that
// beside it; tests come last, and a whole name before any beginning.
func TestSymbolsOfOpenFilesAreOfferedFirst(t *testing.T) {
	f := newFixture(t)
	source := func(i int) string {
		return fmt.Sprintf("package p%d\n\ntype Server struct{}\n\nfunc (s *Server) ServeHTTP() {}\n\nfunc ServeHTTPSlowly() {}\n", i)
	}
	for i := range 100 {
		f.write(fmt.Sprintf("p%02d/a.go", i), source(i))
	}
	f.write("p77/b.go", "package p77\n\nfunc ServeHTTPNow() {}\n")
	f.write("p03/a_test.go", "package p3\n\nfunc ServeHTTPInATest() {}\n")
	f.write("p05/whole.go", "package p5\n\nfunc ServeH() {}\n")
	state := &ploke.ClientState{}
	e := f.start(withState(state))
	e.AwaitIndex()
	open := f.path("p77/a.go")
	e.Open(open)
	state.Selection = &protocol.Location{URI: fileURI(open)}
	first := func(text string, n int) (list []string) {
		t.Helper()
		result, _ := complete(e, text)
		for _, item := range result.Items[:min(n, len(result.Items))] {
			list = append(list, item.Label+" "+item.Detail)
		}
		return list
	}
	check := func(text string, want ...string) {
		t.Helper()
		if got := first(text, len(want)); !slices.Equal(got, want) {
			t.Errorf("%q is completed to %q, want %q", text, got, want)
		}
	}
	check("#ServeHT", "Server::ServeHTTP p77/a.go", "ServeHTTPSlowly p77/a.go", "ServeHTTPNow p77/b.go")
	check("#ServeH", "ServeH p05/whole.go", "Server::ServeHTTP p77/a.go")
	check("#ServeHTTP", "Server::ServeHTTP p77/a.go")
	check("#", "Server p77/a.go", "Server::ServeHTTP p77/a.go", "ServeHTTPSlowly p77/a.go")
	result, _ := complete(e, "#ServeHTTPI")
	if len(result.Items) == 0 || result.Items[0].Label != "ServeHTTPInATest" {
		t.Errorf("a test is not found: %+v", result.Items)
	}
	result, _ = complete(e, "#ServeHTTP")
	for i, item := range result.Items {
		if item.Detail == "p03/a_test.go" && i < len(result.Items)-1 && strings.HasPrefix(result.Items[i+1].Label, "ServeHTTP") {
			t.Errorf("a test stands at %d of %d", i, len(result.Items))
		}
	}
}

// TestWhatTheConversationTouchedIsOfferedFirst attaches a file, and asks for its namesakes later.
func TestWhatTheConversationTouchedIsOfferedFirst(t *testing.T) {
	f := newFixture(t)
	for _, name := range []string{"a", "b", "c"} {
		f.write(name+"/codec.go", "package "+name+"\n\nfunc Encode() {}\n")
	}
	f.useModel(answers("fine"))
	e := f.startIndexed()
	conversation := newConversation(e)
	sendDone(t, e, ploke.ChatSendParams{ConversationID: conversation, Text: "look",
		Attachments: []ploke.Attachment{{URI: fileURI(f.path("c/codec.go"))}}})
	for text, want := range map[string]string{"#Enc": "c/codec.go", "@codec": "c/codec.go"} {
		var result ploke.ChatCompleteResult
		e.Call(ploke.MethodChatComplete, ploke.ChatCompleteParams{Text: text, ConversationID: conversation}, &result)
		if len(result.Items) < 3 || result.Items[0].Attachment.URI != fileURI(f.path(want)) {
			t.Errorf("%q is completed to %+v", text, result.Items)
		}
	}
}

// TestMatchedLetters are those that a client draws bold.
func TestMatchedLetters(t *testing.T) {
	f := newFixture(t)
	f.write("ö😀dir/Big_name.go", "package any\n")
	e := f.startIndexed()
	for _, tt := range []struct {
		text, label string
		matched     []int
	}{
		{"@name", "ö😀dir/Big_name.go", []int{11, 12, 13, 14}},
		{"@big_n", "ö😀dir/Big_name.go", []int{7, 8, 9, 10, 11}},
		{"@bn", "ö😀dir/Big_name.go", []int{7, 11}},
		{"@ö😀", "ö😀dir/", []int{0, 1, 2}},
		{"#squ", "square", []int{0, 1, 2}},
	} {
		result, labels := complete(e, tt.text)
		i := slices.IndexFunc(result.Items, func(item ploke.ChatCompletion) bool { return item.Label == tt.label })
		if i < 0 || !slices.Equal(result.Items[i].Matched, tt.matched) {
			t.Errorf("%q is completed to %q: %+v, want the letters %v", tt.text, labels, result.Items, tt.matched)
		}
	}
}

// TestActionsOfTheClientAreOfferedBehindTheCommands: only those that it names.
func TestActionsOfTheClientAreOfferedBehindTheCommands(t *testing.T) {
	f := newFixture(t)
	e := f.startIndexed()
	offered := func(text string, actions ...ploke.ClientAction) (labels []string) {
		var result ploke.ChatCompleteResult
		e.Call(ploke.MethodChatComplete, ploke.ChatCompleteParams{Text: text, Actions: actions}, &result)
		for _, item := range result.Items {
			labels = append(labels, item.Label)
		}
		return labels
	}
	all := []ploke.ClientAction{ploke.ActionAddCommand, ploke.ActionHelp, ploke.ActionModel, ploke.ActionNew}
	for _, tt := range []struct {
		text    string
		actions []ploke.ClientAction
		want    []string
	}{
		{"/", all, []string{"/commit", "/docs", "/explain", "/fix", "/review", "/tests", "/new", "/model", "/help", "Add a command…"}},
		{"/", nil, []string{"/commit", "/docs", "/explain", "/fix", "/review", "/tests"}},
		{"/mo", all, []string{"/model"}},
	} {
		if got := offered(tt.text, tt.actions...); !slices.Equal(got, tt.want) {
			t.Errorf("%q offers %q, want %q", tt.text, got, tt.want)
		}
	}
}
