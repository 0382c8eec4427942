package setup

import (
	"strings"
	"testing"
)

func TestHelixKeepsThePersonsServers(t *testing.T) {
	f := fileOf(t, "helix")
	put(t, f.Path, `
[[language]]
name = "rust"
language-servers = ["rust-analyzer"]
[[language]]
name = "go"
auto-format = false
[[language]]
name = "python"
language-servers = [{ name = "ploke", only-features = ["code-action"] }]
`)
	change := write(t, f)
	if got := strings.Join(change.ByHand, "\n"); got != `add "ploke" to the language-servers of rust` {
		t.Errorf("by hand: %s", got)
	}
	_, block, _ := strings.Cut(get(t, f.Path), ">>>")
	for name, want := range map[string]bool{"rust": false, "python": false, "go": true, "markdown": true} {
		if strings.Contains(block, `name = "`+name+`"`) != want {
			t.Errorf("the block has an entry for %s: %v, want %v", name, !want, want)
		}
	}
}
