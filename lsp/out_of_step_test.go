package lsp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

// sendChange sends a didChange whose version and contentChanges are spelt like this.
func sendChange(e *lsptest.Editor, path, version, changes string) {
	notifyRaw(e, protocol.MethodTextDocumentDidChange, fmt.Sprintf(
		`{"textDocument":{"uri":%q,"version":%s},"contentChanges":%s}`, fileURI(path), version, changes))
}

func notifyRaw(e *lsptest.Editor, method, params string) { e.Notify(method, json.RawMessage(params)) }

// settle waits until the notifications so far are handled.
func settle(e *lsptest.Editor) { e.Call(ploke.MethodChatList, nil, nil) }

// reopenMessages returns the messages that ask the person to open a document again.
func reopenMessages(e *lsptest.Editor) (found []string) {
	for _, m := range e.Messages() {
		if strings.Contains(m.Message, "open it again") {
			found = append(found, m.Message)
		}
	}
	return found
}

func insertAt(line, character string) string {
	position := fmt.Sprintf(`{"line":%s,"character":%s}`, line, character)
	return fmt.Sprintf(`[{"range":{"start":%s,"end":%s},"text":"x"}]`, position, position)
}

// TestAWholeNumberIsTakenInAnySpelling checks the spellings that JSON has for an integer.
func TestAWholeNumberIsTakenInAnySpelling(t *testing.T) {
	f := newFixture(t)
	e := f.start(lsptest.Options{})
	path := f.path("a.txt")
	for _, spelling := range []string{"1", "1.0", "1e0", "10e-1", "0.1e1", "1.000"} {
		for _, changes := range []string{insertAt("1", spelling), insertAt(spelling, "1")} {
			e.OpenText(path, "one\ntwo\n")
			sendChange(e, path, "2.0", changes)
			settle(e)
			if text, outOfStep, _ := f.server.Document(fileURI(path)); text != "one\ntxwo\n" {
				t.Errorf("after %s the text is %q, out of step because %q", changes, text, outOfStep)
			}
		}
	}
	if n := len(reopenMessages(e)); n > 0 {
		t.Errorf("the person was asked to reopen %d times", n)
	}
}

// TestAChangeThatCannotBeAppliedIsRefused checks that the server admits not to know the
// text, asks the person once, and is healed by a whole text and by opening again.
func TestAChangeThatCannotBeAppliedIsRefused(t *testing.T) {
	t.Parallel()
	text := "one\n😀two\n"
	at := `{"line":1,"character":0}`
	for name, sent := range map[string][2]string{ // version and contentChanges
		"a negative line":             {"2", insertAt("-1", "0")},
		"a line of 2^32":              {"2", insertAt("4294967296", "0")},
		"a line of 1e400":             {"2", insertAt("1e400", "0")},
		"half a line":                 {"2", insertAt("0.5", "0")},
		"a line in a string":          {"2", insertAt(`"0"`, "0")},
		"no line":                     {"2", `[{"range":{"start":{"character":0},"end":` + at + `},"text":"x"}]`},
		"a line that is null":         {"2", insertAt("null", "0")},
		"a line that is true":         {"2", insertAt("true", "0")},
		"a negative character":        {"2", insertAt("0", "-1")},
		"a character of 2^32":         {"2", insertAt("0", "4294967296")},
		"a character in a string":     {"2", insertAt("0", `"0"`)},
		"no character":                {"2", `[{"range":{"start":{"line":0},"end":` + at + `},"text":"x"}]`},
		"no end":                      {"2", `[{"range":{"start":` + at + `},"text":"x"}]`},
		"no start":                    {"2", `[{"range":{"end":` + at + `},"text":"x"}]`},
		"an empty range":              {"2", `[{"range":{},"text":"x"}]`},
		"a range that is null":        {"2", `[{"range":null,"text":"x"}]`},
		"a range that is a list":      {"2", `[{"range":[0,0,0,0],"text":"x"}]`},
		"no text":                     {"2", `[{"range":{"start":` + at + `,"end":` + at + `}}]`},
		"a text that is null":         {"2", `[{"range":{"start":` + at + `,"end":` + at + `},"text":null}]`},
		"a text that is a number":     {"2", `[{"text":1}]`},
		"a change that is null":       {"2", `[null]`},
		"changes that are null":       {"2", `null`},
		"changes that are an object":  {"2", `{"text":"x"}`},
		"an end before the start":     {"2", `[{"range":{"start":` + at + `,"end":{"line":0,"character":1}},"text":"x"}]`},
		"a place inside a character":  {"2", insertAt("1", "1")},
		"a version that goes back":    {"0", insertAt("0", "0")},
		"a version in a string":       {`"2"`, insertAt("0", "0")},
		"a good change before a bad":  {"2", strings.TrimSuffix(insertAt("0", "0"), "]") + "," + strings.TrimPrefix(insertAt("-1", "0"), "[")},
		"a whole text before a bad":   {"2", `[{"text":"all"},` + strings.TrimPrefix(insertAt("-1", "0"), "[")},
		"a version that is too large": {"2147483648", insertAt("0", "0")},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			e := f.start(lsptest.Options{})
			path := f.path("shapes/rect.go")
			check := func(when, want string, known bool) {
				t.Helper()
				settle(e)
				got, outOfStep, open := f.server.Document(fileURI(path))
				if got != want || (outOfStep == "") != known || !open {
					t.Errorf("%s the text is %q, out of step because %q; want %q", when, got, outOfStep, want)
				}
			}
			e.OpenText(path, text)
			sendChange(e, path, sent[0], sent[1])
			check("after the change", "", false)
			sendChange(e, path, "3", insertAt("0", "0"))
			sendChange(e, path, sent[0], sent[1])
			check("after further changes", "", false)
			if m := reopenMessages(e); len(m) != 1 || !strings.Contains(m[0], "rect.go") {
				t.Errorf("the person was told %q, want one message that names the file", m)
			}
			sendChange(e, path, "4", `[{"text":"all\n"},`+strings.TrimPrefix(insertAt("1", "0"), "["))
			check("after a whole text", "all\nx", true)
			sendChange(e, path, "5", insertAt("0", "0"))
			check("after one more change", "xall\nx", true)
			sendChange(e, path, "6", insertAt("-1", "0"))
			check("after another bad change", "", false)
			e.OpenText(path, text)
			check("after opening it again", text, true)
			if n := len(reopenMessages(e)); n != 1 {
				t.Errorf("the person was asked %d times, want once for each time that the document was opened", n)
			}
		})
	}
}

