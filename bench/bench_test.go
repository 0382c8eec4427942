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
	"time"
)

// TestMain lets the test's own program run the workers.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == workerCommand {
		os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// TestQuick runs all parts on small trees and looks for every figure.
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

// wantFigures are those that don't depend on peers being installed.
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
	engine := []string{
		"engine in a turn, p50", "engine in a turn, p99", "commits in a turn, p50", "commits in a turn that wait for the disk",
		"commits in a turn that don't", "model server to editor, first delta, p50", "model server to editor, first delta, p95",
	}
	scaling := []string{"wall per 1,000 files", "processor per 1,000 files", "peak memory per 1,000 files", "index on disk per 1,000 files"}
	for tree, names := range map[string][]string{
		"text/template":     slices.Concat(block, memoryAndEdit, engine),
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
		text := fmt.Sprintf("def open_burrow_%[1]s(file):\n    \"\"\"Opens the burrow %[1]s and reads what lies in the file.\"\"\"\n    return file\n", letters(i))
		if err := os.WriteFile(filepath.Join(dir, letters(i)+".py"), []byte(text), 0o644); err != nil {
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

func TestVerdicts(t *testing.T) {
	var all table
	all.add(
		figure{Name: "a", Value: 3, Unit: "s"}.vs("floor", 2).timesAtMost(1.5),
		figure{Name: "b", Value: 3.01, Unit: "s"}.vs("floor", 2).timesAtMost(1.5),
		figure{Name: "c", Value: 25, Unit: "ms"}.atMost(25),
		figure{Name: "d", Value: 1}.atMost(0),
		figure{Name: "e", Value: 7},
		figure{Name: "f", Error: "broken\npipe"},
	)
	var out strings.Builder
	if err := all.print(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"|      | a      | 3 s      | floor 2 s     | 1.50  | <= 1.5 x | ok     |  |",
		"|      | b      | 3.01 s   | floor 2 s     | 1.50  | <= 1.5 x | MISSED |  |",
		"|      | c      | 25 ms    |               |       | <= 25 ms | ok     |  |",
		"|      | d      | 1        |               |       | <= 0     | MISSED |  |",
		"|      | e      | 7        |               |       |          |        |  |",
		"|      | f      |          |               |       |          | MISSED | failed: broken; pipe |",
		"6 figures, 3 targets missed",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no row %q in\n%s", want, &out)
		}
	}
}

func TestPercentile(t *testing.T) {
	var hundred []int
	for i := range 100 {
		hundred = append(hundred, 100-i)
	}
	for _, test := range []struct {
		values []int
		p      int
		want   int
	}{
		{hundred, 50, 50}, {hundred, 95, 95}, {hundred, 100, 100}, {[]int{3}, 95, 3}, {[]int{9, 1, 5}, 50, 5},
	} {
		if got := percentile(test.values, test.p); got != test.want {
			t.Errorf("percentile %d of %d values: %d, want %d", test.p, len(test.values), got, test.want)
		}
	}
}

// TestWatchOpens: what is opened is seen, and what is only looked at is not.
func TestWatchOpens(t *testing.T) {
	dir := t.TempDir()
	var files []listed
	for _, name := range []string{"read.go", "stat.go", ".gitignore"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("package a\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		files = append(files, listed{"go", path})
	}
	w, err := watchOpens(files)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if _, err := os.Lstat(f.path); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"read.go", ".gitignore"} {
		if _, err := os.ReadFile(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	opened, err := w.stop()
	if want := []string{files[0].path}; err != nil || !slices.Equal(opened, want) {
		t.Errorf("opened: %v, %v; want %v", opened, err, want)
	}
}

// TestMeasure: the processor time and the memory are the process's own.
func TestMeasure(t *testing.T) {
	took, err := measure(exec.CommandContext(t.Context(), "sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"))
	if err != nil {
		t.Fatal(err)
	}
	if took.cpu <= 0 || took.wall <= 0 || took.peak < 100<<10 || took.wall > time.Minute {
		t.Errorf("took %+v", took)
	}
	if _, err := measure(exec.CommandContext(t.Context(), "sh", "-c", "echo why >&2; exit 3")); err == nil || !strings.Contains(err.Error(), "why") {
		t.Errorf("got %v, want the complaint of the process", err)
	}
}
