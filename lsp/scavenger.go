package lsp

import (
	"runtime/debug"
	"time"
)

const (
	// largeText is the length in bytes from which a text counts as large.
	largeText = 4 << 20
	// scavengeDelay lets the message that brought the text go first.
	scavengeDelay = time.Second
)

// A scavenger returns freed memory to the system a moment after a large text has come or
// gone. The runtime alone takes minutes. The zero value is ready to use; the methods must
// not run at the same time.
type scavenger struct{ timer *time.Timer }

// changed notes that a text of so many bytes has come or gone.
func (s *scavenger) changed(bytes int) {
	switch {
	case bytes < largeText:
	case s.timer == nil:
		s.timer = time.AfterFunc(scavengeDelay, debug.FreeOSMemory)
	default:
		s.timer.Reset(scavengeDelay)
	}
}

// stop ends it.
func (s *scavenger) stop() {
	if s.timer != nil {
		s.timer.Stop()
	}
}
