//go:build linux || darwin

package peer

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// connected returns both ends of a connection.
func connected(t testing.TB) (ours, theirs net.Conn) {
	t.Helper()
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	end := func(fd int) net.Conn {
		file := os.NewFile(uintptr(fd), "socket")
		defer file.Close()
		conn, err := net.FileConn(file)
		if err != nil {
			t.Fatal(err)
		}
		return conn
	}
	return end(fds[0]), end(fds[1])
}

// leaveAddress makes an address at which nobody listens any more.
func leaveAddress(t *testing.T, path string) {
	t.Helper()
	listenOn(t, path).Close()
}

// leaveBesides makes files in a place that are no addresses. One is a link to an address elsewhere.
func leaveBesides(t *testing.T, dir, elsewhere string) (paths []string) {
	t.Helper()
	pipe, link, loop := filepath.Join(dir, "00-pipe"), filepath.Join(dir, "00-link"), filepath.Join(dir, "00-loop")
	if err := errors.Join(syscall.Mkfifo(pipe, 0o600), os.Symlink(elsewhere, link), os.Symlink("00-loop", loop)); err != nil {
		t.Fatal(err)
	}
	return []string{pipe, link, loop}
}

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

// TestOtherUsersAreRefused has members that take another user for theirs.
func TestOtherUsersAreRefused(t *testing.T) {
	dir := place(t)
	var log bytes.Buffer
	e := newEars()
	stranger := newMember(Options{Dirs: []string{dir}, Texts: true, Listener: e, Log: slog.New(slog.NewTextHandler(&log, nil))},
		strconv.Itoa(os.Geteuid()+1))
	editor, _ := join(t, dir)
	editor.Set(at+"/a.go", 1, text("secret"))
	if err := stranger.start(); err != nil {
		t.Fatal(err)
	}
	stranger.AwaitListed(t.Context())
	conn := dial(t, stranger)
	writeFrame(conn, &header{Type: typeHello, Version: version, Texts: true}, nil)
	if got, err := io.ReadAll(conn); len(got) > 0 {
		t.Errorf("it answers %q, %v", got, err)
	}
	stranger.Close()
	if e.calls > 0 || !strings.Contains(log.String(), "belongs to another user") {
		t.Errorf("%d calls; the log: %s", e.calls, &log)
	}
}

// TestAPlaceThatOthersCanEnterIsRefused prepares the folder before the first peer.
func TestAPlaceThatOthersCanEnterIsRefused(t *testing.T) {
	for name, prepare := range map[string]func(dir string) error{
		"its mode is open": func(dir string) error { return errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o755)) },
		"the folder around it": func(dir string) error {
			return errors.Join(os.Mkdir(filepath.Dir(dir), 0o700), os.Chmod(filepath.Dir(dir), 0o777))
		},
		"a link":    func(dir string) error { return os.Symlink(filepath.Dir(filepath.Dir(dir)), dir) },
		"a file":    func(dir string) error { return os.WriteFile(dir, nil, 0o600) },
		"another's": func(dir string) error { return errors.Join(os.Mkdir(dir, 0o700), os.Chown(dir, 65534, -1)) },
	} {
		if name == "another's" && os.Geteuid() != 0 {
			continue // only root can give a folder away
		}
		t.Run(name, func(t *testing.T) {
			dir := place(t)
			if name != "the folder around it" {
				if err := os.Mkdir(filepath.Dir(dir), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			if err := prepare(dir); err != nil {
				t.Fatal(err)
			}
			if _, err := Join(Options{Dirs: []string{dir}, Listener: newEars()}); err == nil ||
				!strings.Contains(err.Error(), "not a folder that only you can enter") {
				t.Errorf("joining: %v", err)
			}
		})
	}
}
