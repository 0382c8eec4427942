package client

import (
	"strings"
	"testing"

	ploke "ploke-lsp/lsp/protocol"
)

// TestVersionWords says which side to update.
func TestVersionWords(t *testing.T) {
	for _, tt := range []struct {
		client         ploke.Capabilities
		oldest, newest int
		want           string // empty if there is a common version
	}{
		{ploke.Capabilities{Version: 2}, 1, 3, ""},
		{ploke.Capabilities{Version: 4, Oldest: 3}, 2, 3, ""},
		{ploke.Capabilities{Version: 2, Oldest: 1}, 3, 4, "speaks versions 1 to 2 of ploke's protocol, and ploke-lsp versions 3 to 4: update this editor's extension"},
		{ploke.Capabilities{}, 2, 2, "speaks version 1 of ploke's protocol, and ploke-lsp version 2: update this editor's extension"},
		{ploke.Capabilities{Version: 3}, 1, 2, "speaks version 3 of ploke's protocol, and ploke-lsp versions 1 to 2: update ploke-lsp"},
	} {
		var p Profile
		p.negotiateVersion(tt.client, tt.oldest, tt.newest)
		if got := p.Differs; (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%+v with %d to %d: %q", tt.client, tt.oldest, tt.newest, got)
		}
	}
}
