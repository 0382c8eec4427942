package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestRun evaluates a repository of two commits. The first contains the place that the second
// changes.
func TestRun(t *testing.T) {
	repo, cases := newRepository(t, map[string]string{
		"cache.go": "package p\n\n// Evict frees memory.\nfunc Evict() {}\n\n// Flush writes.\nfunc Flush() {}\n",
		"parse.go": "package p\n\n// Parse reads durations.\nfunc Parse() {}\n",
	})
	for _, query := range []string{subject, full} {
		var out, log bytes.Buffer
		predictions := filepath.Join(t.TempDir(), query)
		if code := run(t.Context(), []string{"-repo", repo, "-cases", cases, "-query", query, "-out", predictions}, &out, &log); code != 0 {
			t.Fatalf("exit status %d: %s", code, &log)
		}
		for _, m := range measures {
			if !strings.Contains(out.String(), fmt.Sprintf("%-10s 100.0", m)) {
				t.Errorf("%s of the %s query is not 100: %s", m, query, &out)
			}
		}
		written, err := os.ReadFile(predictions)
		if err != nil || !strings.HasPrefix(string(written), `{"id":"one","files":["cache.go"`) {
			t.Errorf("the predictions are %s, %v", written, err)
		}
	}
}

// TestEverything evaluates two repositories at once, with all options.
func TestEverything(t *testing.T) {
	repo, cases := newRepository(t, map[string]string{
		"cache.go": "package p\n\n// Evict frees memory.\nfunc Evict() {}\n\n// Flush writes.\nfunc Flush() {}\n",
		"serve.go": "package p\n\nfunc Serve() { Evict() }\n",
	})
	var out, log bytes.Buffer
	if code := run(t.Context(), []string{"-repo", repo, "-cases", cases, "-repo", repo, "-cases", cases, "-shares", "-packed"}, &out, &log); code != 0 {
		t.Fatalf("exit status %d: %s", code, &log)
	}
	for _, want := range []string{
		"2 cases, subject query", "\nhistory ", "\nwhole files     1000  100.0 [100.0, 100.0]  100.0 [100.0, 100.0]  100.0 [100.0, 100.0]",
		"\ncards only      2000  100.0 [100.0, 100.0]  100.0 [100.0, 100.0]    0.0 [ 0.0,  0.0]", "\nshipped mix     8000  100.0",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("there is no %q in %s", want, &out)
		}
	}
}

func TestBadArguments(t *testing.T) {
	for _, args := range [][]string{{}, {"-repo", "x"}, {"-repo", "x", "-cases", "y", "-query", "both"}, {"-repo", "x", "-cases", "y", "z"}, {"-repo", "x", "-repo", "x", "-cases", "y"}, {"-nonsense"}, {"-repo", "x", "-cases", "y", "-without", "z"}} {
		var out, log bytes.Buffer
		if code := run(t.Context(), args, &out, &log); code != 2 || log.Len() == 0 {
			t.Errorf("%q: exit status %d, said %q", args, code, &log)
		}
	}
}

// TestScore counts what a prediction found.
func TestScore(t *testing.T) {
	c := testCase{Files: []string{"b", "z"}, Hunks: []hunk{{"b", 10, 3}, {"b", 40, 0}, {"z", 1, 1}}}
	p := prediction{Files: []string{"a", "b"}, Spans: []span{{"a", 1, 100}, {"b", 12, 20}, {"b", 39, 39}}}
	want := score{1.0 / 2, 0, 1.0 / 2, 1.0 / 2, 1.0 / 3, 1.0 / 3}
	if got := p.score(c); got != want {
		t.Errorf("the score is %v, want %v", got, want)
	}
}

// newRepository creates a repository of one commit, and a case whose next commit changes cache.go.
func newRepository(t *testing.T, files map[string]string) (repo, cases string) {
	t.Helper()
	dir := t.TempDir()
	repo, cases = filepath.Join(dir, "repo"), filepath.Join(dir, "cases.jsonl")
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", repo, "-c", "user.name=A", "-c", "user.email=a@b.c"}, args...)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v: %s", cmd, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	for rel, text := range files {
		write(filepath.Join(repo, rel), text)
	}
	git("init", "--quiet")
	git("add", ".")
	git("commit", "--quiet", "--message", "Begin")
	write(cases, fmt.Sprintf(`{"id": "one", "base_commit": %q, "subject": "Evict less memory", "query": "Evict less memory\nand flush", "files": ["cache.go"], "hunks": [{"file": "cache.go", "start": 4, "lines": 0}]}`, git("rev-parse", "HEAD")))
	return repo, cases
}
