package index_test

import (
	"os"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"ploke-lsp/index"
)

// asOrdinaryUser runs fn on a thread that file permissions apply to, even if the user is
// root.
func asOrdinaryUser(t *testing.T, fn func()) {
	t.Helper()
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocks it, so that the thread ends
		header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
		var none [2]unix.CapUserData
		err := unix.Capset(&header, &none[0])
		if err == nil {
			fn()
		}
		done <- err
	}()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// TestReadOnlyFolder opens an index in a folder that can't be written: a new one, and a
// damaged one.
func TestReadOnlyFolder(t *testing.T) {
	c := newCache(t)
	check := func(what string) {
		c.must(os.Chmod(c.state, 0o500))
		defer os.Chmod(c.state, 0o700)
		asOrdinaryUser(t, func() {
			x, err := index.Open(t.Context(), c.ws, c.options())
			if err == nil {
				x.Close()
			}
			if err == nil || !strings.Contains(err.Error(), "make the folder writable, or choose another place with --state-dir") {
				t.Errorf("%s: %v", what, err)
			}
		})
	}
	c.must(os.RemoveAll(c.state))
	c.must(os.Mkdir(c.state, 0o700))
	check("a new index")
	c.restore()
	c.flip("index.db")
	c.must(os.Truncate(c.file("index.db"), 4096))
	check("a damaged index")
	c.start() // for the cleanup
}

// TestUnreadableFilesAreReplaced opens an index whose files can't be read.
func TestUnreadableFilesAreReplaced(t *testing.T) {
	c := newCache(t)
	for _, name := range append(c.names(), "index.lock") {
		c.restore()
		c.must(os.Chmod(c.file(name), 0))
		asOrdinaryUser(t, func() {
			c.start()
			c.settled(name + " can't be read")
			c.close()
		})
	}
	c.start() // for the cleanup
}
