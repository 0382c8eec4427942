package tools_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"ploke-lsp/edits"
)

func newOverwriteWorld(t *testing.T) *world {
	t.Helper()
	return newWorld(t, map[string]string{
		"a.go": "package a\n\nfunc One() {}\n\nfunc Two() {}\n", "b.txt": "one\r\ntwo\r\n", "empty.txt": "", "link/c.txt": "c\n",
		".env": "KEY=1\n", "x.bin": "a\x00b", "ignored.txt": "x\n", ".gitignore": "ignored.txt\n", "open.txt": "on disk\n"})
}

func TestAFileIsOverwrittenIfTheCallSaysSo(t *testing.T) {
	for _, test := range []struct{ name, args, file, want string }{
		{"a line", `{"file":"a.go","content":"package a\n\nfunc One() {}\n\nfunc Three() {}\n","overwrite":true}`, "a.go", "package a\n\nfunc One() {}\n\nfunc Three() {}\n"},
		{"all", `{"file":"a.go","content":"package b\n","overwrite":true}`, "a.go", "package b\n"},
		{"with nothing", `{"file":"a.go","content":"","overwrite":true}`, "a.go", ""},
		{"an empty file", `{"file":"empty.txt","content":"x\n","overwrite":true}`, "empty.txt", "x\n"},
		{"with its line ends", `{"file":"b.txt","content":"one\n2\nthree\n","overwrite":true}`, "b.txt", "one\r\n2\r\nthree\r\n"},
		{"a new file", `{"file":"new/a.txt","content":"x\n","overwrite":true}`, "new/a.txt", "x\n"},
		{"by another name of the argument", `{"file_path":"a.go","content":"package b\n","force":"true"}`, "a.go", "package b\n"},
		{"what is not saved", `{"file":"open.txt","content":"in the editor\nmore\n","overwrite":true}`, "open.txt", "in the editor\nmore\n"},
		{"what this turn has made", `{"file":"made.txt","content":"y\n","overwrite":true}`, "made.txt", "y\n"},
		{"what this turn has changed", `{"file":"link/c.txt","content":"d\n","overwrite":true}`, "link/c.txt", "d\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newOverwriteWorld(t)
			w.deps.Workspace.SetBuffer(w.path("open.txt"), 7, []byte("in the editor\n"))
			w.call("create_file", `{"file":"made.txt","content":"x\n"}`)
			w.call("apply_code_edit", `{"edits":[{"file":"link/c.txt","old":"c","new":"changed"}]}`)
			if result := w.call("create_file", test.args); !result.OK {
				t.Fatalf("%s", result.Content)
			}
			if got := w.read(test.file); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

// TestOverwritingIsAnEditOfTheLinesThatDiffer looks at the proposal, and at the file when it is accepted.
func TestOverwritingIsAnEditOfTheLinesThatDiffer(t *testing.T) {
	w := newOverwriteWorld(t)
	w.call("create_file", `{"file":"a.go","content":"package a\n\nfunc 1() {}\n\nfunc Two() {}\n","overwrite":true}`)
	proposals, err := w.deps.Edits.Proposals.List(t.Context(), edits.Staged)
	if err != nil || len(proposals) != 1 {
		t.Fatal(len(proposals), err)
	}
	change := proposals[0].Changes[0]
	if change.Op != edits.OpEdit || len(change.Hunks) != 1 || change.Hunks[0].StartLine != 3 || change.Hunks[0].EndLine != 3 ||
		len(change.Problems) == 0 {
		t.Errorf("%+v", change)
	}
	w.accept()
	if got, err := os.ReadFile(w.path("a.go")); err != nil || !strings.Contains(string(got), "func 1() {}") {
		t.Errorf("%s %v", got, err)
	}
}

func TestWhatMayNotBeOverwrittenIsRefused(t *testing.T) {
	w := newOverwriteWorld(t)
	for _, test := range []struct{ args, code, says string }{
		{`{"file":"a.go","content":"x"}`, "exists", "change it with apply_code_edit, replace all of it with overwrite: true"},
		{`{"file":"a.go","content":"x","overwrite":false}`, "exists", "overwrite: true"},
		{`{"file":"a.go","content":"package a\n\nfunc One() {}\n\nfunc Two() {}\n","overwrite":true}`, "no_change", "already has this text"},
		{`{"file":"b.txt","content":"one\ntwo\n","overwrite":true}`, "no_change", ""},
		{`{"file":".env","content":"x","overwrite":true}`, "left_out", ""},
		{`{"file":"x.bin","content":"x","overwrite":true}`, "left_out", ""},
		{`{"file":"ignored.txt","content":"x","overwrite":true}`, "left_out", ""},
		{`{"file":".git/config","content":"x","overwrite":true}`, "left_out", ""},
		{`{"file":"link","content":"x","overwrite":true}`, "is_folder", ""},
		{`{"file":"../a.go","content":"x","overwrite":true}`, "outside_workspace", ""},
		{`{"file":"a.go","content":"\u0000","overwrite":true}`, "no_text", ""},
	} {
		result := w.call("create_file", test.args)
		var failure struct{ Code, Hint, Error string }
		if err := json.Unmarshal(result.Content, &failure); err != nil || result.OK || failure.Code != test.code ||
			!strings.Contains(failure.Error+failure.Hint, test.says) {
			t.Errorf("%s: %s", test.args, result.Content)
		}
	}
}
