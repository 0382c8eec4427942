package trials_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ploke-lsp/internal/sandbox"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/trial"
	"ploke-lsp/project/trials"
)

func TestMain(m *testing.M) {
	sandbox.Enter()
	os.Exit(m.Run())
}

// place is a folder with trials of it.
type place struct {
	folder, dir string
	waits       bool // whether all proposals wait
	wrote       func()
	all         *trials.Trials
}

func newPlace(t *testing.T) *place {
	t.Helper()
	_, err := sandbox.New(nil)
	testbed.Need(t, "bubblewrap", err)
	testbed.UserNamespaces(t)
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &place{folder: folder, dir: filepath.Join(t.TempDir(), "trials"), waits: true}
	p.write(t, "a.txt", "as it was\n")
	p.all = trials.New(p.dir, "this", func(context.Context, string) bool { return p.waits })
	return p
}

func (p *place) write(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join(p.folder, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// session are variables that name places of the person's session, which a command does not have.
var session = []string{"HOME=/mine", "TMPDIR=/mine", "TMP=/mine", "TEMP=/mine", "DISPLAY=/mine", "WAYLAND_DISPLAY=/mine",
	"XDG_RUNTIME_DIR=/mine", "XDG_SESSION_ID=/mine", "XDG_STATE_HOME=/mine", "XDG_CONFIG_HOME=/mine", "XDG_DATA_HOME=/mine"}

func (p *place) run(t *testing.T, turn, script string, texts ...trial.Text) string {
	t.Helper()
	out, _ := p.result(t, trials.Command{Turn: turn, Texts: texts}, script)
	return out
}

// result runs a script, which must succeed.
func (p *place) result(t *testing.T, c trials.Command, script string) (output string, result trials.Result) {
	t.Helper()
	var out bytes.Buffer
	c.Folder, c.Args, c.Output = p.folder, []string{"sh", "-c", script}, io.MultiWriter(&out, onWrite(p.wrote))
	c.Env = append([]string{"PATH=" + os.Getenv("PATH")}, session...)
	result, err := p.all.Run(t.Context(), c)
	if err != nil || result.Status != 0 {
		t.Fatalf("status %d, %v\n%s", result.Status, err, &out)
	}
	return out.String(), result
}

// onWrite is called when a command writes.
type onWrite func()

func (f onWrite) Write(p []byte) (int, error) {
	if f != nil {
		f()
	}
	return len(p), nil
}

// trees returns how many trees are on disk.
func (p *place) trees(t *testing.T) int {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(p.dir, "*", "*", "tree"))
	if err != nil {
		t.Fatal(err)
	}
	return len(found)
}

func TestATurnHasOneTree(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.run(t, "one", "echo built > built; ! env | grep /mine")
	if got := p.run(t, "one", "cat built a.txt", trial.Text{Path: "a.txt", Data: []byte("proposed\n")}); got != "built\nproposed\n" {
		t.Errorf("the next command of the turn sees %q", got)
	}
	p.run(t, "other", "test ! -e built")
	if got := p.trees(t); got != 2 {
		t.Errorf("%d trees while both proposals wait", got)
	}
	p.waits = false
	p.run(t, "third", "true")
	if got := p.trees(t); got != 1 {
		t.Errorf("%d trees once two proposals no longer wait", got)
	}
	if err := p.all.Close(); err != nil || p.trees(t) != 0 {
		t.Errorf("%d trees at the end: %v", p.trees(t), err)
	}
	if text, err := os.ReadFile(filepath.Join(p.folder, "a.txt")); err != nil || string(text) != "as it was\n" {
		t.Errorf("the folder has %q, %v", text, err)
	}
}

// TestATreeInUse stays, although its proposal no longer waits and another turn makes a tree.
func TestATreeInUse(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.waits = false
	other := trials.Command{Turn: "other", Folder: p.folder, Args: []string{"true"}, Output: io.Discard}
	p.wrote = func() {
		if result, err := p.all.Run(t.Context(), other); err != nil || result.Status != 0 {
			t.Errorf("status %d, %v", result.Status, err)
		}
	}
	if _, result := p.result(t, trials.Command{Turn: "one"}, "echo ready; echo mine > a.txt"); len(result.Changes) != 1 {
		t.Errorf("changed: %v", result.Changes)
	}
}

// TestWhatCommandsHaveChanged is told after each command of a tree, and can be read.
func TestWhatCommandsHaveChanged(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	skip := func(folder string) bool { return folder == "built" }
	for _, step := range []struct{ variant, script, want string }{
		{"", "mkdir built; echo x > built/x; echo one > one.txt", "[one.txt]"},
		{"", "rm a.txt; echo two > one.txt", "[a.txt one.txt]"},
		{"base", "cat a.txt; echo > base.txt", "[base.txt]"},
		{"", "true", "[a.txt one.txt]"},
	} {
		_, result := p.result(t, trials.Command{Turn: "turn", Variant: step.variant, Skip: skip}, step.script)
		var paths []string
		for _, c := range result.Changes {
			paths = append(paths, c.Path)
		}
		if got := fmt.Sprint(paths); got != step.want || result.Took <= 0 {
			t.Errorf("after %s: %s in %v, want %s", step.script, got, result.Took, step.want)
		}
	}
	if text, err := p.all.Read("turn", p.folder, "one.txt", 4); err != nil || string(text) != "two\n" {
		t.Errorf("one.txt reads %q, %v", text, err)
	}
	if _, err := p.all.Read("turn", p.folder, "one.txt", 3); !errors.Is(err, trial.ErrTooLarge) {
		t.Errorf("four bytes within three: %v", err)
	}
	for turn, path := range map[string]string{"turn": "base.txt", "other": "one.txt"} {
		if _, err := p.all.Read(turn, p.folder, path, 9); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s of %s: %v", path, turn, err)
		}
	}
}

