package peer

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// TestMain is also the process that a test kills: it has a document open in the folder of the
// variable, whose text changes when a test asks it something. It never answers.
func TestMain(m *testing.M) {
	if dir := os.Getenv("PLOKE_PEER_TEST"); dir != "" {
		var member *Member
		var err error
		ready := make(chan struct{})
		member, err = Join(Options{Dirs: []string{dir}, Listener: newEars(), Answer: func(ctx context.Context, _ []byte) ([]byte, error) {
			<-ready
			member.Set(at+"/a.go", 2, text("asked"))
			<-ctx.Done()
			return nil, ctx.Err()
		}})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		member.Set(at+"/a.go", 1, text("typed"))
		close(ready)
		os.Stdin.Read(make([]byte, 1))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// startOther starts a process that has a document open.
func startOther(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	other := exec.Command(os.Args[0])
	other.Env = append(os.Environ(), "PLOKE_PEER_TEST="+dir)
	other.Stderr = os.Stderr
	in, err := other.StdinPipe()
	if err == nil {
		err = other.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); other.Process.Kill(); other.Wait() })
	return other
}

// TestTheTextsOfAKilledProcessAreForgotten kills a process that has a document open. The next
// one that joins removes its socket.
func TestTheTextsOfAKilledProcessAreForgotten(t *testing.T) {
	dir := place(t)
	_, e := join(t, dir)
	other := startOther(t, dir)
	e.await(t, "/a.go=typed")
	if err := other.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	e.await(t)
	other.Wait() // the system may close the connections before the socket
	third, _ := join(t, dir)
	third.AwaitListed(t.Context())
	if got := sockets(t, dir); len(got) != 2 {
		t.Errorf("the sockets %v are there, of two processes that live", got)
	}
}

// TestAStaleSocketIsRemoved starts where only processes have been that are dead, and one died
// before it listened.
func TestAStaleSocketIsRemoved(t *testing.T) {
	dir := place(t)
	for range 3 {
		other := startOther(t, dir)
		m, e := join(t, dir)
		e.await(t, "/a.go=typed")
		other.Process.Kill()
		other.Wait()
		m.Close()
	}
	m, _ := join(t, dir)
	m.AwaitListed(t.Context())
	if got := sockets(t, dir); !slices.Equal(got, []string{m.name}) {
		t.Errorf("the sockets %v are there, want %s", got, m.name)
	}
}

func sockets(t *testing.T, dir string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		names = append(names, filepath.Base(f))
	}
	return names
}
