package syntax_test

import (
	"testing"

	"ploke-lsp/internal/syntax"
)

func TestPlain(t *testing.T) {
	for canon, want := range map[string]string{
		"Server::run": "Server::run", "Server::run#2": "Server::run", "run#12": "run", "C#": "C#", "C##2": "C#",
		"Guide::C#": "Guide::C#", "#main": "#main", "#main#2": "#main", "List::#size": "List::#size", "#1": "#1",
		"page::#1": "page::#1", "Issue #1": "Issue #1", "Issue #1#2": "Issue #1", "run2": "run2", "": "",
	} {
		if got := syntax.Plain(canon); got != want {
			t.Errorf("Plain(%q) = %q, want %q", canon, got, want)
		}
	}
}
