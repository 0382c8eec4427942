package session

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/edits"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/session/records"
	"ploke-lsp/tools"
	"ploke-lsp/tools/wording"
)

// startOnFiles runs scripted models with the real tools on files, as a project does. It returns
// the first folder of the workspace, and a function that adds another.
func startOnFiles(t *testing.T, files map[string]string, script ...llmtest.Turn) (h *harness, root string, add func(dir string)) {
	t.Helper()
	space, x := openFiles(t, files)
	h = start(t, nil, func(o *Options) {
		o.Workspace.Roots, o.Workspace.Paths = space.Roots, space
		o.Tools = tools.New(tools.Deps{Workspace: space, Index: x, Edits: edits.New(o.DB, space, edits.Options{})})
	}, script...)
	return h, space.Roots()[0], func(dir string) {
		if err := space.AddRoot(dir); err != nil {
			t.Error(err)
		}
	}
}

func readCall(id, file string) llmtest.Call {
	return llmtest.Call{ID: id, Name: "read_file", Arguments: `{"file":"` + file + `"}`}
}

// TestAModelReadsTextAndProgramsReadJSON compares what one call sends, publishes and stores.
func TestAModelReadsTextAndProgramsReadJSON(t *testing.T) {
	h, root, _ := startOnFiles(t, map[string]string{"a.go": "package a\n\nvar x = \"<&>\"\n"}, calls(readCall("1", "a.go"), readCall("2", "b.go")), says("done"))
	turn, _ := h.ask(t, Prompt{Text: "go", Attachments: []records.Attachment{{Path: filepath.Join(root, "a.go"), StartLine: 3, EndLine: 3, Text: "var x = \"<&>\"\n"}}})
	sent := h.server.Requests()[1].Messages
	if want := "<code=\"a.go\" #3:3>\n  3  var x = \"<&>\"\n</code>\n\ngo"; sent[1].Content != want {
		t.Errorf("the attachment is sent as %q", sent[1].Content)
	}
	const read = "<code=\"a.go\" #1:3>\n  1  package a\n  2  \n  3  var x = \"<&>\"\n</code>\n3 lines in the file, hash "
	if !strings.HasPrefix(sent[3].Content, read) {
		t.Errorf("the result is sent as %q", sent[3].Content)
	}
	const missing = "error: there is no file b.go\nfile: use one of the candidates, or look with list_dir\ncandidates:\na.go"
	if sent[4].Content != missing {
		t.Errorf("the failure is sent as %q", sent[4].Content)
	}
	want := `"file":"` + filepath.ToSlash(filepath.Join(root, "a.go")) + `"`
	published := await(h, func(e bus.ToolCallCompleted) bool { return e.CallID == "1" })
	record := h.history(t, turn.ConversationID)[1].Calls[0]
	if !strings.Contains(string(published.Content), want) || string(record.Content) != string(published.Content) {
		t.Errorf("published is %s, and stored is %s", published.Content, record.Content)
	}
}

// TestARequestsStartStaysTheSameWhenAFolderIsAdded adds a folder in the middle of a turn, after
// which each path begins with the name of its folder.
func TestARequestsStartStaysTheSameWhenAFolderIsAdded(t *testing.T) {
	reads := []llmtest.Call{readCall("1", "src/a.go"), {ID: "2", Name: "list_dir", Arguments: `{"depth":3}`},
		{ID: "3", Name: "search_text", Arguments: `{"pattern":"func"}`}, {ID: "4", Name: "get_file_metadata", Arguments: `{"file":"src/a.go"}`},
		{ID: "5", Name: "code_item_lookup", Arguments: `{"name":"run"}`}, readCall("6", "nothing.go")}
	again := slices.Clone(reads)
	for i := range again {
		again[i].ID += "again"
	}
	other := filepath.Join(t.TempDir(), "other")
	if err := os.Mkdir(other, 0o755); err != nil {
		t.Fatal(err)
	}
	var add func(dir string)
	second := calls(again...)
	second.Check = func(*llmtest.Request) error { add(other); return nil }
	h, root, add2 := startOnFiles(t, map[string]string{"src/a.go": "package a\n\nfunc run() {}\n"}, calls(reads...), second, calls(readCall("7", "src/a.go")), says("done"))
	add = add2
	if _, outcome := h.ask(t, Prompt{Text: "go"}); outcome.Err != nil {
		t.Fatal(outcome.Err)
	}
	requests := h.server.Requests()
	checkPrefixes(t, requests)
	last := requests[len(requests)-1]
	before, after := messageOf(last, "1"), messageOf(last, "1again")
	if label := filepath.Base(root); !strings.Contains(before, `<code="src/a.go"`) || !strings.Contains(after, `<code="`+label+`/src/a.go"`) {
		t.Errorf("before: %s\nafter: %s", before, after)
	}
}

