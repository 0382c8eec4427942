//go:build !linux

package trials

import (
	"io"

	"ploke-lsp/internal/sandbox"
)

// open fails: a command runs in the sandbox or not at all, and there is none.
func (t *tree) open(string) error { return sandbox.ErrNone }

func (t *tree) command(*sandbox.Sandbox, Command) (sandbox.Command, error) {
	return sandbox.Command{}, sandbox.ErrNone
}

// newLock is for trees, of which there are none.
func newLock(string) (io.Closer, error) { return nil, sandbox.ErrNone }

func isLocked(string) bool { return false }

func maxMemory() int64 { return 0 }
