package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var cacheAndParser = map[string]string{
	"cache.go":      "package p\n\n// Evict frees memory.\nfunc Evict() {}\n\n// Flush writes.\nfunc Flush() {}\n",
	"text/parse.go": "package text\n\n// Parse reads durations in memory.\nfunc Parse() {}\n",
}

// testbed has a repository a/b, and a folder for cases.
type testbed struct {
	*testing.T
	repos, cases, repo string
	base               string // the first commit
}

// newTestbed commits the files of a repository.
func newTestbed(t *testing.T, files map[string]string) *testbed {
	t.Helper()
	dir := t.TempDir()
	b := &testbed{T: t, repos: filepath.Join(dir, "repos"), cases: filepath.Join(dir, "cases")}
	b.repo = filepath.Join(b.repos, "a+b", "repo")
	if err := os.MkdirAll(b.repo, 0o755); err != nil {
		t.Fatal(err)
	}
	b.git("init", "--quiet")
	b.base = b.commit("Begin", files)
	return b
}

// commit commits files and returns the commit.
func (b *testbed) commit(message string, files map[string]string) string {
	b.Helper()
	for rel, text := range files {
		b.write(filepath.Join(b.repo, rel), text)
	}
	b.git("add", ".")
	b.git("commit", "--quiet", "--message", message)
	return b.git("rev-parse", "HEAD")
}

// lose removes the newest version of a file from the repository and from its work tree, where git
// would find it again.
func (b *testbed) lose(rel string) {
	b.Helper()
	object := b.git("rev-parse", "HEAD:"+rel)
	stored := filepath.Join(b.repo, ".git", "objects", object[:2], object[2:])
	if err := errors.Join(os.Remove(stored), os.Remove(filepath.Join(b.repo, rel))); err != nil {
		b.Fatal(err)
	}
}

func (b *testbed) git(args ...string) string {
	b.Helper()
	cmd := exec.Command("git", append([]string{"-C", b.repo, "-c", "user.name=A", "-c", "user.email=a@b.c"}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		b.Fatalf("%s: %v: %s", cmd, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (b *testbed) write(path, text string) {
	b.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
}

// change writes a case whose change is in line 4 of cache.go.
func (b *testbed) change(file string) {
	b.Helper()
	b.write(filepath.Join(b.cases, file), fmt.Sprintf(`{"id": "one", "repo": "a/b", "base_commit": %q, "subject": "Evict less memory", `+
		`"query": "Evict less memory\nand flush", "files": ["cache.go"], "hunks": [{"file": "cache.go", "start": 4, "lines": 0}]}`, b.base))
}

// questions writes questions, each as JSON, about the folder root.
func (b *testbed) questions(root string, all ...string) {
	b.Helper()
	b.write(filepath.Join(b.cases, "questions", "q.json"), fmt.Sprintf(`{"b": {"repo": "a/b", "revision": %q, "root": %q, "published": `+
		`{"peer A": 0.832, "peer B": 0.54}, "questions": [%s]}}`, b.base, root, strings.Join(all, ", ")))
}

// run runs the program with the testbed's folders, and returns what it prints.
func (b *testbed) run(args ...string) string {
	b.Helper()
	var out, log bytes.Buffer
	if code := run(b.Context(), append([]string{"-repos", b.repos, "-cases", b.cases}, args...), &out, &log); code != 0 {
		b.Fatalf("exit status %d: %s", code, &log)
	}
	return out.String()
}

// expect fails the test unless the output has each of these parts, with any number of spaces.
func (b *testbed) expect(out string, parts ...string) {
	b.Helper()
	out = strings.Join(strings.Fields(out), " ")
	for _, part := range parts {
		if !strings.Contains(out, part) {
			b.Errorf("there is no %q in %s", part, out)
		}
	}
}
