package project_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/session"
	"ploke-lsp/session/llm/llmtest"
)

// TestWhatCompilesStagesNothing has a solution of TypeScript, whose compile step writes outputs, of which those in dist are
// ignored. Only what a command of the model writes is proposed, and of that only what is not ignored.
func TestWhatCompilesStagesNothing(t *testing.T) {
	root := toolFolder(t, "node_modules")
	files := map[string]string{
		"tsconfig.json":            `{"files": [], "references": [{"path": "packages/a"}, {"path": "packages/b"}]}`,
		"packages/a/tsconfig.json": composite(""), "packages/a/src/a.ts": "export const one: number = 1;\n",
		"packages/b/tsconfig.json": strings.Replace(composite(""), `"dist"`, `"lib"`, 1), "packages/b/src/b.ts": "export const two: number = 2;\n",
	}
	v := newProvenIn(t, root, "", session.AllowAlways, files,
		llmtest.Turn{Calls: []llmtest.Call{edit("1", "packages/b/src/b.ts", "number = 2", "number = 1 + 1", "done")}},
		llmtest.Turn{Calls: []llmtest.Call{toolCall("2", "run_command", map[string]any{
			"command": []string{"./node_modules/.bin/tsc", "--build", "--force", "--pretty", "false"}})}},
		llmtest.Turn{Text: []string{"built"}})
	v.ask(t, "Do it.")
	if got, want := v.known(t, v.Project), "tsc: passed"; got != want {
		t.Errorf("the person sees %q, not %q", got, want)
	}
	if got, want := v.proposed(t), "packages/b/src/b.ts"; got != want {
		t.Errorf("after the compile step %s is proposed, not %s", got, want)
	}
	v.ask(t, "Build it.")
	const outputs = "packages/a/tsconfig.tsbuildinfo packages/b/lib/b.d.ts packages/b/lib/b.js packages/b/tsconfig.tsbuildinfo"
	if got, want := v.proposed(t), outputs+" packages/b/src/b.ts"; got != want {
		t.Errorf("after a command %s is proposed, not %s", got, want)
	}
	for name, text := range files {
		if got, err := os.ReadFile(filepath.Join(root, name)); err != nil || string(got) != text {
			t.Errorf("%s is %q, %v", name, got, err)
		}
	}
	for _, dir := range []string{"packages/a", "packages/b"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, entry fs.DirEntry, err error) error {
			if rel, _ := filepath.Rel(root, path); err == nil && !entry.IsDir() && files[filepath.ToSlash(rel)] == "" {
				t.Errorf("%s is in the folder", rel)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// proposed returns the files of all proposals, relative to the folder, in order.
func (v *proven) proposed(t *testing.T) string {
	t.Helper()
	all, err := v.Edits.Proposals.List(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range all {
		for _, change := range p.Changes {
			rel, err := filepath.Rel(v.root, change.Path)
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, filepath.ToSlash(rel))
		}
	}
	return strings.Join(names, " ")
}
