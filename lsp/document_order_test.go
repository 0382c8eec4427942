package lsp_test

import (
	"runtime"
	"strconv"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp/lsptest"
)

// TestUnusualNotificationsAreWellDefined sends what LSP advises against.
func TestUnusualNotificationsAreWellDefined(t *testing.T) {
	const text = "one\ntwo"
	all := func(with string) string { return `[{"text":` + strconv.Quote(with) + `}]` }
	change := func(start, end, with string) string {
		return `[{"range":{"start":` + start + `,"end":` + end + `},"text":` + strconv.Quote(with) + `}]`
	}
	for name, tt := range map[string]struct {
		send   func(e *lsptest.Editor, path string)
		want   string
		closed bool // nothing is open in the end
	}{
		"a line after the end": {func(e *lsptest.Editor, path string) {
			sendChange(e, path, "2", change(`{"line":9,"character":9}`, `{"line":4294967295,"character":0}`, "!"))
		}, "one\ntwo!", false},
		"a character after the end of a line": {func(e *lsptest.Editor, path string) {
			sendChange(e, path, "2", change(`{"line":0,"character":99}`, `{"line":0,"character":4294967295}`, "!"))
		}, "one!\ntwo", false},
		"a range over everything and more": {func(e *lsptest.Editor, path string) {
			sendChange(e, path, "2", change(`{"line":0,"character":0}`, `{"line":99,"character":0}`, "all"))
		}, "all", false},
		"no changes": {func(e *lsptest.Editor, path string) { sendChange(e, path, "2", `[]`) }, text, false},
		"the same version": {func(e *lsptest.Editor, path string) {
			sendChange(e, path, "1", change(`{"line":0,"character":0}`, `{"line":0,"character":0}`, "a"))
			sendChange(e, path, "1", change(`{"line":0,"character":0}`, `{"line":0,"character":0}`, "b"))
		}, "baone\ntwo", false},
		"no version": {func(e *lsptest.Editor, path string) {
			sendChange(e, path, "null", change(`{"line":0,"character":0}`, `{"line":0,"character":0}`, "a"))
		}, "aone\ntwo", false},
		"a whole text whose version goes back": {func(e *lsptest.Editor, path string) { sendChange(e, path, "-7", all("new")) }, "new", false},
		"several whole texts": {func(e *lsptest.Editor, path string) {
			sendChange(e, path, "2", `[{"text":"first"},{"text":"second"}]`)
		}, "second", false},
		"opened twice": {func(e *lsptest.Editor, path string) {
			e.OpenText(path, "again")
			sendChange(e, path, "2", change(`{"line":0,"character":5}`, `{"line":0,"character":5}`, "!"))
		}, "again!", false},
		"closed twice": {func(e *lsptest.Editor, path string) { e.CloseDocument(path); e.CloseDocument(path) }, "", true},
		"changed after closing": {func(e *lsptest.Editor, path string) {
			e.CloseDocument(path)
			sendChange(e, path, "2", all("late"))
			sendChange(e, path, "3", change(`{"line":0,"character":0}`, `{"line":0,"character":0}`, "a"))
		}, "", true},
		"opened after changing": {func(e *lsptest.Editor, path string) {
			e.CloseDocument(path)
			sendChange(e, path, "2", all("early"))
			e.OpenText(path, "late")
		}, "late", false},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			e := f.start(lsptest.Options{})
			path := f.path("a.txt")
			e.OpenText(path, text)
			tt.send(e, path)
			settle(e)
			if got, outOfStep, open := f.server.Document(fileURI(path)); got != tt.want || outOfStep != "" || open == tt.closed {
				t.Errorf("the text is %q, open: %v, out of step because %q; want %q", got, open, outOfStep, tt.want)
			}
			if len(e.Messages()) > 0 {
				t.Errorf("the person was told %v", e.Messages())
			}
		})
	}
}

// TestADocumentWithoutATextIsOutOfStep opens documents whose text can't be decoded.
func TestADocumentWithoutATextIsOutOfStep(t *testing.T) {
	for name, item := range map[string]string{
		"no text": `"version":1`, "a text that is null": `"version":1,"text":null`, "a text that is a number": `"version":1,"text":1`,
		"half a version": `"version":0.5,"text":"x"`,
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			e := f.start(lsptest.Options{})
			path := f.path("a.txt")
			notifyRaw(e, protocol.MethodTextDocumentDidOpen,
				`{"textDocument":{"uri":`+strconv.Quote(string(fileURI(path)))+`,"languageId":"x",`+item+`}}`)
			settle(e)
			if _, outOfStep, open := f.server.Document(fileURI(path)); !open || outOfStep == "" || len(reopenMessages(e)) != 1 {
				t.Errorf("open: %v, out of step because %q, the person was told %v", open, outOfStep, e.Messages())
			}
			e.CloseDocument(path)
			e.OpenText(path, "x")
			settle(e)
			if text, outOfStep, _ := f.server.Document(fileURI(path)); text != "x" || outOfStep != "" {
				t.Errorf("after opening it again the text is %q, out of step because %q", text, outOfStep)
			}
		})
	}
}

