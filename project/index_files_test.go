package project_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/project"
)

// TestAnIndexFileAnswers once the user's settings name it, and doctor says what it has. The settings of a workspace name none.
// What is typed is found by name.
func TestAnIndexFileAnswers(t *testing.T) {
	testbed.Program(t, "git")
	const made = "compiler/scipindex/testdata/py"
	archive, err := txtar.ParseFile(made + ".txtar")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(made + ".scip")
	if err != nil {
		t.Fatal(err)
	}
	index := filepath.Join(t.TempDir(), "index.scip")
	if err := os.WriteFile(index, data, 0o644); err != nil {
		t.Fatal(err)
	}
	setting, err := json.Marshal(map[string]any{"scip": []string{index}})
	if err != nil {
		t.Fatal(err)
	}
	ofWorkspace := config.FromJSON("the test", setting)
	ofWorkspace.Workspace = true
	for name, tt := range map[string]struct {
		settings *project.Settings
		by       string
	}{
		"of the workspace": {project.NewSettings(ofWorkspace), ""},
		"of the user":      {project.NewSettings(config.FromJSON("the test", setting)), "by scip-python 0.6.6 at 759b4c1aa7\n"},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			texts := map[string]string{}
			for _, f := range archive.Files {
				texts[f.Name] = string(f.Data)
			}
			files(t, root, texts)
			for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "commit.gpgsign=false", "commit", "-qm", "shop"}} {
				cmd := exec.Command("git", args...)
				cmd.Dir = root
				cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a",
					"GIT_COMMITTER_EMAIL=a@example.com", "GIT_AUTHOR_DATE=2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z")
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
			}
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
			callers := func(by string, want ...string) {
				t.Helper()
				answer, err := client.Call(t.Context(), "code_item_edges", []byte(`{"canon":"Shelf::put"}`))
				if err != nil || answer.Failed || strings.HasPrefix(answer.Text, "by ") != (by != "") || !strings.HasPrefix(answer.Text, by) {
					t.Errorf("%v, %s", err, answer.Text)
				}
				for _, w := range want {
					if !strings.Contains(answer.Text, w) {
						t.Errorf("%q is missing in %s", w, answer.Text)
					}
				}
			}
			callers(tt.by, `9: shelf.put("tea")`)
			found, err := p.Findings(t.Context(), func(string) string { return "" })
			if err != nil {
				t.Fatal(err)
			}
			said := false
			for _, f := range found {
				said = said || f.What == "scip" && f.Level == project.Fine &&
					strings.HasSuffix(f.Text, "index.scip, by scip-python 0.6.6 at 759b4c1aa7: 3 of its 3 documents are unchanged, and answered from it")
			}
			if said != (tt.by != "") {
				t.Errorf("the findings are %+v", found)
			}
			if tt.by == "" {
				return
			}
			path := p.Workspace.Canonical(filepath.Join(root, "shop", "main.py"))
			p.Opened(path, 1, typedText("# typed\n"+texts["shop/main.py"]))
			if err := p.IndexUnsaved(t.Context()); err != nil {
				t.Fatal(err)
			}
			callers(strings.TrimSpace(tt.by)+"\n1 place by name, of which it knows nothing\n", `10: shelf.put("tea")`)
			testbed.Returns(t, p.Close, "the end of the project")
		})
	}
}
