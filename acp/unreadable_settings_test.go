package acp_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/acp/acptest"
	"ploke-lsp/acp/protocol"
	"ploke-lsp/internal/config"
)

// TestNoModelAnswersWithUnreadableSettings answers prompts with what is wrong, until the person has corrected the file.
func TestNoModelAnswersWithUnreadableSettings(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(file, []byte("model = "), 0o600); err != nil {
		t.Fatal(err)
	}
	f := newFixture(t)
	f.Config = append(f.Config, config.OptionalFile(file))
	c := f.start(acptest.Options{})
	id := c.New(f.root)
	if err := c.Error(protocol.MethodSessionPrompt, acptest.Text(id, "What calls square?")); !strings.Contains(err.Message,
		"config.toml can't be read") {
		t.Errorf("a prompt is answered with %v", err)
	}
	if said := c.Said(id, protocol.AgentMessageChunk); said != "" {
		t.Errorf("a model says %q", said)
	}
	if err := os.WriteFile(file, []byte("model = \"embedded\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c.Prompt(id, "What calls square?")
	if said := c.Said(id, protocol.AgentMessageChunk); said == "" {
		t.Error("no model answers after the file was corrected")
	}
}