// TestADocumentOutOfStepIsNeitherReadNorEdited breaks a document that a proposal changes.
// Neither its last text nor the one on disk is served, and accepting fails without harm.
func TestADocumentOutOfStepIsNeitherReadNorEdited(t *testing.T) {
	f := newFixture(t)
	e := f.startIndexed()
	path := f.path("shapes/rect.go")
	e.OpenText(path, strings.Replace(read(t, path), "\n", "\n\ntype Typed struct{}\n", 1))
	id := renameSquare(t, e)
	if !e.Finds("Typed") || !e.Finds("Rect") {
		t.Fatal("the unsaved text is not found")
	}
	sendChange(e, path, "2", insertAt("-1", "0"))
	if e.Finds("Typed") || e.Finds("Rect") || !e.Finds("Circle") {
		t.Error("what is found is not exactly the other files")
	}
	if got := codeActions(e, path); got != 0 {
		t.Errorf("%d code actions are offered on a text that is not known", got)
	}
	send := ploke.ChatSendParams{Text: "what is this", Attachments: []ploke.Attachment{{URI: fileURI(path)}}}
	if err := e.Try(t.Context(), ploke.MethodChatSend, send, nil); err == nil || !strings.Contains(err.Error(), "reopen it") {
		t.Errorf("attaching it fails with %v", err)
	}
	if err := e.Error(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id}); !strings.Contains(err.Message,
		"rect.go is not served") {
		t.Errorf("accepting fails with %q", err.Message)
	}
	if got := read(t, path); strings.Contains(got, "squared") {
		t.Errorf("the file was written:\n%s", got)
	}
	e.CloseDocument(path)
	e.Open(path)
	var decision ploke.ProposalDecision
	e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id}, &decision)
	if decision.Status != "verified" || !strings.Contains(e.Text(path), "squared") {
		t.Errorf("after opening it again, accepting ends with %q", decision.Status)
	}
}

// TestToolsSayWhyADocumentOutOfStepIsNotRead lets a model read one.
func TestToolsSayWhyADocumentOutOfStepIsNotRead(t *testing.T) {
	f := newFixture(t)
	path := f.path("shapes/rect.go")
	content := callTool(t, f, lsptest.Options{}, func(e *lsptest.Editor) {
		e.Open(path)
		sendChange(e, path, "2", insertAt("-1", "0"))
	}, "read_file", `{"file":"shapes/rect.go"}`)
	if !strings.Contains(content, "its text there is not known") || !strings.Contains(content, "-1 is not a whole number") {
		t.Errorf("the tool answers %s", content)
	}
}

// TestADocumentOutOfStepIsFoundAgainAfterClosing also scans the disk meanwhile.
func TestADocumentOutOfStepIsFoundAgainAfterClosing(t *testing.T) {
	f := newFixture(t)
	e := f.startIndexed()
	path := f.path("shapes/rect.go")
	e.Open(path)
	sendChange(e, path, "2", insertAt("-1", "0"))
	f.write("shapes/rect.go", "package shapes\n\ntype Saved struct{}\n")
	e.Ask("where is Saved") // a turn scans the disk
	if e.Finds("Saved") || e.Finds("Rect") {
		t.Error("the text on disk is found, although another one is in the editor")
	}
	e.CloseDocument(path)
	e.DiskChanged(path)
	e.Ask("where is Saved")
	if !e.Finds("Saved") {
		t.Error("the text on disk is not found after the document was closed")
	}
}

// codeActions counts the actions that are offered at the first functions of a document.
func codeActions(e *lsptest.Editor, path string) (n int) {
	for line := range uint32(10) {
		at := protocol.Position{Line: line}
		var actions []json.RawMessage
		e.Call(protocol.MethodTextDocumentCodeAction, &protocol.CodeActionParams{
			TextDocument: protocol.TextDocumentIdentifier{URI: fileURI(path)}, Range: protocol.Range{Start: at, End: at},
		}, &actions)
		n += len(actions)
	}
	return n
}
