package lsp_test

import (
	"encoding/json"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

// declaring returns the capabilities of an editor that says this about the ploke/* methods.
func declaring(experimental string) *protocol.ClientCapabilities {
	return plain(func(c *protocol.ClientCapabilities) { c.Experimental = protocol.LSPAny(experimental) })
}

// offer returns what the server replied to initialize about the ploke/* methods.
func offer(t *testing.T, e *lsptest.Editor) ploke.Capabilities {
	t.Helper()
	var offered ploke.Experimental
	if err := json.Unmarshal(e.Initialized.Capabilities.Experimental, &offered); err != nil {
		t.Fatal(err)
	}
	return offered.Ploke
}

// TestVersionIsNegotiated starts clients that speak the server's version.
func TestVersionIsNegotiated(t *testing.T) {
	for name, experimental := range map[string]string{
		"the same":                  `{"ploke":{"version":1,"methods":["ploke/event"]}}`,
		"none named":                `{"ploke":{"methods":["ploke/event"]}}`,
		"newer, and ours, too":      `{"ploke":{"version":9,"oldest":1,"methods":["ploke/event"]}}`,
		"a range without sense":     `{"ploke":{"version":1,"oldest":5,"methods":["ploke/event"]}}`,
		"with fields of the future": `{"ploke":{"version":1,"methods":["ploke/event"],"colors":true}}`,
	} {
		t.Run(name, func(t *testing.T) {
			e := newFixture(t).start(lsptest.Options{Capabilities: declaring(experimental)})
			if got := offer(t, e); got.Version != 1 || !got.Has(ploke.MethodChatSend) {
				t.Errorf("the server offers %+v", got)
			}
			e.AwaitIndex() // by events
			for _, m := range e.Messages() {
				t.Errorf("the server says %q", m.Message)
			}
		})
	}
}

// TestOtherVersion starts a client that speaks only newer versions. It has what every editor has, is
// told so once, and gets no ploke/* message.
func TestOtherVersion(t *testing.T) {
	f := newFixture(t)
	e := f.start(lsptest.Options{Capabilities: declaring(`{"ploke":{"version":9,"oldest":8,"methods":["ploke/event",` +
		`"ploke/permission/ask"]}}`)})
	if got := offer(t, e); got.Version != 1 || len(got.Methods) != 0 {
		t.Errorf("the server offers %+v", got)
	}
	line := awaitLine(t, e, "the editor's extension speaks")
	for _, words := range []string{"versions 8 to 9 of ploke's protocol", "ploke-lsp version 1: update ploke-lsp", "code actions"} {
		if !strings.Contains(line, words) {
			t.Errorf("%q does not say %q", line, words)
		}
	}
	err := e.Error(ploke.MethodSearch, ploke.SearchParams{Query: "Area"})
	if err.Code != ploke.CodeMethodNotFound || !strings.Contains(err.Message, "update ploke-lsp") {
		t.Errorf("the request fails with %v", err)
	}
	explain(t, f, e)
	if n := len(e.Events()); n != 0 {
		t.Errorf("the client got %d events", n)
	}
	told := 0
	for _, m := range e.Messages() {
		if strings.Contains(m.Message, "speaks") {
			told++
		}
	}
	if told != 1 {
		t.Errorf("the person was told %d times", told)
	}
}