// messageOf returns the result of a call in a request.
func messageOf(r llmtest.Request, callID string) string {
	i := slices.IndexFunc(r.Messages, func(m llmtest.Message) bool { return m.ToolCallID == callID })
	return r.Messages[i].Content
}

// displayed is the content of a tool that shows code, as a file's text is shown.
type displayed struct {
	OK      bool   `json:"ok"`
	Snippet string `json:"snippet"`
}

func (s displayed) Text(w *wording.Writer) { w.Shown(s.Snippet) }

// TestNumbersOfLinesHideNoKey shows keys whose last line is short, between numbers: in a result
// whose file nobody has scanned, in a recalled one that has only the last line, and in an attachment
// that outlives its message.
func TestNumbersOfLinesHideNoKey(t *testing.T) {
	keys := [][]string{keyLines(6, 64), keyLines(7, 70), keyLines(5, 64)}
	ends := []string{"Qz7x==", "Kk3P==", "Wm8R=="} // too short to be hidden elsewhere
	for i := range keys {
		keys[i][len(keys[i])-1] = ends[i]
	}
	show := tools.Define[displayed]("show", "shows", tools.Short, func(context.Context, tools.Env, text) (tools.Result, error) {
		return tools.OK(displayed{true, wording.Snippet("/w/key.pem", 5, pem("RSA ", keys[0]))}, "shown")
	})
	h, _ := onSecrets(t, map[string]string{"key.txt": pem("EC ", keys[1])},
		calls(call("1", "show", ""), llmtest.Call{ID: "2", Name: "read_file", Arguments: `{"file":"key.txt","start_line":8}`}),
		calls(llmtest.Call{ID: "3", Name: "recall_tool_result", Arguments: `{"call_id":"1"}`},
			llmtest.Call{ID: "4", Name: "recall_tool_result", Arguments: `{"call_id":"2"}`}),
		says("done"), says("long"), says("and more"), says("at last"))
	set := tools.NewSet(append(slices.Clone(h.opts.Tools.All()), show)...)
	h.opts.Tools, h.kept.render.Tools, h.dispatcher.tools = set, set, set
	turn, outcome := h.ask(t, Prompt{Text: "look", Attachments: []records.Attachment{{Path: "/w/old.pem", StartLine: 1, EndLine: 7, Text: pem("", keys[2])}}})
	if outcome.Err != nil {
		t.Fatal(outcome.Err)
	}
	for range 3 {
		h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: strings.Repeat("many words ", 15_000)})
	}
	requests := h.server.Requests()
	if pinned := requests[len(requests)-1].Messages[1].Content; !strings.Contains(pinned, "\nAttached earlier") {
		t.Errorf("the attachment was not kept: %.300s", pinned)
	}
	for i, r := range requests {
		for _, m := range r.Messages {
			if shown := leaked(string(m.Raw), slices.Concat(keys...)); len(shown) > 0 {
				t.Errorf("request %d shows %d lines, such as %s:\n%.2500s", i+1, len(shown), shown[0], m.Raw)
			}
			for _, end := range ends {
				if strings.Contains(m.Content, end) {
					t.Errorf("request %d shows the end of a key, %s:\n%.2500s", i+1, end, m.Content)
				}
			}
		}
	}
}
