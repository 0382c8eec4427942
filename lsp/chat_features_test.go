package lsp_test

import "testing"

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
