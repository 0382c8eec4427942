package docs

import (
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/internal/setup"
	"ploke-lsp/internal/testbed"
)

// exampleLanguages are those of the configurations in docs/editors.md whose own lists are long,
// or replace a server.
var exampleLanguages = map[string][]string{"helix": {"go"}, "eglot": {"go"}, "kate": {"go"}}

// TestConfigurationsAreDocumented compares docs/editors.md with what ploke-lsp setup prints.
func TestConfigurationsAreDocumented(t *testing.T) {
	bin := t.TempDir()
	testbed.WriteProgram(t, filepath.Join(bin, "gopls"), strings.NewReader("#!/bin/sh\n"))
	t.Setenv("PATH", bin) // where gopls is, and no other server
	const path = "docs/editors.md"
	text := page(t, path)
	for _, c := range setup.Clients() {
		config, err := c.Config(exampleLanguages[c.Name])
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text, "\n"+config+"```\n") {
			t.Errorf("%s does not have the configuration that setup prints for %s:\n%s", path, c.Title, config)
		}
		command := "ploke-lsp setup " + c.Name
		if languages := exampleLanguages[c.Name]; languages != nil {
			command += " --languages " + strings.Join(languages, ",")
		}
		if c.Name != "vscode" && !strings.Contains(text, "`"+command+"`") {
			t.Errorf("%s does not name %s", path, command)
		}
	}
}

// TestAgentsAreDocumented compares docs/agents.md with what ploke-lsp setup prints.
func TestAgentsAreDocumented(t *testing.T) {
	const path = "docs/agents.md"
	text := page(t, path)
	for _, c := range setup.Agents() {
		config, err := c.Config(nil)
		if err != nil {
			t.Fatal(err)
		}
		_, section, found := strings.Cut(text, "\n#### "+c.Title+"\n")
		section, _, _ = strings.Cut(section, "\n###")
		if !found || !strings.Contains(section, "\n"+config+"```\n") || !strings.Contains(section, "`ploke-lsp setup "+c.Name) {
			t.Errorf("%s does not have the configuration that setup prints for %s:\n%s", path, c.Title, config)
		}
	}
}
