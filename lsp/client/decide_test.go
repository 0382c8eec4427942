package client

import (
	"testing"

	ploke "ploke-lsp/lsp/protocol"
)

func TestHowToDecide(t *testing.T) {
	own := ploke.Capabilities{Version: ploke.Version}
	for name, tt := range map[string]struct {
		profile Profile
		want    string
	}{
		"Neovim with our plugin":     {Profile{name: "Neovim", Ploke: own}, ":Ploke reject ID"},
		"Neovim alone":               {Profile{name: "Neovim"}, ""},
		"VS Code with our extension": {Profile{name: "Visual Studio Code", Ploke: own}, "ploke: Reject Proposed Edit"},
		"the command line":           {Profile{name: "ploke-lsp", Ploke: own}, ""},
	} {
		if got := tt.profile.HowToDecide("reject", "ID"); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