// TestAFolderThatIsChangedDuringACommand is told, and a command's own changes are none.
func TestAFolderThatIsChangedDuringACommand(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(p *place) error
		want   bool
	}{
		"nothing":      {func(*place) error { return nil }, false},
		"a saved file": {func(p *place) error { return os.WriteFile(filepath.Join(p.folder, "a.txt"), []byte("saved\n"), 0o600) }, true},
		"a renamed file": {func(p *place) error {
			return os.Rename(filepath.Join(p.folder, "a.txt"), filepath.Join(p.folder, "b.txt"))
		}, true},
		"a removed file":     {func(p *place) error { return os.Remove(filepath.Join(p.folder, "a.txt")) }, true},
		"a new file":         {func(p *place) error { return os.WriteFile(filepath.Join(p.folder, "dir/n"), nil, 0o600) }, true},
		"an ignored file":    {func(p *place) error { return os.WriteFile(filepath.Join(p.folder, "built/n"), nil, 0o600) }, false},
		"the files of git":   {func(p *place) error { return os.WriteFile(filepath.Join(p.folder, ".git/n"), nil, 0o600) }, false},
		"a file of old":      {func(p *place) error { return os.Rename(filepath.Join(p.dir, "old"), filepath.Join(p.folder, "dir/x")) }, true},
		"a time that is set": {backdate, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			for _, file := range []string{"dir/x", "built/x", ".git/x"} {
				p.write(t, file, "x\n")
			}
			if err := os.MkdirAll(p.dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(p.dir, "old"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			p.wrote = func() {
				if err := tt.change(p); err != nil {
					t.Error(err)
				}
			}
			skip := func(folder string) bool { return folder == "built" }
			_, result := p.result(t, trials.Command{Turn: "turn", Skip: skip}, "echo mine > dir/x; echo ready")
			if result.Moved != tt.want {
				t.Errorf("moved is %v", result.Moved)
			}
		})
	}
}

// backdate saves a file with the time that it had.
func backdate(p *place) error {
	file := filepath.Join(p.folder, "a.txt")
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(file, []byte("AS IT WAS\n"), 0o600), os.Chtimes(file, info.ModTime(), info.ModTime()))
}

// TestACommandIsBounded in what the kernel bounds for each process.
func TestACommandIsBounded(t *testing.T) {
	t.Parallel()
	out := newPlace(t).run(t, "turn", `awk '/^Max (processes|file size|core)/ { print $(NF-1) }' /proc/self/limits`)
	if out != "4294967296\n0\n4096\n" {
		t.Errorf("the limits are %q", out)
	}
}

// TestACommandThatFillsTheDisk is stopped, and the next one of the turn, too, as long as that is so.
func TestACommandThatFillsTheDisk(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.all.Megabytes = func() int { return 20 }
	for _, where := range []string{".", "$HOME", "/tmp"} {
		_, err := p.all.Run(t.Context(), trials.Command{Turn: where, Folder: p.folder, Output: io.Discard,
			Args: []string{"sh", "-c", "head -c 30000000 /dev/zero > " + where + "/large; sleep 10"}, Env: []string{"PATH=" + os.Getenv("PATH")}})
		var limit *sandbox.LimitError
		if !errors.As(err, &limit) || !strings.Contains(err.Error(), "20 MB on disk") {
			t.Errorf("in %s: %v", where, err)
		}
	}
}

