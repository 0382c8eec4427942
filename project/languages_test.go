package project_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/project"
)

// typedText is a text in an editor.
type typedText string

func (t typedText) Len() int      { return len(t) }
func (t typedText) Bytes() []byte { return []byte(t) }

// TestALanguageServerIsAsked for callers once the settings name it, and for those in unsaved text. Without it, with one
// that can't be started, and from the settings of a workspace, they are found by name.
func TestALanguageServerIsAsked(t *testing.T) {
	gopls := testbed.File(t, "gopls", filepath.Join(os.Getenv("PLOKE_TEST_SERVERS"), "bin", "gopls"))
	setting := func(command string) []byte {
		data, err := json.Marshal(map[string]any{"languages": map[string]any{"go": map[string]any{"server": []string{command}}}})
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	ofWorkspace := config.FromJSON("the test", setting(gopls))
	ofWorkspace.Workspace = true
	for name, tt := range map[string]struct {
		settings *project.Settings
		by       string
		status   string
	}{
		"none":                {project.NewSettings(), "", ""},
		"of the workspace":    {project.NewSettings(ofWorkspace), "", ""},
		"gopls":               {project.NewSettings(config.FromJSON("the test", setting(gopls))), "by gopls v0.", "; gopls v0."},
		"one that is missing": {project.NewSettings(config.FromJSON("the test", setting(gopls+"-not"))), "by name: the language server can't be started", "can't be started"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			files(t, root, map[string]string{"go.mod": "module a\n\ngo 1.24\n", "a.go": "package a\n\nfunc Square() {}\n\nfunc use() { Square() }\n"})
			p, err := project.Open(t.Context(), project.Options{StateDir: t.TempDir(), Settings: tt.settings, Editor: true, Alone: true,
				Getenv: func(string) string { return "" }}, []string{root}, &headless{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(p.Close)
			if err := p.AwaitIndex(t.Context()); err != nil {
				t.Fatal(err)
			}
			client := p.NewToolClient(nil)
			callers := func(want ...string) {
				t.Helper()
				answer, err := client.Call(t.Context(), "code_item_edges", []byte(`{"canon":"Square"}`))
				if err != nil || answer.Failed || strings.HasPrefix(answer.Text, "by ") != (tt.by != "") || !strings.HasPrefix(answer.Text, tt.by) {
					t.Errorf("%v, %s", err, answer.Text)
				}
				for _, w := range want {
					if !strings.Contains(answer.Text, w) {
						t.Errorf("%q is missing in %s", w, answer.Text)
					}
				}
			}
			callers("5: func use() { Square() }")
			path := p.Workspace.Canonical(filepath.Join(root, "b.go"))
			p.Opened(path, 1, typedText("package a\n\nfunc typed() { Square() }\n"))
			if err := p.IndexUnsaved(t.Context()); err != nil {
				t.Fatal(err)
			}
			callers("5: func use() { Square() }", "3: func typed() { Square() }")
			if line := project.StatusLine(t.Context(), p); !strings.Contains(line, tt.status) || tt.status == "" && strings.Contains(line, "gopls") {
				t.Errorf("the status is %s", line)
			}
			found, err := p.Findings(t.Context(), func(string) string { return "" })
			if err != nil {
				t.Fatal(err)
			}
			level := project.Fine
			if strings.Contains(name, "missing") {
				level = project.Suspect
			}
			for _, f := range found {
				if f.What == "languages" && strings.Contains(f.Text, "go") && strings.Contains(f.Text, gopls) && f.Level != level {
					t.Errorf("%+v", f)
				}
			}
			testbed.Returns(t, p.Close, "the end of the project")
		})
	}
}

// TestAServerThatCouldBeAsked is suggested by the doctor, and not started.
func TestAServerThatCouldBeAsked(t *testing.T) {
	dir := t.TempDir()
	started := filepath.Join(dir, "started")
	testbed.WriteProgram(t, filepath.Join(dir, "gopls"), strings.NewReader("#!/bin/sh\n: >"+started+"\n"))
	t.Setenv("PATH", dir)
	found := project.LanguageFindings(config.Settings{})
	if len(found) != 1 || !strings.Contains(found[0].Text, `languages.go.server = ["gopls"] in your settings`) {
		t.Errorf("%+v", found)
	}
	if _, err := os.Stat(started); err == nil {
		t.Error("it was started")
	}
	var settings config.Settings
	settings.Languages = map[string]config.Language{"go": {Server: []string{"gopls"}}, "zig": {Server: []string{"zls"}}}
	found = project.LanguageFindings(settings)
	if len(found) != 2 || found[0].Level != project.Fine || found[1].Level != project.Suspect || !strings.Contains(found[1].Text, "zls") {
		t.Errorf("%+v", found)
	}
}
