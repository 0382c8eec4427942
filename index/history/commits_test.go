package history

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/testbed"
)

// repository is a git repository in a temporary folder.
type repository struct {
	t   *testing.T
	dir string
}

func newRepository(t *testing.T) *repository {
	r := &repository{t, t.TempDir()}
	r.git("init", "--quiet", "--initial-branch=main")
	return r
}

func (r *repository) git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@b.c"}, args...)...)
	cmd.Dir = r.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("%s: %v: %s", cmd, err, out)
	}
	return string(out)
}

// commit writes files with the subject as their text, and commits them.
func (r *repository) commit(subject string, files ...string) {
	r.t.Helper()
	r.write(subject, files...)
	r.git("add", "--all")
	r.git("commit", "--quiet", "--allow-empty", "--message", subject+"\n\nMore words.")
}

// write writes files with the same text.
func (r *repository) write(text string, files ...string) {
	r.t.Helper()
	for _, rel := range files {
		path := filepath.Join(r.dir, rel)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			r.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			r.t.Fatal(err)
		}
	}
}

// read returns the history of a folder without IDs.
func read(t *testing.T, dir string) []Commit {
	t.Helper()
	ids, err := List(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(ids) == 0 {
		return nil
	}
	commits, err := Read(t.Context(), dir, ids)
	if err != nil {
		t.Fatal(err)
	}
	for i := range commits {
		commits[i].ID = ""
	}
	return commits
}

func TestCommits(t *testing.T) {
	r := newRepository(t)
	if got := read(t, r.dir); got != nil {
		t.Errorf("a repository without commits has the history %v", got)
	}
	r.commit("Begin", "a.go", "sub/b.go")
	r.commit("Name it \"ä\"\tbetter", "sub/ä b.go", "\x01odd\nname")
	r.commit("Nothing")
	var many []string
	for i := range maxFiles + 1 {
		many = append(many, "many/"+strings.Repeat("x", i+1))
	}
	r.commit("Reformat", many...)
	want := []Commit{
		{Subject: "Reformat"},
		{Subject: "Nothing"},
		{Subject: "Name it \"ä\"\tbetter", Files: []string{"\x01odd\nname", "sub/ä b.go"}},
		{Subject: "Begin", Files: []string{"a.go", "sub/b.go"}},
	}
	if diff := cmp.Diff(want, read(t, r.dir)); diff != "" {
		t.Error("commits of the repository:", diff)
	}
	want[2].Files = []string{"../\x01odd\nname", "ä b.go"}
	want[3].Files = []string{"../a.go", "b.go"}
	if diff := cmp.Diff(want, read(t, filepath.Join(r.dir, "sub"))); diff != "" {
		t.Error("commits of a folder in it:", diff)
	}
}

// TestRenames reads renames with and without a change, within a folder and across its
// border, and of empty files.
func TestRenames(t *testing.T) {
	r := newRepository(t)
	r.write("one text", "a.go")
	r.write(strings.Repeat("another text\n", 20), "b.go")
	r.write("", "empty.go")
	r.commit("Begin", "one/two/c.go")
	r.git("mv", "b.go", "b2.go")
	r.write(strings.Repeat("another text\n", 20)+"and more", "b2.go")
	r.git("mv", "a.go", "one/two/\x01commit a.go")
	r.git("mv", "empty.go", "one/two/empty.go")
	r.git("mv", "one/two/c.go", "one/two/d.go")
	r.commit("Move it")
	want := []Commit{
		{
			Subject: "Move it",
			Files:   []string{"../../b.go", "../../b2.go", "../../empty.go", "\x01commit a.go", "d.go", "empty.go"},
			Renames: []Rename{{"../../a.go", "\x01commit a.go"}, {"c.go", "d.go"}},
		},
		{Subject: "Begin", Files: []string{"../../a.go", "../../b.go", "../../empty.go", "c.go"}},
	}
	if diff := cmp.Diff(want, read(t, filepath.Join(r.dir, "one/two"))); diff != "" {
		t.Error(diff)
	}
}

func TestNoRepository(t *testing.T) {
	if got := read(t, t.TempDir()); got != nil {
		t.Errorf("a folder in no repository has the history %v", got)
	}
	r := newRepository(t)
	r.commit("Begin", "a.go")
	t.Setenv("PATH", "")
	if got := read(t, r.dir); got != nil {
		t.Errorf("without git there is the history %v", got)
	}
}

// TestNothingRuns reads a repository whose configuration names a program wherever git
// allows one.
func TestNothingRuns(t *testing.T) {
	r := newRepository(t)
	r.commit("Begin", "a.go", ".gitattributes")
	ran := filepath.Join(t.TempDir(), "ran")
	program := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho \"$0 $*\" >> '"+ran+"'\ncat\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(r.dir, ".gitattributes"), []byte("* diff=evil filter=evil\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"gpg.program", "gpg.ssh.program", "core.fsmonitor", "core.pager", "pager.diff-tree", "pager.rev-list", "core.editor",
		"diff.external", "diff.evil.textconv", "diff.evil.command", "filter.evil.clean", "filter.evil.smudge", "filter.evil.process",
		"core.sshCommand", "core.askPass", "credential.helper", "core.alternateRefsCommand", "uploadpack.packObjectsHook", "alias.rev-list"} {
		r.git("config", key, program)
	}
	r.git("config", "log.showSignature", "true")
	r.git("config", "diff.external", program)
	hooks := filepath.Join(r.dir, "hooks")
	r.git("config", "core.hooksPath", hooks)
	for _, name := range []string{"post-index-change", "post-checkout", "reference-transaction"} {
		if err := os.MkdirAll(hooks, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(program, filepath.Join(hooks, name)); err != nil {
			t.Fatal(err)
		}
	}
	os.Remove(ran) // the setup itself may have run it
	if got := read(t, r.dir); len(got) != 1 {
		t.Errorf("the history is %v", got)
	}
	if out, err := os.ReadFile(ran); err == nil {
		t.Errorf("reading the history ran %s", out)
	}
	r.git("log", "--patch", "--ext-diff")
	if _, err := os.Stat(ran); err != nil {
		t.Errorf("the programs never run, so this test proves nothing: %v", err)
	}
}

// TestNothingIsFetched reads a repository that lacks objects, and names a program for
// fetching them. The version of git is one that knows no GIT_NO_LAZY_FETCH.
func TestNothingIsFetched(t *testing.T) {
	r := newRepository(t)
	r.commit("Begin", "a.go")
	r.commit("Go on", "b.go")
	ran := filepath.Join(t.TempDir(), "ran")
	program := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho \"$0 $*\" >> '"+ran+"'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for key, value := range map[string]string{"core.repositoryFormatVersion": "1", "extensions.partialClone": "origin", "core.sshCommand": program,
		"remote.origin.url": "ssh://example.invalid/repository", "remote.origin.promisor": "true", "remote.origin.partialCloneFilter": "tree:0"} {
		r.git("config", key, value)
	}
	tree := strings.TrimSpace(r.git("rev-parse", "HEAD~^{tree}"))
	if err := os.Remove(filepath.Join(r.dir, ".git", "objects", tree[:2], tree[2:])); err != nil {
		t.Fatal(err)
	}
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	older := filepath.Join(t.TempDir(), "git")
	testbed.WriteProgram(t, older, strings.NewReader("#!/bin/sh\nunset GIT_NO_LAZY_FETCH\nexec '"+git+"' \"$@\"\n"))
	t.Setenv("PATH", filepath.Dir(older)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	ids, err := List(t.Context(), r.dir)
	if err != nil || len(ids) != 2 {
		t.Fatalf("the commits are %v, %v", ids, err)
	}
	if got, err := Read(t.Context(), r.dir, ids); err == nil {
		t.Errorf("without its tree a commit has files: %v", got)
	}
	if out, err := os.ReadFile(ran); err == nil {
		t.Errorf("reading the history ran %s", out)
	}
}

// TestNoContentIsRead reads a repository that has no file's content, as in a partial clone.
func TestNoContentIsRead(t *testing.T) {
	r := newRepository(t)
	r.commit("Begin", "a.go", "b.go")
	r.git("mv", "a.go", "c.go")
	r.commit("Go on", "b.go")
	for _, name := range []string{"HEAD:b.go", "HEAD:c.go"} {
		blob := strings.TrimSpace(r.git("rev-parse", name))
		if err := os.Remove(filepath.Join(r.dir, ".git", "objects", blob[:2], blob[2:])); err != nil {
			t.Fatal(err)
		}
	}
	if got := read(t, r.dir); len(got) != 2 || len(got[0].Renames) != 1 {
		t.Errorf("the history is %v", got)
	}
}