// TestTypingInALargeDocumentCopiesLittle counts what 20 keystrokes in a document of 30 MB and
// a code action in another one allocate, in the server and in the test together.
func TestTypingInALargeDocumentCopiesLittle(t *testing.T) {
	testbed.Long(t)
	f := newFixture(t)
	e := f.startIndexed()
	large, small := f.path("large.go"), f.path("shapes/rect.go")
	e.Open(small)
	e.OpenText(large, "package large\n"+strings.Repeat("func f(x int) int { return x + 1 }\n", 30<<20/35))
	e.Ask("hello") // makes what a first answer needs, once
	settle(e)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range 20 {
		sendChange(e, large, strconv.Itoa(i+2), insertAt("300000", strconv.Itoa(i)))
	}
	offered := codeActions(e, small)
	e.Ask("hello") // a turn indexes what was typed; this one searches for nothing
	runtime.ReadMemStats(&after)
	if offered == 0 {
		t.Error("no code actions are offered")
	}
	if allocated := (after.TotalAlloc - before.TotalAlloc) >> 20; allocated > 20 {
		t.Errorf("20 keystrokes in a document of 30 MB allocated %d MB", allocated)
	}
	if text, _, _ := f.server.Document(fileURI(large)); !strings.Contains(text, "\n"+strings.Repeat("x", 20)+"func f") {
		t.Error("the typed text is not there")
	}
	if n := codeActions(e, large); n != 0 {
		t.Errorf("%d code actions are offered in a document that is too large to be parsed", n)
	}
	e.CloseDocument(large)
}

// TestATextThatGrowsOverTheLimitIsFoundAgainBelowIt moves a text over index.maxFileBytes and
// back.
func TestATextThatGrowsOverTheLimitIsFoundAgainBelowIt(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e := f.startIndexed()
	path := f.path("shapes/rect.go")
	typed := "package shapes\n\ntype Typed struct{}\n"
	e.OpenText(path, typed)
	e.Ask("where is Typed")
	if !e.Finds("Typed") {
		t.Fatal("the unsaved text is not found")
	}
	e.Type(path, len(typed), len(typed), strings.Repeat("// more\n", 600_000))
	e.Ask("where is Typed")
	if e.Finds("Typed") || e.Finds("Rect") {
		t.Error("a text over the limit, or the one on disk, is found")
	}
	e.Type(path, len(typed), len(e.Text(path)), "")
	e.Ask("where is Typed")
	if !e.Finds("Typed") {
		t.Error("the text is not found after it became small again")
	}
}

// TestADocumentThatIsTooLargeToBeSentIsNamed opens a document in a message over the limit.
// The person sees which file is not seen; a whole text of another size heals it.
func TestADocumentThatIsTooLargeToBeSentIsNamed(t *testing.T) {
	testbed.Long(t)
	f := newFixture(t)
	e := f.startIndexed()
	path := f.path("shapes/rect.go")
	notifyRaw(e, protocol.MethodTextDocumentDidOpen,
		`{"textDocument":{"uri":"`+string(fileURI(path))+`","version":1,"text":"`+strings.Repeat("x", 65<<20)+`"}}`)
	sendChange(e, path, "2", insertAt("0", "0"))
	settle(e)
	if m := messages(e, "shapes/rect.go"); len(m) != 1 || !strings.Contains(m[0].Message, "too large") {
		t.Errorf("the person was told %v", e.Messages())
	}
	if e.Finds("Rect") || !e.Finds("Circle") {
		t.Error("what is found is not exactly the other files")
	}
	sendChange(e, path, "3", `[{"text":"package shapes\n\ntype Small struct{}\n"}]`)
	e.Ask("where is Small")
	if !e.Finds("Small") {
		t.Error("a whole text does not heal the document")
	}
	e.CloseDocument(path)
	if !e.Finds("Rect") {
		t.Error("the text on disk is not found after closing")
	}
}
