package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestMain lets the test binary run workers.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == workerCommand {
		os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// TestQuick runs all parts on small trees and checks that every figure is there.
func TestQuick(t *testing.T) {
	dir := t.TempDir()
	bin, out, log := filepath.Join(dir, "ploke-lsp"), new(bytes.Buffer), new(bytes.Buffer)
	if text, err := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-s -w", "-o", bin, "../cmd/ploke-lsp").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	other, saved := filepath.Join(dir, "snakes"), filepath.Join(dir, "figures.json")
	writePython(t, other)
	args := []string{
		"-quick", "-bin", bin, "-peers", dir, "-tree", filepath.Join(goroot(), "src", "text", "template"), "-other", other, "-json", saved,
	}
	if code := run(t.Context(), args, nil, out, log); code != 0 {
		t.Fatalf("exit status %d: %s", code, log)
	}
	var report struct{ Figures []figure }
	data, err := os.ReadFile(saved)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &report); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range report.Figures {
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
	}
	packed := []string{
		"request_code_context, p50", "request_code_context, p95", "request_code_context while indexing, p50", "request_code_context while indexing, p95",
	}
	block := slices.Concat(cold, query, packed, []string{
		"index on disk", "warm: process start to ready", "warm: open, update, first answer", "warm: open, first answer", "warm: source files opened",
	})
	memoryAndEdit := []string{
		"serve at rest, having indexed", "serve at rest, opened indexed",
		"edit to found in process, p50", "edit to found in process, p95", "edit in process, processor, mean",
		"edit to found on the wire, p50", "edit to found on the wire, p95",
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
	}
	scaling := []string{"wall per 1,000 files", "processor per 1,000 files", "peak memory per 1,000 files", "index on disk per 1,000 files"}
	for tree, names := range map[string][]string{
		"text/template":     slices.Concat(block, memoryAndEdit, model, engine),
		"snakes":            block,
		"text/template x 1": scaling,
		"text/template x 2": slices.Concat(scaling, cold, query, packed),
		"text/template x 4": scaling,
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
		text := fmt.Sprintf("def open_burrow_%[1]s(file):\n    \"\"\"Opens the burrow %[1]s and reads what lies in the file.\"\"\"\n    return file\n", base26(i))
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
