//go:build linux || darwin

package peer

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"ploke-lsp/internal/testbed"
)

// TestWherePeersMeet looks at the places of state folders. Two spellings of one state folder name the same places, and all
// but the first are those of any state folder and environment.
func TestWherePeersMeet(t *testing.T) {
	base, err := filepath.EvalSymlinks(filepath.Dir(filepath.Dir(place(t))))
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(base, "link")
	if err := os.Symlink(base, link); err != nil {
		t.Fatal(err)
	}
	dirs := Dirs(base, "/w")
	if got := Dirs(link, "/w"); !slices.Equal(got, dirs) {
		t.Errorf("through a link: %q, want %q", got, dirs)
	}
	if !strings.HasPrefix(dirs[0], base+"/") || len(dirs) < 2 {
		t.Errorf("the places of %s: %q", base, dirs)
	}
	for i, other := range Dirs(base, "/other") {
		if other == dirs[i] {
			t.Errorf("two folders have the place %q", other)
		}
	}
	for _, variable := range []string{"HOME", "USER", "LOGNAME", "TMPDIR", "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "PLOKE_STATE_DIR"} {
		t.Setenv(variable, base)
	}
	long := filepath.Join(base, strings.Repeat("x", maxPath))
	if got := Dirs(long, "/w"); !slices.Equal(got, dirs[1:]) {
		t.Errorf("of a long path, with other variables: %q, want %q", got, dirs[1:])
	}
	fits := maxPath - len("/twins/") - 16 - len("/") - 2*nameBytes - len(newSuffix)
	for length, want := range map[int]int{fits: len(dirs), fits + 1: len(dirs) - 1} {
		if got := Dirs("/"+strings.Repeat("x", length-1), "/w"); len(got) != want {
			t.Errorf("a state folder with a path of %d bytes: %q", length, got)
		}
	}
}

// TestProcessesOfOtherStateFoldersMeet has an editor with a state folder and one process each with it, with another one, and with
// one that is too long for sockets. They meet once, and say which state folder they have.
func TestProcessesOfOtherStateFoldersMeet(t *testing.T) {
	root, states := filepath.Join(t.TempDir(), "w"), map[string]string{"own": t.TempDir(), "other": t.TempDir(),
		"long": filepath.Join(t.TempDir(), strings.Repeat("x", maxPath))}
	as := func(state string, e *ears) *Member {
		return joinAs(t, Options{Dirs: Dirs(states[state], root), State: StateID(states[state]), Program: "1", Texts: true, Listener: e,
			Answer: echo})
	}
	editor := as("own", newEars())
	editor.Set("/a.go", 1, text("typed"))
	for state, dir := range states {
		e := newEars()
		m := as(state, e)
		e.await(t, "/a.go=typed")
		if peers := m.Peers(); len(peers) != 1 || (peers[0].State == StateID(dir)) != (state == "own") {
			t.Errorf("%s: the peers %+v", state, peers)
		}
		m.Close()
		if answer, err := Ask(t.Context(), Dirs(dir, root), "1", []byte("why")); string(answer) != "you asked why" {
			t.Errorf("%s: the answer is %q, %v", state, answer, err)
		}
	}
	for _, dir := range Dirs(states["own"], root) {
		if got := sockets(t, dir); !slices.Equal(got, []string{editor.name}) {
			t.Errorf("%s has the sockets %q", dir, got)
		}
	}
}

