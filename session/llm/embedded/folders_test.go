package embedded

import (
	"testing"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/messages"
)

func TestFolders(t *testing.T) {
	tests := []struct {
		dirs      []string
		id, place string
	}{
		{nil, "/w/a.go#3:4", "/w/a.go:3"},
		{[]string{"/w"}, "/w/a/b#1.go#3:4", "a/b#1.go:3"},
		{[]string{"/w"}, "/w/a.go", "a.go"},
		{[]string{"/w"}, "/w", "/w"},
		{[]string{"/w"}, "/world/a.go#3:4", "/world/a.go:3"},
		{[]string{"/"}, "/w/a.go#3:4", "w/a.go:3"},
		{[]string{"/w/app", "/x"}, "/x/a.go#3:4", "x/a.go:3"},
		{[]string{"/w/app", "/x"}, "/y/a.go#3:4", "/y/a.go:3"},
		{[]string{"/w/app", "/x/app"}, "/x/app/a.go#3:4", "app-2/a.go:3"},
		{[]string{"/w", "/w/inner", "/w/in"}, "/w/inner/a.go#3:4", "inner/a.go:3"},
		{[]string{"/w/inner", "/w"}, "/w/inner/a.go#3:4", "inner/a.go:3"},
	}
	for _, tt := range tests {
		p := progressOf([]llm.Message{
			{Role: llm.System, Text: "You are.\n" + messages.FoldersText(tt.dirs) + "\n# Rules\n\nWorkspace folders:\n/no\n"},
			{Role: llm.User, Text: "hi"},
		})
		if len(tt.dirs) > 0 && len(p.Folders) != len(tt.dirs) {
			t.Errorf("%q is read as %q", tt.dirs, p.Folders)
		}
		if got := p.Location(tt.id); got != tt.place {
			t.Errorf("in %q %s is %s, want %s", tt.dirs, tt.id, got, tt.place)
		}
	}
}

// TestNameOfTheProject asks what the project is by the name of its folder.
func TestNameOfTheProject(t *testing.T) {
	tests := []struct {
		message string
		project bool
	}{{"what is gin?", true}, {"what does Gin do", true}, {"explain `gin`", true}, {"what is tonic?", false}, {"who calls gin", false}}
	for _, tt := range tests {
		p := progressOf([]llm.Message{{Role: llm.System, Text: messages.FoldersText([]string{"/w/gin"})}, {Role: llm.User, Text: tt.message}})
		if _, ok := p.instruction().(overview); ok != tt.project {
			t.Errorf("%s: %T", tt.message, p.instruction())
		}
	}
}
