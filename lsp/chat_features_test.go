package lsp_test

import (
	"encoding/json"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/lsptest"
)

// TestHelixGetsTheFeaturesThatItDoesNotDeclare goes to the definition of what a chat document cites, which Helix can
// although it does not say so. It gets no feature that it does not have.
func TestHelixGetsTheFeaturesThatItDoesNotDeclare(t *testing.T) {
	f := newFixture(t)
	c := f.startAs(t, "helix-25.01").Initialized.Capabilities
	if c.DefinitionProvider == nil || c.DocumentSymbolProvider == nil || c.CompletionProvider == nil {
		t.Errorf("a feature is missing: %+v", c)
	}
	if c.FoldingRangeProvider != nil {
		t.Error("Helix does not fold")
	}
	if c := f.startAs(t, "kakoune").Initialized.Capabilities; c.FoldingRangeProvider != nil {
		t.Error("a client gets what it does not declare")
	}
}

// TestFeaturesOfAClientThatRegistersNothing: it asks for completion in every document, so that no character of code may
// trigger it. Only folding ranges are offered for some documents.
func TestFeaturesOfAClientThatRegistersNothing(t *testing.T) {
	f := newFixture(t)
	c := plain(func(c *protocol.ClientCapabilities) {
		c.TextDocument.Completion = &protocol.CompletionClientCapabilities{}
		c.TextDocument.FoldingRange = &protocol.FoldingRangeClientCapabilities{}
	})
	offered := f.start(lsptest.Options{Capabilities: c}).Initialized.Capabilities
	if offered.CompletionProvider == nil || offered.CompletionProvider.TriggerCharacters != nil {
		t.Errorf("completion is offered as %+v", offered.CompletionProvider)
	}
	folding, err := json.Marshal(offered.FoldingRangeProvider)
	if err != nil || !strings.Contains(string(folding), `"pattern":"**/*.ploke.md"`) || !strings.Contains(string(folding), `"id":`) {
		t.Errorf("folding ranges are offered as %s, %v", folding, err)
	}
}
