package lsp_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/lsptest"
	"ploke-lsp/session/llm/llmtest"
)

// TestAnEditorThatAsksBeforeEachEditIsAskedOnceForAnAnswer sends messages from a chat document in Eglot, which asks the
// person before each edit. The whole answer is one edit, and a refusal is final.
func TestAnEditorThatAsksBeforeEachEditIsAskedOnceForAnAnswer(t *testing.T) {
	f := newFixture(t)
	f.useModel(
		llmtest.Turn{Text: []string{"I look.\n"}, Calls: []llmtest.Call{{ID: "a", Name: "read_file", Arguments: `{"file":"shapes/circle.go"}`}}},
		llmtest.Turn{Text: []string{"It is ", "round.\n", "That's all.\n"}},
		llmtest.Turn{Text: []string{"It is still round.\n"}},
	)
	var asked atomic.Int32
	var refuses atomic.Bool
	eglot := client(t, "eglot-28")
	e := f.start(lsptest.Options{
		Capabilities: &eglot.Capabilities,
		OnInitialize: func(p *protocol.InitializeParams) { p.ClientInfo = eglot.ClientInfo },
		OnApplyEdit: func(apply func()) {
			if asked.Add(1); !refuses.Load() {
				apply()
			}
		},
	})
	path := f.openChat(e)
	write(e, path, "\nWhat is it?\n")
	sendChat(t, e, path, 0)
	if answer := awaitChat(e, path, 1); !strings.Contains(answer, "read_file") || !strings.HasSuffix(answer, "That's all.") {
		t.Errorf("the answer is\n%s", answer)
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("the person was asked %d times", n)
	}
	awaitLine(t, e, "the editor will ask before it goes into chat.ploke.md")

	refuses.Store(true)
	write(e, path, "\nAnd now?\n")
	before := e.Text(path)
	sendChat(t, e, path, 0)
	awaitLine(t, e, "the answer is stored")
	if n := asked.Load(); n != 2 || e.Text(path) != before {
		t.Errorf("the person was asked %d times, and refused, but the document is\n%s", n, e.Text(path))
	}
	refuses.Store(false)
	e.CloseDocument(path)
	e.OpenText(path, before)
	if answer := awaitChat(e, path, 2); answer != "It is still round." {
		t.Errorf("opened again it has the answer %q", answer)
	}
	if n := strings.Count(e.Text(path), "And now?"); n != 1 {
		t.Errorf("the question stands there %d times:\n%s", n, e.Text(path))
	}
}
