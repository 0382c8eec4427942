package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/internal/sandbox"
	"ploke-lsp/internal/testbed"
)

// TestMain lets the test binary run workers.
func TestMain(m *testing.M) {
	sandbox.Enter()
	if len(os.Args) == 3 && os.Args[1] == workerCommand {
		os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// TestQuick runs all parts on small trees and checks that every figure is there.
func TestQuick(t *testing.T) {
	testbed.Long(t)
	dir := t.TempDir()
	bin, out, log := filepath.Join(dir, "ploke-lsp"), new(bytes.Buffer), new(bytes.Buffer)
	if text, err := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-s -w", "-o", bin, "../cmd/ploke-lsp").
		CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	other := filepath.Join(dir, "snakes")
	writePython(t, other)
	b := &bench{log: log}
	args := []string{
		"-quick", "-bin", bin, "-peers", dir, "-tree", filepath.Join(goroot(), "src", "text", "template"), "-other", other, "-results", filepath.Join(dir, "none"),
	}
	if err := errors.Join(b.flags().Parse(args), b.runAll(t.Context(), out)); err != nil {
		t.Fatalf("%v: %s", err, log)
	}
	var got []string
	for _, f := range b.table.figures {
		if f.Error != "" {
			t.Errorf("%s: %s: %s", f.Tree, f.Name, f.Error)
		}
		if !strings.Contains(out.String(), fmt.Sprintf("| %s", f.Name)) {
			t.Errorf("%s is not printed", f.Name)
		}
		got = append(got, f.Tree+": "+f.Name)
	}
	for _, want := range wantFigures() {
		if !slices.Contains(got, want) {
			t.Errorf("there is no figure %q", want)
		}
	}
	if t.Failed() {
		t.Log(out, log)
	}
}

// wantFigures returns the figures that don't depend on installed peers.
func wantFigures() (want []string) {
	cold := []string{"cold index, wall", "cold index, processor", "cold index, peak memory"}
	query := []string{
		"query, p50", "query, p95", "query, processor, mean", "misspelt name, p50", "misspelt name, p95", "misspelt name, processor, mean",
		"pasted log, p95", "incoming references of a common name, worst",
	}
	packed := []string{
		"request_code_context, p50", "request_code_context, p95", "request_code_context while indexing, p50", "request_code_context while indexing, p95",
	}
	block := slices.Concat(cold, query, packed, []string{
		"index on disk", "warm: process start to ready", "warm: open, update, first answer", "warm: open, first answer", "warm: source files opened",
	})
	memoryAndEdit := []string{
		"cold start of a small repository to ready", "serve at rest, having indexed", "serve at rest, opened indexed",
	}
	for _, name := range []string{"edit", "edit of a long file"} {
		for _, what := range []string{" to found in process, p50", " to found in process, p95", " in process, processor, mean", " to found over the wire, p50", " to found over the wire, p95"} {
			memoryAndEdit = append(memoryAndEdit, name+what)
		}
	}
	for _, name := range []string{"didChange", "code action", "completion in the chat", "workspace/symbol"} {
		for _, when := range []string{"", " while indexing"} {
			memoryAndEdit = append(memoryAndEdit, name+when+", p50", name+when+", p99")
		}
	}
	model := []string{
		"system text and definitions", "automatic context", "search_text, text", "search_text, bytes beside places and lines",
		"code_item_edges, bytes beside places and lines", "create_file, text",
	}
	engine := []string{
		"engine in a turn, p50", "engine in a turn, p99", "commits in a turn, p50", "commits in a turn that wait for the disk",
		"commits in a turn that don't", "model server to editor, first delta, p50", "model server to editor, first delta, p95",
		"one call of list_dir in a response", "one call of create_file in a response", "one turn in a conversation", "one turn beside staged proposals",
		"a turn with 3 searches, after 20 turns", "state.db for a turn, after 20 turns", "memory of the engine, after 20 turns",
		"a turn with 3 searches, processor, mean, after 20 turns", "state.db for a turn without its texts, after 20 turns",
		"serve after a large document was closed", "serve grows while turns run, a minute",
	}
	scaling := []string{"wall per 1,000 files", "processor per 1,000 files", "peak memory per 1,000 files", "index on disk per 1,000 files"}
	var hostile []string
	for _, w := range hostileWorks {
		hostile = append(hostile, w.name)
	}
	for tree, names := range map[string][]string{
		"hostile":            hostile,
		"text/template":      slices.Concat(block, memoryAndEdit, model, engine),
		"snakes":             block,
		"text/template x 1":  scaling,
		"text/template x 2":  slices.Concat(scaling, cold, query, packed, []string{"serve at rest, opened indexed"}),
		"text/template x 4":  scaling,
		"text/template x 10": scaling,
		"1000 x 768 vectors": {"dense nearest, p50", "dense nearest, p95"},
		"ploke-lsp":          {"binary, without symbols", "start of --version to its end", "all grammars in the binary", "grammar in the binary: golang", "grammar in the binary: typescript/tsx"},
		"go":                 {"parse, processor, a MB", "cold start of a small repository to ready"},
		"python":             {"parse of the tests' samples, processor, a MB", "cold start of a small repository to ready"},
		"scala":              {"parse of the tests' samples, processor, a MB"},
		"10 small files":     scaling,
		"100 small files":    scaling,
		"300 small files":    {"a turn, the server watches", "search on the command line, a server answers", "search on the command line, no server"},
		"50 small files": {"a trial is made, with a first command", "a command in a trial, less the command",
			"whether the folder has changed meanwhile"},
		"50 packages of Go": {"a compile step in a trial, one file has changed"},
	} {
		for _, name := range names {
			want = append(want, tree+": "+name)
		}
	}
	return want
}

func writePython(t *testing.T, dir string) {
	t.Helper()
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		text := fmt.Sprintf("def open_burrow_%[1]s(file):\n    \"\"\"Opens the burrow %[1]s and reads what lies in the file.\"\"\"\n    return "+
			"file\n", base26(i))
		if err := os.WriteFile(filepath.Join(dir, base26(i)+".py"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestUnknownPart(t *testing.T) {
	var log bytes.Buffer
	bin := filepath.Join(t.TempDir(), "ploke-lsp")
	if err := os.WriteFile(bin, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	if code := run(t.Context(), []string{"-bin", bin, "-tree", ".", "-only", "nothing"}, nil, &log, &log); code != 1 || !strings.Contains(log.String(), "cold, size") {
		t.Errorf("exit status %d: %s", code, &log)
	}
}

// TestInterrupted checks that a run which is stopped prints and keeps the parts that have ended.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	bin, results := filepath.Join(dir, "ploke-lsp"), filepath.Join(dir, "results")
	if err := os.WriteFile(bin, []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var out bytes.Buffer
	log := cancelOnWrite{new(bytes.Buffer), cancel}
	args := []string{"-bin", bin, "-tree", ".", "-only", "size,model", "-results", results, "-commit", "abc"}
	if code := run(ctx, args, nil, &out, log); code != 1 || !strings.Contains(log.String(), "model was interrupted") {
		t.Errorf("exit status %d: %s", code, log)
	}
	kept, err := readResults(results)
	if err != nil || len(kept) != 1 {
		t.Fatalf("%d results are kept, %v: %s", len(kept), err, log)
	}
	if figures := kept[0].Runs[0].Figures; len(figures) != 1 || figures[0].Part != "size" || !strings.Contains(out.String(), "| size") {
		t.Errorf("kept: %v, printed: %s", figures, &out)
	}
}

// cancelOnWrite stops a run after its first part, which is logged.
type cancelOnWrite struct {
	*bytes.Buffer
	cancel context.CancelFunc
}

func (c cancelOnWrite) Write(p []byte) (int, error) {
	c.cancel()
	return c.Buffer.Write(p)
}

// base26 returns n as letters in base 26.
func base26(n int) string {
	word := []byte("aaaa")
	for i := len(word) - 1; n > 0 && i >= 0; i-- {
		word[i] += byte(n % 26)
		n /= 26
	}
	return string(word)
}
