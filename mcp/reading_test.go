package mcp_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/mcp"
	"ploke-lsp/project"
)

func TestEachToolReads(t *testing.T) {
	w := newWorld(t, nil)
	w.write("sub/notes.md", "# Notes\n")
	c := w.connect(nil)
	for _, tt := range []struct {
		tool      string
		arguments map[string]any
		want      []string // in the text
		field     string   // in the structure
	}{
		{"context", map[string]any{"query": "who greets somebody"}, []string{"Hello greets somebody", "  4  func Hello("}, "results"},
		{"search_text", map[string]any{"pattern": "hello"}, []string{"greet.go\n4: func Hello("}, "matches"},
		{"symbol", map[string]any{"name": "Hello"}, []string{"function Hello, hash ", "  3  // Hello greets"}, "items"},
		{"references", map[string]any{"name": "Hello"}, []string{"greet.go", "7"}, "edges"},
		{"references", map[string]any{"canon": "greetAll"}, []string{"0 calls"}, "instead"},
		{"references", map[string]any{"canon": "Hello", "direction": "containers"}, []string{"0 enclosing symbols"}, "ok"},
		{"outline", map[string]any{"path": "greet.go"}, []string{"4 function Hello", "7 function greetAll"}, "outline"},
		{"outline", map[string]any{"path": "sub"}, []string{"notes.md"}, "entries"},
		{"outline", map[string]any{}, []string{"greet.go", "sub/"}, "entries"},
		{"read", map[string]any{"file": "greet.go", "end_line": 1}, []string{"  1  package greet", "7 lines in the file"}, "snippet"},
		{"status", map[string]any{}, []string{"ploke-lsp 1.2.3 in " + w.root, "the index is ready", "edits are proposed"}, "index"},
	} {
		text, content := c.call(tt.tool, tt.arguments)
		contains(t, text, tt.want...)
		if content[tt.field] == nil {
			t.Errorf("%s %v: there is no %s in %v", tt.tool, tt.arguments, tt.field, content)
		}
	}
}

func TestMissesNameTheToolsOfThisServer(t *testing.T) {
	c := newWorld(t, nil).connect(nil)
	for tool, arguments := range map[string]map[string]any{
		"symbol":     {"name": "Nothing"},
		"references": {"name": "Nothing"},
		"read":       {"file": "nothing.go"},
		"outline":    {"path": "/etc"},
		"context":    {},
	} {
		text, _, failed := c.try(tool, arguments)
		if !failed {
			t.Errorf("%s: did not fail: %s", tool, text)
		}
		for _, name := range []string{"read_file", "list_dir", "code_item", "request_code_context", "get_file_metadata"} {
			if strings.Contains(text, name) {
				t.Errorf("%s: the tool %s, which the client does not know, is in: %s", tool, name, text)
			}
		}
	}
}

func TestACallSeesWhatIsOnDiskNow(t *testing.T) {
	w := newWorld(t, nil)
	c := w.connect(nil)
	w.write("greet.go", strings.ReplaceAll(greet, "greetAll", "greetEverybody"))
	w.write("more.go", "package greet\n\nfunc More() string { return Hello(\"more\") }\n")
	text, _ := c.call("references", map[string]any{"canon": "Hello"})
	contains(t, text, "more.go", "greetEverybody")
}

func TestAFolderThatIsNoProject(t *testing.T) {
	home, links := t.TempDir(), t.TempDir()
	for name, target := range map[string]string{"home": home, "root": string(filepath.Separator)} {
		if err := os.Symlink(target, filepath.Join(links, name)); err != nil {
			t.Fatal(err)
		}
	}
	for folder, want := range map[string]string{
		home:                         "is not a project",
		string(filepath.Separator):   "with --workspace",
		filepath.Join(links, "home"): "is not a project",
		filepath.Join(links, "root"): "is not a project",
		filepath.Join(home, "gone"):  "gone",
	} {
		server := mcp.NewServer(t.Context(), mcp.Options{Folder: folder, Home: home, FrontEnd: nobody{}, Project: project.Options{
			StateDir: t.TempDir(), Settings: project.NewSettings(), Getenv: func(string) string { return "" }}})
		t.Cleanup(server.Close)
		text, _, failed := (&world{t: t, server: server}).connect(nil).try("status", nil)
		if !failed || !strings.Contains(text, want) {
			t.Errorf("%s: %s", folder, text)
		}
	}
}

func TestSecretsAreHidden(t *testing.T) {
	const secret = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	w := newWorld(t, func(o *mcp.Options) { o.Apply = true })
	w.write("client.go", "package greet\n\nconst token = \""+secret+"\"\n")
	c := w.connect(nil)
	text, content := c.call("read", map[string]any{"file": "client.go"})
	encoded, err := json.Marshal(content)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text+string(encoded), secret) {
		t.Errorf("the secret is in %s\n%s", text, encoded)
	}
	at := strings.Index(text, "PLOKE_SECRET_")
	if at < 0 {
		t.Fatalf("there is no placeholder in %s", text)
	}
	placeholder, _, _ := strings.Cut(text[at:], `"`)
	c.call("edit", map[string]any{"edits": []any{map[string]any{"file": "client.go",
		"old": `const token = "` + placeholder + `"`, "new": `const key = "` + placeholder + `"`}}})
	if got := w.read("client.go"); got != "package greet\n\nconst key = \""+secret+"\"\n" {
		t.Errorf("the file is %s", got)
	}
	text, _, failed := c.try("edit", map[string]any{"edits": []any{map[string]any{"file": "client.go", "old": "const key", "new": "const PLOKE_SECRET_0123456789ab"}}})
	if !failed {
		t.Errorf("an invented placeholder: %s", text)
	}
}

func TestIgnoredAndOutsideFilesAreRefused(t *testing.T) {
	w := newWorld(t, nil)
	w.write(".env", "KEY=abc\n")
	outside := filepath.Join(t.TempDir(), "outside.go")
	if err := os.WriteFile(outside, []byte("package x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, w.path("link.go")); err != nil {
		t.Fatal(err)
	}
	c := w.connect(nil)
	for _, path := range []string{".env", outside, "link.go", "../outside.go", "file://" + filepath.ToSlash(outside)} {
		for tool, arguments := range map[string]map[string]any{
			"read":    {"file": path},
			"outline": {"path": path},
			"edit":    {"edits": []any{map[string]any{"file": path, "old": "package x", "new": "package y"}}},
		} {
			if text, _, failed := c.try(tool, arguments); !failed {
				t.Errorf("%s %s: %s", tool, path, text)
			}
		}
	}
}
