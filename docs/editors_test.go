package docs

import (
	"strings"
	"testing"

	"ploke-lsp/internal/setup"
)

// exampleLanguages are those of the configurations in docs/editors.md whose own lists are long,
// or replace a server.
var exampleLanguages = map[string][]string{"helix": {"go"}, "eglot": {"go"}, "kate": {"go"}}

// TestConfigurationsAreDocumented compares docs/editors.md with what ploke-lsp setup prints.
func TestConfigurationsAreDocumented(t *testing.T) {
	const path = "docs/editors.md"
	text := page(t, path)
	for _, c := range setup.Clients() {
		config, err := c.Config(exampleLanguages[c.Name])
		if err != nil {
			t.Fatal(err)
		}
		if c.Name == "zed" { // a sentence, not a block
			if !strings.Contains(text, "\n## Zed\n\n"+config) {
				t.Errorf("%s does not say of Zed: %s", path, config)
			}
			continue
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
