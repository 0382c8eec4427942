package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/edits"
	"ploke-lsp/index"
	"ploke-lsp/internal/store"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools"
	"ploke-lsp/tools/wording"
)

// world is a workspace on disk with everything that the tools need.
type world struct {
	t       testing.TB
	root    string
	roots   []string // folders in root that are the workspace's; nil: root itself
	deps    tools.Deps
	set     *tools.Set
	turn    string // the request id of the calls
	said    string // the last user message
	calls   map[string]tools.Record
	asked   []tools.Permission // the permissions that the user was asked for
	answers []bool             // the next ones; then grant
	grant   bool               // their answer
	printed string             // that people saw at once
	room    int                // bytes of a result
}

// newWorld makes an indexed workspace of the files, by slash-separated path.
func newWorld(t testing.TB, files map[string]string) *world {
	t.Helper()
	return newWorldWithRoots(t, nil, files)
}

// newWorldWithRoots is like newWorld, for a workspace of several folders.
func newWorldWithRoots(t testing.TB, roots []string, files map[string]string) *world {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, root: root, roots: roots}
	for name, text := range files {
		w.write(name, text)
	}
	w.open()
	return w
}

// open indexes the folder at w.root.
func (w *world) open() {
	w.t.Helper()
	w.openUnindexed()
	if _, err := w.deps.Index.Update(w.t.Context(), nil); err != nil {
		w.t.Fatal(err)
	}
}

// openUnindexed is like open, but with an empty index.
func (w *world) openUnindexed() {
	w.t.Helper()
	ctx := w.t.Context()
	state := w.t.TempDir()
	roots := []string{w.root}
	if w.roots != nil {
		roots = nil
		for _, name := range w.roots {
			roots = append(roots, w.path(name))
		}
	}
	ws, err := workspace.New(roots, workspace.Options{})
	if err != nil {
		w.t.Fatal(err)
	}
	db, err := store.Open(ctx, filepath.Join(state, "state.db"))
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { db.Close() })
	x, err := index.Open(ctx, ws, index.Options{Dir: func(string) string { return state }})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { x.Close() })
	w.deps.Workspace, w.deps.Index, w.deps.Edits = ws, x, edits.New(db, ws, edits.Options{})
	w.set = tools.New(w.deps)
	w.turn = "turn 1"
	w.calls = make(map[string]tools.Record)
}

func (w *world) path(name string) string { return filepath.Join(w.root, filepath.FromSlash(name)) }

