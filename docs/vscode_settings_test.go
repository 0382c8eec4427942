package docs

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"ploke-lsp/internal/config"
)

// TestVSCodeShowsTheDefaults compares the defaults that VS Code shows of numbers with those of the
// server, since the extension does not send what nobody has set.
func TestVSCodeShowsTheDefaults(t *testing.T) {
	var manifest struct {
		Contributes struct {
			Configuration []struct {
				Properties map[string]struct {
					Type    any
					Default any
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(page(t, "editors/vscode/package.json")), &manifest); err != nil {
		t.Fatal(err)
	}
	defaults := map[string]string{}
	for _, e := range config.Reference() {
		defaults[e.Key] = regexp.MustCompile(`\d+|no limit`).FindString(strings.TrimPrefix(e.Default,
			"that of the model's family if it is a known one, else "))
	}
	numbers := 0
	for _, section := range manifest.Contributes.Configuration {
		for name, p := range section.Properties {
			number, ok := p.Default.(float64)
			if !ok {
				continue
			}
			numbers++
			want := strings.Replace(defaults[strings.TrimPrefix(name, "ploke.")], "no limit", "0", 1)
			if got := fmt.Sprintf("%.0f", number); got != want {
				t.Errorf("%s: VS Code shows %s, the server has %q", name, got, want)
			}
		}
	}
	if numbers < 8 {
		t.Errorf("only %d settings are numbers", numbers)
	}
}
