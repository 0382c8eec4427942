package trials_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/trial"
	"ploke-lsp/project/trials"
)

// TestTheEndOfThisProcessAtEachStep kills a process that runs commands in trials, each time a little later. Nothing of
// it is left: no process, no mount, no tree, and no changed file.
func TestTheEndOfThisProcessAtEachStep(t *testing.T) {
	testbed.Long(t)
	t.Parallel()
	if dir := os.Getenv("PLOKE_TEST_STEPS"); dir != "" {
		p := &place{folder: os.Getenv("PLOKE_TEST_FOLDER"), dir: dir}
		p.all = trials.New(dir, fmt.Sprint(os.Getpid()), func(context.Context, string) bool { return true })
		mark := os.Getenv("PLOKE_TEST_MARK")
		for i := 0; ; i++ {
			p.run(t, fmt.Sprint(i), "echo mine > a.txt; mkdir d; mv dir/b.txt d; (setsid sleep "+mark+" &); rm -rf dir; test "+
				fmt.Sprint(i)+" = 0 || exec sleep "+mark,
				trial.Text{Path: "dir/b.txt", Data: []byte("proposed\n")})
		}
	}
	p := newPlace(t)
	p.write(t, "dir/b.txt", "b\n")
	mark := fmt.Sprintf("9%d%d", os.Getpid(), time.Now().UnixNano()%1e9)
	steps, trees := testbed.Count(40, 10), 0
	for i := range steps {
		after := time.Duration(i+1) * 400 * time.Millisecond / time.Duration(steps)
		ctx, cancel := context.WithTimeout(t.Context(), after)
		cmd := exec.CommandContext(ctx, "/proc/self/exe", "-test.run", "^TestTheEndOfThisProcessAtEachStep$")
		cmd.Args[0], cmd.Env = "steps", append(os.Environ(), "PLOKE_TEST_STEPS="+p.dir, "PLOKE_TEST_FOLDER="+p.folder, "PLOKE_TEST_MARK="+mark)
		out, err := cmd.CombinedOutput()
		timedOut := ctx.Err() != nil
		if cancel(); !timedOut || !strings.Contains(fmt.Sprint(err), "killed") {
			t.Fatalf("it ended by itself: %v\n%s", err, out)
		}
		trees += p.trees(t)
		testbed.Eventually(t, func() bool { return !running(mark) && !running(p.dir) },
			func() string { return fmt.Sprint("a process is left after ", after) })
		if mounts, err := os.ReadFile("/proc/self/mounts"); err != nil || bytes.Contains(mounts, []byte(p.folder)) {
			t.Fatalf("after %v a mount is left: %v\n%s", after, err, mounts)
		}
		if got := p.files(t); got != "a.txt: as it was\ndir/b.txt: b\n" {
			t.Fatalf("after %v the folder has\n%s", after, got)
		}
	}
	if trees == 0 {
		t.Error("no process was killed with a tree")
	}
	testbed.Eventually(t, func() bool {
		_ = trials.Sweep(p.dir)
		entries, _ := os.ReadDir(p.dir)
		for _, e := range entries {
			if !strings.HasSuffix(e.Name(), ".new") { // these are given an hour
				return false
			}
		}
		return true
	}, func() string { return "a tree is left" })
}

// running reports whether a process of the machine other than a test has word in its arguments.
func running(word string) bool {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		if text, _ := os.ReadFile(file); bytes.Contains(text, []byte(word)) {
			return true
		}
	}
	return false
}

// files returns the files of the folder with their texts.
func (p *place) files(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	err := fs.WalkDir(os.DirFS(p.folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(p.folder, name))
		fmt.Fprintf(&b, "%s: %s", name, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestTwoTurnsAtOnce don't see each other, and commands of one turn wait for each other.
func TestTwoTurnsAtOnce(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	type end struct{ turn, output string }
	ended := make(chan end, 6)
	for range 3 {
		for _, turn := range []string{"one", "two"} {
			go func() {
				out := p.run(t, turn, "test ! -e lock && touch lock && echo "+turn+" >> said.txt && cat said.txt && rm lock")
				ended <- end{turn, out}
			}()
		}
	}
	longest := map[string]string{}
	for range 6 {
		e := testbed.Receive(t, ended, "the end of a command")
		if len(e.output) > len(longest[e.turn]) {
			longest[e.turn] = e.output
		}
	}
	if longest["one"] != strings.Repeat("one\n", 3) || longest["two"] != strings.Repeat("two\n", 3) {
		t.Errorf("got %q", longest)
	}
	if got := p.files(t); got != "a.txt: as it was\n" {
		t.Errorf("the folder has\n%s", got)
	}
}
