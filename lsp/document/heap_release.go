package document

import (
	"runtime/debug"
	"time"
)

const (
	// largeText is the length in bytes from which a text counts as large.
	largeText = 4 << 20
	// heapReleaseDelay lets the message that brought the text go first.
	heapReleaseDelay = time.Second
)

// A heapRelease returns freed memory to the system a moment after a large text has come or
// gone. The runtime alone takes minutes. The zero value is ready to use; the methods must
// not run at the same time.
type heapRelease struct{ timer *time.Timer }

// changed notes that a text of so many bytes has come or gone.
func (r *heapRelease) changed(bytes int) {
	switch {
	case bytes < largeText:
	case r.timer == nil:
		r.timer = time.AfterFunc(heapReleaseDelay, debug.FreeOSMemory)
	default:
		r.timer.Reset(heapReleaseDelay)
	}
}

// stop ends it.
func (r *heapRelease) stop() {
	if r.timer != nil {
		r.timer.Stop()
	}
}

// follow notes how large the text is that has come or gone.
func (r *heapRelease) follow(e Event) {
	switch {
	case e.Kind == Opened:
		r.changed(e.After.Text.Len())
	case e.Kind == Changed:
		bytes := 0
		for _, c := range e.Changes {
			bytes += len(c.Text)
		}
		r.changed(bytes)
	case e.Before != nil:
		r.changed(e.Before.Text.Len())
	}
}