// TestWhatIsInAPlaceBesidesSockets has links, pipes, large files, and far more sockets of dead processes than processes may be
// followed, which come before the one of a process that lives. Who joins or asks finds that one, and does not wait.
func TestWhatIsInAPlaceBesidesSockets(t *testing.T) {
	t.Parallel()
	testbed.Watch(t)
	dir := place(t)
	editor := answering(t, dir, "1", echo)
	defer editor.Close()
	editor.Set("/a.go", 1, text("typed"))
	own := filepath.Join(dir, editor.name)
	elsewhere := place(t)
	listenAs(t, elsewhere, "0", func(c net.Conn) { t.Error("a link out of the place was followed") })
	large := filepath.Join(dir, "00-large")
	err := errors.Join(os.WriteFile(large, nil, 0o600), os.Truncate(large, 1<<40), syscall.Mkfifo(filepath.Join(dir, "00-pipe"), 0o600),
		os.Symlink(filepath.Join(elsewhere, "0"), filepath.Join(dir, "00-link")), os.Symlink("00-loop", filepath.Join(dir, "00-loop")),
		os.Mkdir(filepath.Join(dir, "00-folder"), 0o700))
	if err := errors.Join(err, os.Rename(own, filepath.Join(dir, "1"))); err != nil {
		t.Fatal(err)
	}
	leaveSockets := func() {
		for n := range 3 * maxConnections {
			l, err := listenAt(filepath.Join(dir, fmt.Sprintf("0%04d", n)))
			if err == nil {
				err = l.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	leaveSockets()
	if answer, err := Ask(t.Context(), []string{dir}, "1", []byte("why")); string(answer) != "you asked why" {
		t.Errorf("the answer is %q, %v", answer, err)
	}
	leaveSockets()
	_, e := join(t, dir)
	e.await(t, "/a.go=typed")
	for _, name := range []string{"00-large", "00-pipe", "00-link", "00-loop", "00-folder"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

// TestAPlaceThatOthersCanEnterIsNotAsked asks where another user has a socket, or could make one.
func TestAPlaceThatOthersCanEnterIsNotAsked(t *testing.T) {
	dir := place(t)
	listenAs(t, dir, "0", func(net.Conn) { t.Error("it was asked") })
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if answer, err := Ask(t.Context(), []string{dir}, "1", []byte("why")); !errors.Is(err, ErrUnanswered) ||
		!strings.Contains(err.Error(), "not a folder that only you can enter") {
		t.Errorf("the answer is %q, %v", answer, err)
	}
}

// TestPlacesOfOtherFoldersAreSwept has places that a killed process has left, and one with a process that lives.
func TestPlacesOfOtherFoldersAreSwept(t *testing.T) {
	dir := place(t)
	around := filepath.Dir(dir)
	left, young, used := filepath.Join(around, "left"), filepath.Join(around, "young"), filepath.Join(around, "used")
	old := time.Now().Add(-2 * sweptAge)
	for _, other := range []string{left, young, used} {
		if err := makePrivate(other); err != nil {
			t.Fatal(err)
		}
		l, err := listenAt(filepath.Join(other, "0"))
		if err != nil {
			t.Fatal(err)
		}
		if other == used {
			defer l.Close()
		} else {
			l.Close()
		}
		if other != young {
			if err := os.Chtimes(other, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	join(t, dir)
	testbed.Eventually(t, func() bool { _, err := os.Lstat(left); return errors.Is(err, fs.ErrNotExist) },
		func() string { return "what a dead process has left is still there" })
	for _, other := range []string{young, used} {
		if got := sockets(t, other); len(got) != 1 {
			t.Errorf("%s has the sockets %q", other, got)
		}
	}
}

// TestPeersMeetInTheNextPlaceIfTheFirstHasNoSockets has a file where the first place would be. Who asks looks
// in both places.
func TestPeersMeetInTheNextPlaceIfTheFirstHasNoSockets(t *testing.T) {
	first, next := place(t), place(t)
	if err := os.WriteFile(filepath.Dir(first), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	dirs := []string{first, next}
	editor := joinAs(t, Options{Dirs: dirs, Program: "1", Listener: newEars(), Answer: echo})
	editor.Set("/a.go", 1, text("typed"))
	e := newEars()
	joinAs(t, Options{Dirs: dirs, Texts: true, Listener: e})
	e.await(t, "/a.go=typed")
	if answer, err := Ask(t.Context(), dirs, "1", []byte("why")); string(answer) != "you asked why" {
		t.Errorf("the answer is %q, %v", answer, err)
	}
}