// TestSweep removes the trees of a process that was killed, and no others.
func TestSweep(t *testing.T) {
	t.Parallel()
	if dir := os.Getenv("PLOKE_TEST_TRIALS"); dir != "" {
		p := &place{folder: os.Getenv("PLOKE_TEST_FOLDER"), dir: dir}
		p.all = trials.New(dir, "killed", func(context.Context, string) bool { return true })
		p.run(t, "turn", "mkdir locked; touch locked/x; chmod 0 locked; echo ready")
		os.Stdout.WriteString("ready\n")
		select {}
	}
	p := newPlace(t)
	p.run(t, "turn", "true")
	young, old := filepath.Join(p.dir, "young.new"), filepath.Join(p.dir, "old.new") // not locked yet, or never to be
	past := time.Now().Add(-2 * time.Hour)
	if err := errors.Join(os.Mkdir(young, 0o700), os.Mkdir(old, 0o700), os.Chtimes(old, past, past)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/proc/self/exe", "-test.run", "^TestSweep$")
	cmd.Env = append(os.Environ(), "PLOKE_TEST_TRIALS="+p.dir, "PLOKE_TEST_FOLDER="+p.folder)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := make([]byte, 6)
	testbed.Returns(t, func() { _, err = out.Read(said) }, "the other process")
	if err != nil || p.trees(t) != 2 {
		t.Fatalf("%d trees, %v", p.trees(t), err)
	}
	if err := trials.Sweep(p.dir); err != nil || p.trees(t) != 2 {
		t.Errorf("%d trees of two processes that live, %v", p.trees(t), err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if err := trials.Sweep(p.dir); err != nil || p.trees(t) != 1 {
		t.Errorf("%d trees once one process is dead, %v", p.trees(t), err)
	}
	if left, err := filepath.Glob(filepath.Join(p.dir, "*.new")); err != nil || len(left) != 1 || left[0] != young {
		t.Errorf("%q are left, %v", left, err)
	}
	p.run(t, "turn", "true")
}

// TestWhatGitNames keeps a file of a workspace from naming any folder as that of its repository.
func TestWhatGitNames(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	git := func(dir string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=p", "-c", "user.email=p@example.com"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git(p.folder, "init", "-q")
	git(p.folder, "commit", "-q", "--allow-empty", "-m", "first")
	if got := p.run(t, "a", "git log --format=%s; (echo x > .git/config) 2>/dev/null || echo kept"); got != "first\nkept\n" {
		t.Errorf("a repository: %q", got)
	}
	tree := filepath.Join(t.TempDir(), "tree")
	git(p.folder, "worktree", "add", "-q", tree)
	w := &place{folder: tree, dir: filepath.Join(t.TempDir(), "trials")}
	w.all = trials.New(w.dir, "this", func(context.Context, string) bool { return true })
	if got := w.run(t, "a", "git log --format=%s"); got != "first\n" {
		t.Errorf("a working tree of its own: %q", got)
	}
	private := t.TempDir()
	if err := os.WriteFile(filepath.Join(private, "key"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(tree, ".git"), []byte("gitdir: "+private+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.run(t, "b", "test ! -e "+private+"/key")
	if err := errors.Join(p.all.Close(), w.all.Close()); err != nil {
		t.Error(err)
	}
}

func TestProbe(t *testing.T) {
	_, err := sandbox.New(nil)
	testbed.Need(t, "bubblewrap", err)
	testbed.UserNamespaces(t)
	dir := filepath.Join(t.TempDir(), "trials")
	if found, err := trials.Probe(t.Context(), dir); err != nil || found.Way != "bubblewrap" || found.Refused != nil || len(found.Lacks) > 0 {
		t.Errorf("%+v, %v", found, err)
	}
	withoutBubblewrap(t)
	if found, err := trials.Probe(t.Context(), dir); err != nil || found.Way != "Landlock" || found.Refused == nil || len(found.Lacks) == 0 {
		t.Errorf("without bubblewrap: %+v, %v", found, err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("%v is left, %v", entries, err)
	}
}

// withoutBubblewrap sets a PATH on which bubblewrap is not.
func withoutBubblewrap(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	for _, folder := range []string{"/usr/bin", "/bin"} {
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Name() != "bwrap" {
				_ = os.Symlink(filepath.Join(folder, e.Name()), filepath.Join(dir, e.Name()))
			}
		}
	}
	t.Setenv("PATH", dir)
}
