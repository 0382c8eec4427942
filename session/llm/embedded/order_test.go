package embedded

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/messages"
	"ploke-lsp/session/llm/embedded/results"
)

// messageIn returns the progress of a message in a workspace with one folder.
func messageIn(dir, message string) progress {
	return progressOf([]llm.Message{{Role: llm.System, Text: messages.FoldersText([]string{dir})}, {Role: llm.User, Text: message}})
}

// TestManifestsThatAreMeant asks for the dependencies of a package, and of all.
func TestManifestsThatAreMeant(t *testing.T) {
	files := []string{"/w/core/examples/a/Cargo.toml", "/w/core/Cargo.toml", "/w/core/net/core/Cargo.toml"}
	for message, want := range map[string][]string{
		"dependencies of the core crate": {files[2], files[1], files[0]},
		"dependencies":                   {files[1], files[2], files[0]},
	} {
		p := messageIn("/w/core", message)
		found := newToolResult("search_text", []byte(`{"ok":true,"files":[{"file":"`+strings.Join(files, `"},{"file":"`)+`"}]}`))
		if d := cmp.Diff(want, p.meantFirst(p.nearTop(found))); d != "" {
			t.Errorf("%s: %s", message, d)
		}
	}
}

// TestNamesakesWithinWhatTheNameBeginsWith ranks by the package or the file that a name begins with.
func TestNamesakesWithinWhatTheNameBeginsWith(t *testing.T) {
	items := []results.Symbol{{ID: "/w/a/z.go#1:2", File: "/w/a/z.go", Name: "Run", Canon: "Run"},
		{ID: "/w/http/y.go#1:2", File: "/w/http/y.go", Name: "Run", Canon: "Run"},
		{ID: "/w/b/server.go#1:2", File: "/w/b/server.go", Name: "Run", Canon: "Run"}}
	for name, want := range map[string]string{"http::Run": "[/w/http/y.go]", "server::Run": "[/w/b/server.go]",
		"other::Run": "[/w/a/z.go /w/http/y.go /w/b/server.go]", "Run": "[/w/a/z.go /w/http/y.go /w/b/server.go]"} {
		var files []string
		for _, s := range (target{name: name}).ranked(results.Folders{"/w"}, items, "Run") {
			files = append(files, s.File)
		}
		if got := fmt.Sprint(files); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestWhatIsNamedComesFirst orders the results of a search. An ordinary word of a question names nothing.
func TestWhatIsNamedComesFirst(t *testing.T) {
	found := []results.Symbol{{Canon: "Render"}, {Canon: "errors::DropEvent"}, {Canon: "Processor"}}
	for message, want := range map[string]string{
		"what happens when a processor raises DropEvent?": "errors::DropEvent",
		"what happens when a Processor raises DropEvents": "Render",
	} {
		if got := bestFirst(message, found)[0].Canon; got != want {
			t.Errorf("%s: %s is first", message, got)
		}
	}
	p := progress{message: "what raises DropEvent"}
	first := bestFirst(p.message, found)
	if !p.putFirst(first, func(s results.Symbol) bool { return s.Canon == "Render" }) || first[0].Canon != "errors::DropEvent" {
		t.Error(first)
	}
}
