//go:build linux || darwin

package peer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWherePeersMeet looks at the places of state folders. Two spellings of one state folder name the same place.
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
	if got := Dirs(link, "/w"); len(got) != 2 || got[0] != dirs[0] || got[1] != dirs[1] {
		t.Errorf("through a link: %q, want %q", got, dirs)
	}
	if got := Dirs(base, "/other"); got[0] == dirs[0] || got[1] == dirs[1] {
		t.Errorf("two folders have the places %q and %q", dirs, got)
	}
	one, two := filepath.Join(base, strings.Repeat("x", maxPath)), filepath.Join(base, strings.Repeat("y", maxPath))
	if got, other := Dirs(one, "/w"), Dirs(two, "/w"); len(got) != 1 || got[0] == other[0] {
		t.Errorf("of long paths: %q, %q", got, other)
	}
	fits := maxPath - len("/twins/") - 16 - len("/") - 2*nameBytes - len(newSuffix)
	for length, want := range map[int]int{fits: 2, fits + 1: 1} {
		if got := Dirs("/"+strings.Repeat("x", length-1), "/w"); len(got) != want {
			t.Errorf("a state folder with a path of %d bytes: %q", length, got)
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
