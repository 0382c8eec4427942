package peer

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/Microsoft/go-winio"
	"golang.org/x/sys/windows"

	"ploke-lsp/internal/testbed"
)

// leaveAddress makes an address at which nobody listens any more.
func leaveAddress(t *testing.T, path string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(pipePrefix+digits), 0o600); err != nil {
		t.Fatal(err)
	}
}

// leaveBesides makes files in a place that are no addresses.
func leaveBesides(t *testing.T, dir, _ string) (paths []string) {
	t.Helper()
	for name, text := range notPipes {
		path := filepath.Join(dir, "00-"+name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// connected returns both ends of a connection.
func connected(t testing.TB) (ours, theirs net.Conn) {
	t.Helper()
	dir := place(t)
	if err := makePrivate(dir); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "0")
	l := listenOn(t, path)
	dialed := make(chan error, 1)
	go func() {
		var err error
		theirs, err = (&address{paths: []string{path}}).await(t.Context())
		dialed <- err
	}()
	ours, err := l.Accept()
	if err := errors.Join(err, <-dialed, l.Close(), os.RemoveAll(filepath.Dir(filepath.Dir(dir)))); err != nil {
		t.Fatal(err)
	}
	return ours, theirs
}

const digits = "0123456789abcdef0123456789abcdef"

// notPipes are texts that name no pipe of this program on this machine.
var notPipes = map[string]string{
	"empty": "", "cut": pipePrefix + digits[2:], "bare": digits, "longer": pipePrefix + digits + "00", "line": pipePrefix + digits[1:] + "\n",
	"other digits": pipePrefix + strings.ToUpper(digits[1:]) + "g", "of another": "another-" + digits,
	"path":          pipesFolder + pipePrefix + digits,
	"other machine": `\\server\pipe\` + pipePrefix + digits,
	"out":           `..\` + pipePrefix + digits, "zero": pipePrefix + digits[1:] + "\x00",
}

func TestAnAddressNamesAPipeOfThisMachine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "0")
	for name, text := range notPipes {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if pipe, err := pipeOf(path); err == nil {
			t.Errorf("%s: %q is the pipe %s", name, text, pipe)
		}
	}
	if err := os.WriteFile(path, []byte(pipePrefix+digits), 0o600); err != nil {
		t.Fatal(err)
	}
	if pipe, err := pipeOf(path); pipe != `\\.\pipe\ploke-lsp-`+digits {
		t.Errorf("the pipe is %s, %v", pipe, err)
	}
}

// TestAPipeIsForItsUserAlone reads whom the system lets use a pipe, and listens on it once more.
func TestAPipeIsForItsUserAlone(t *testing.T) {
	user, path := ownUser(t), filepath.Join(t.TempDir(), "0")
	l := listenOn(t, path)
	go l.Accept()
	conn, err := (&address{paths: []string{path}}).await(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	security, err := windows.GetSecurityInfo(windows.Handle(conn.(interface{ Fd() uintptr }).Fd()), windows.SE_KERNEL_OBJECT,
		windows.OWNER_SECURITY_INFORMATION|windows.DACL_SECURITY_INFORMATION)
	if err != nil {
		t.Fatal(err)
	}
	owner, _, _ := security.Owner()
	control, _, _ := security.Control()
	list, _, err := security.DACL()
	if err != nil || list == nil || list.AceCount != 1 || control&windows.SE_DACL_PROTECTED == 0 || owner.String() != user ||
		!strings.HasSuffix(security.String(), ";;;"+user+")") {
		t.Errorf("the pipe of %s has the security descriptor %s, %v", user, security, err)
	}
	pipe, err := pipeOf(path)
	if err != nil {
		t.Fatal(err)
	}
	if second, err := winio.ListenPipe(pipe, nil); err == nil {
		second.Close()
		t.Error("two listen on one pipe")
	}
}

// TestAPipeThatAnotherUserMadeIsToldNothing has a pipe of the name that a process has left, which belongs to another user.
func TestAPipeThatAnotherUserMadeIsToldNothing(t *testing.T) {
	dir := place(t)
	if err := makePrivate(dir); err != nil {
		t.Fatal(err)
	}
	l, err := listenAt(filepath.Join(dir, "0"), "S-1-5-32-544")
	if errors.Is(err, windows.ERROR_INVALID_OWNER) {
		return // only an administrator can make a pipe of all administrators
	}
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	heard := make(chan int)
	go func() {
		c, err := l.Accept()
		if err != nil {
			heard <- -1
			return
		}
		n, _ := c.Read(make([]byte, 1))
		c.Close()
		heard <- n
	}()
	if answer, err := Ask(t.Context(), []string{dir}, "1", []byte("why")); !errors.Is(err, errForeign) {
		t.Errorf("the answer is %q, %v", answer, err)
	}
	if n := <-heard; n != 0 {
		t.Errorf("it has heard %d bytes", n)
	}
}

// TestABusyProcessIsAwaited has a process that lets nobody in, as when it is suspended. It holds up nobody, and is followed once it
// goes on.
func TestABusyProcessIsAwaited(t *testing.T) {
	testbed.Watch(t)
	dir := place(t)
	if err := makePrivate(dir); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "0")
	l := listenOn(t, path)
	if _, err := dialAt(path); !errors.Is(err, errBusy) {
		t.Errorf("the error is %v", err)
	}
	if answer, err := Ask(t.Context(), []string{dir}, "1", nil); !errors.Is(err, ErrUnanswered) || !errors.Is(err, errBusy) {
		t.Errorf("the answer is %q, %v", answer, err)
	}
	m := newMember(Options{Dirs: []string{dir}, Listener: newEars(), Log: slog.New(slog.DiscardHandler)}, ownUser(t))
	ctx, leave := context.WithCancel(t.Context())
	m.followNew(ctx, &sync.WaitGroup{})
	c, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	if h, _, err := readFrame(c); err != nil || h.Type != typeHello {
		t.Errorf("the busy one hears %+v, %v", h, err)
	}
	c.Close()
	leave()
	m.running.others.Wait()
}

// TestWherePeersMeetOnWindows looks at the places of state folders. All but the first are those of any environment.
func TestWherePeersMeetOnWindows(t *testing.T) {
	base := realPath(t.TempDir())
	dirs := Dirs(base, `C:\w`)
	if len(dirs) != 2 || !strings.HasPrefix(dirs[0], base+`\`) || !strings.Contains(dirs[1], `\AppData\Local\ploke-lsp\`) {
		t.Errorf("the places are %q", dirs)
	}
	for _, variable := range []string{"LOCALAPPDATA", "USERPROFILE", "HOMEPATH", "XDG_STATE_HOME", "PLOKE_STATE_DIR"} {
		t.Setenv(variable, base)
	}
	if got := Dirs(base, `C:\w`); !slices.Equal(got, dirs) {
		t.Errorf("with other variables: %q, want %q", got, dirs)
	}
}
