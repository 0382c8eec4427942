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
	"testing"
	"time"

	"ploke-lsp/internal/testbed"
)

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
	editor.Set(at+"/a.go", 1, text("typed"))
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

// TestWhatIsInAPlaceBesidesSockets has links, pipes, a large file, and far more sockets of dead processes than processes may be
// followed, which come before the one of a process that lives. Who joins or asks finds that one, and does not wait.
func TestWhatIsInAPlaceBesidesSockets(t *testing.T) {
	t.Parallel()
	testbed.Watch(t)
	dir := place(t)
	editor := answering(t, dir, "1", echo)
	defer editor.Close()
	editor.Set(at+"/a.go", 1, text("typed"))
	own := filepath.Join(dir, editor.name)
	elsewhere := place(t)
	listenAs(t, elsewhere, "0", func(c net.Conn) { t.Error("a link out of the place was followed") })
	large, folder := filepath.Join(dir, "00-large"), filepath.Join(dir, "00-folder")
	err := errors.Join(os.WriteFile(large, nil, 0o600), os.Truncate(large, 1<<40), os.Mkdir(folder, 0o700))
	besides := append(leaveBesides(t, dir, filepath.Join(elsewhere, "0")), large, folder)
	if err := errors.Join(err, os.Rename(own, filepath.Join(dir, "1"))); err != nil {
		t.Fatal(err)
	}
	leaveAddresses := func() {
		for n := range 3 * maxConnections {
			leaveAddress(t, filepath.Join(dir, fmt.Sprintf("0%04d", n)))
		}
	}
	leaveAddresses()
	if answer, err := Ask(t.Context(), []string{dir}, "1", []byte("why")); string(answer) != "you asked why" {
		t.Errorf("the answer is %q, %v", answer, err)
	}
	leaveAddresses()
	_, e := join(t, dir)
	e.await(t, "/a.go=typed")
	for _, path := range besides {
		if _, err := os.Lstat(path); err != nil {
			t.Error(err)
		}
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
		if l := listenOn(t, filepath.Join(other, "0")); other != used {
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
	editor.Set(at+"/a.go", 1, text("typed"))
	e := newEars()
	joinAs(t, Options{Dirs: dirs, Texts: true, Listener: e})
	e.await(t, "/a.go=typed")
	if answer, err := Ask(t.Context(), dirs, "1", []byte("why")); string(answer) != "you asked why" {
		t.Errorf("the answer is %q, %v", answer, err)
	}
}
