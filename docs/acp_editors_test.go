package docs

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var jsonBlock = regexp.MustCompile("(?ms)^```json\n(.*?)^```$")

// TestConfigurationsOfACPEditors reads the configurations of editors that speak ACP: each is JSON, or names the program
// and its argument.
func TestConfigurationsOfACPEditors(t *testing.T) {
	_, section, _ := strings.Cut(page(t, "docs/agents.md"), "## Editors that speak ACP\n")
	section, _, _ = strings.Cut(section, "\n## ")
	blocks := jsonBlock.FindAllStringSubmatch(section, -1)
	if len(blocks) != 3 {
		t.Errorf("there are %d configurations in JSON", len(blocks))
	}
	for _, block := range blocks {
		var settings map[string]map[string]struct {
			Command string
			Args    []string
		}
		if err := json.Unmarshal([]byte(block[1]), &settings); err != nil {
			t.Errorf("%v: %s", err, block[1])
		}
		for _, agents := range settings {
			if a := agents["Ploke"]; !strings.HasSuffix(a.Command, "ploke-lsp") || !slices.Equal(a.Args, []string{"acp"}) {
				t.Errorf("%s starts %q with %q", block[1], a.Command, a.Args)
			}
		}
	}
	for _, other := range []string{`{ "ploke-lsp", "acp" }`, `command = "ploke-lsp", args = { "acp" }`, ":command \"ploke-lsp\"\n", `:command-params '("acp")`} {
		if !strings.Contains(section, other) {
			t.Errorf("no configuration has %s", other)
		}
	}
}
