package document

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"go.lsp.dev/uri"
	"golang.org/x/sys/unix"

	"ploke-lsp/internal/testbed"
)

// TestClosingManyDocumentsIsLinear closes documents one by one, and asks each time whether the file is still open, as is
// done for each that is closed. Looking at all that are open would take 256 times as long for 16 times as many. Only the time
// of this thread on a processor counts, so that other load does not.
func TestClosingManyDocumentsIsLinear(t *testing.T) {
	testbed.Long(t)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	least := func(n int) time.Duration {
		least := time.Hour
		for range 5 {
			d := NewTable()
			var all []*Document
			for i := range n {
				path := fmt.Sprintf("/w/%d.go", i)
				all = append(all, &Document{URI: uri.File(path), Path: path})
				d.set(all[i])
			}
			began := onProcessor(t)
			for _, doc := range all {
				if d.remove(doc.URI); d.At(doc.Path) != nil {
					t.Fatal("the document is open")
				}
			}
			least = min(least, onProcessor(t)-began)
		}
		return least
	}
	if few, many := least(1000), least(16_000); many > 80*few {
		t.Errorf("%v for few documents, %v for 16 times as many", few, many)
	}
}

// onProcessor returns how long this thread has run.
func onProcessor(t *testing.T) time.Duration {
	t.Helper()
	var at unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &at); err != nil {
		t.Fatal(err)
	}
	return time.Duration(at.Nano())
}