func (w *world) write(name, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(w.path(name), []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// read returns a file's text as the turn sees it.
func (w *world) read(name string) string {
	w.t.Helper()
	f, err := w.deps.Edits.Staging.View(edits.Turn{ID: w.turn}).Read(w.t.Context(), w.path(name))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(f.Text)
}

// call runs a tool, and checks the promises of every result.
func (w *world) call(tool, args string) tools.Result {
	w.t.Helper()
	t, ok := w.set.Get(tool)
	if !ok {
		w.t.Fatalf("no tool %s", tool)
	}
	result, err := t.Run(w.t.Context(), w, json.RawMessage(args))
	if err != nil {
		w.t.Fatalf("%s %s: %v", tool, args, err)
	}
	w.checkResult(tool, result)
	return result
}

func (w *world) Call() tools.Call {
	return tools.Call{ID: "our id", CallID: "call 1", RequestID: w.turn, ParentID: "message 1", ConversationID: "conversation 1"}
}

func (w *world) Output(text string)      { w.printed += text }
func (w *world) Visible()                {}
func (w *world) ResultBytes() int        { return w.room }
func (w *world) LastUserMessage() string { return w.said }

func (w *world) Record(ctx context.Context, callID string) (tools.Record, error) {
	record, ok := w.calls[callID]
	if !ok {
		return record, tools.ErrNoRecord
	}
	return record, nil
}

func (w *world) AskPermission(_ context.Context, p tools.Permission) error {
	w.asked = append(w.asked, p)
	if len(w.answers) > 0 {
		answer := w.answers[0]
		w.answers = w.answers[1:]
		if !answer {
			return tools.ErrDenied
		}
		return nil
	}
	if w.grant {
		return nil
	}
	return tools.ErrDenied
}

// checkResult checks the promises of every result: an object that reports success or failure, a
// summary of one line, and code only in snippets, each with lines that the file has for the
// turn.
func (w *world) checkResult(tool string, result tools.Result) {
	w.t.Helper()
	var content map[string]any
	if err := json.Unmarshal(result.Content, &content); err != nil {
		w.t.Fatalf("%s: the content is not an object: %v\n%s", tool, err, result.Content)
	}
	if content["ok"] != result.OK {
		w.t.Errorf("%s: ok is %v in the content and %v in the result", tool, content["ok"], result.OK)
	}
	if !result.OK {
		for _, field := range []string{"error", "code", "hint"} {
			if s, _ := content[field].(string); s == "" {
				w.t.Errorf("%s: a failure without %s: %s", tool, field, result.Content)
			}
		}
	}
	if result.Summary == "" || strings.Contains(result.Summary, "\n") {
		w.t.Errorf("%s: the summary is not one line: %q", tool, result.Summary)
	}
	w.checkBlocks(tool, "", content)
}

// checkBlocks refuses text of several lines outside snippets, except doc comments, output of
// programs, the model's own arguments and file names.
func (w *world) checkBlocks(tool, key string, value any) {
	w.t.Helper()
	switch value := value.(type) {
	case map[string]any:
		for k, v := range value {
			if tool != "recall_tool_result" || k != "arguments" {
				w.checkBlocks(tool, k, v)
			}
		}
	case []any:
		for _, v := range value {
			w.checkBlocks(tool, key, v)
		}
	case string:
		for _, part := range scan(value) {
			if part.Code != nil {
				w.checkCode(tool, part.Code)
			} else if strings.Contains(part.Text, "\n") && key != "doc" && key != "output" && key != "file" &&
				!strings.HasPrefix(part.Text, "cells of ") {
				w.t.Errorf("%s: %s shows lines outside a snippet:\n%s", tool, key, part.Text)
			}
		}
	}
}

func (w *world) checkCode(tool string, code *wording.Code) {
	w.t.Helper()
	f, err := w.deps.Edits.Staging.View(edits.Turn{ID: w.turn}).Read(w.t.Context(), code.Path)
	if err != nil {
		w.t.Errorf("%s shows a file that can't be read: %v", tool, err)
		return
	}
	text := string(f.Text)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	all := strings.SplitAfter(text, "\n")
	all = all[:len(all)-1]
	if code.EndLine > len(all) {
		w.t.Errorf("%s cites lines %d to %d of %s, which has %d", tool, code.StartLine, code.EndLine, code.Path, len(all))
		return
	}
	if want := strings.Join(all[code.StartLine-1:code.EndLine], ""); !sameButCut(want, code.Text) {
		w.t.Errorf("%s shows other text than lines %d to %d of %s:\n%s\nwant:\n%s", tool, code.StartLine, code.EndLine, code.Path,
			code.Text, want)
	}
}

// sameButCut reports whether got is the lines of want, long ones perhaps cut with a mark.
func sameButCut(want, got string) bool {
	wanted, have := strings.Split(want, "\n"), strings.Split(got, "\n")
	return len(wanted) == len(have) && !slices.ContainsFunc(have, func(line string) bool {
		all := wanted[0]
		wanted = wanted[1:]
		begin, mark, cut := strings.Cut(line, " …[")
		var missing int
		if n, _ := fmt.Sscanf(mark, "%d more bytes]", &missing); cut && n == 1 {
			return !strings.HasPrefix(all, begin) || len(begin)+missing != len(strings.TrimSuffix(all, "\r"))
		}
		return line != all
	})
}

// scan returns the plain texts and the code of a text.
func scan(text string) []wording.Part {
	var s wording.Scanner
	return append(s.Write(text), s.Close()...)
}
