package sandbox_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/internal/sandbox"
	"ploke-lsp/internal/testbed"
)

// newLandlock returns the sandbox of a machine without bubblewrap.
func newLandlock(t testing.TB) sandbox.Sandbox {
	t.Helper()
	s, err := sandbox.Landlock()
	testbed.Need(t, "Landlock", err)
	return s
}

// conceded are the attacks that Landlock does not keep off, with the words in which its [sandbox.Protection] says so.
var conceded = map[string]string{
	"its permissions": "can change permissions", "its owner": "can change permissions", "its time": "can change permissions",
	"its attributes":                   "can change permissions",
	"the arguments of another process": "can see your other processes", "its directory": "can see your other processes",
	"bounding": "can slow down", "lowering its priority": "can slow down", "its processors": "can slow down",
	"the machine's interfaces": "the names of the machine's networks",
	"another folder of git":    "", // which is one of the copy
}

// TestAttacksOnLandlock tries each way out of the sandbox of a machine without bubblewrap.
func TestAttacksOnLandlock(t *testing.T) {
	testbed.Long(t)
	s := newLandlock(t)
	t.Parallel()
	for _, a := range attacks {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			var out bytes.Buffer
			c := w.inPlace(t)
			c.Args, c.Output = []string{"sh", "-c", a.script}, &out
			status, err := sandbox.WithHome(s, w.home).Run(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			if status != 0 {
				err = fmt.Errorf("status %d", status)
			}
			words, isConceded := conceded[a.name]
			if a.succeeded(w, err) && !isConceded {
				t.Errorf("it succeeded in the sandbox:\n%s", &out)
			}
			if !strings.Contains(strings.Join(s.Protection().Lacks, "\n"), words) {
				t.Errorf("it is not said that a command %s", words)
			}
		})
	}
}

// inPlace returns a command of which only the folder "own-temp" is writable, and in which a copy of the project is.
func (w *world) inPlace(t *testing.T) sandbox.Command {
	t.Helper()
	tree := filepath.Join(w.dir, "tree")
	if err := errors.Join(os.Mkdir(tree, 0o700), os.Symlink(filepath.Join(w.root, ".git"), filepath.Join(tree, ".git"))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(tree, "a.txt"), []byte("as it was\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := w.box(t).Command
	c.Dir, c.Mounts = tree, []sandbox.Mount{
		{At: tree, From: tree, Writable: true}, {At: w.seen, From: w.seen}, {At: w.root, From: w.root},
	}
	return c
}

// TestACommandThatLandlockConfines writes in its tree, and nothing of it outlives it.
func TestACommandThatLandlockConfines(t *testing.T) {
	t.Parallel()
	s := newLandlock(t)
	for name, tt := range map[string]struct {
		script string
		status int
		output string
	}{
		"writing":        {`echo new > a.txt; mkdir d; mv a.txt d/b.txt; cat d/b.txt; echo x > /dev/null; echo x > "$HOME/x"; echo x > "$TMPDIR/x"`, 0, "new\n"},
		"a status":       {"exit 7", 7, ""},
		"a signal":       {"kill -TERM $$", 143, ""},
		"no such thing":  {"PATH=/usr/bin; exec no-such-program", 127, "sh: 1: exec: no-such-program: not found\n"},
		"what goes on":   {"(setsid sleep $MARK &) ; sleep $MARK & echo ended", 0, "ended\n"},
		"no input":       {"cat; echo ended", 0, "ended\n"},
		"sockets":        {`"$CALL" dial tcp "$TCP"`, 1, "socket: operation not permitted"},
		"a pair of them": {`perl -MSocket -e 'socketpair(A, B, AF_UNIX, SOCK_STREAM, 0) and print "fine"'`, 0, "fine"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			var out bytes.Buffer
			c, mark := w.inPlace(t), word(t)
			c.Args, c.Output, c.Env = []string{"sh", "-c", tt.script}, &out, append(c.Env, "MARK="+mark)
			status, err := sandbox.WithHome(s, w.home).Run(t.Context(), c)
			if err != nil || status != tt.status || !strings.HasSuffix(strings.TrimSpace(out.String()), strings.TrimSpace(tt.output)) {
				t.Errorf("status %d, %v\n%s", status, err, &out)
			}
			if running(mark) {
				t.Error("a process is left")
			}
		})
	}
}
