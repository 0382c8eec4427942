package lsp_test

import (
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"

	"ploke-lsp/lsp/lsptest"
)

// TestClosingManyDocumentsIsLinearWork closes documents over the wire, each after the server has served the one before, and compares what
// server and editor allocate with that for four times as many: looking at all that are open each time would take sixteen
// times as much.
func TestClosingManyDocumentsIsLinearWork(t *testing.T) {
	closing := func(n int) (bytes uint64) {
		bubble(t, func(t *testing.T) {
			f := newFixture(t)
			e := f.startIndexed()
			path := func(i int) string { return f.path(fmt.Sprintf("open%d.go", i)) }
			for i := range n {
				e.OpenText(path(i), "package p\n")
			}
			handled(e)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for i := range n {
				e.CloseDocument(path(i))
				handled(e)
			}
			runtime.ReadMemStats(&after)
			bytes = after.TotalAlloc - before.TotalAlloc
		})
		return bytes
	}
	if few, many := closing(500), closing(2000); many > 8*few {
		t.Errorf("%d bytes for few documents, %d for four times as many", few, many)
	}
}

// handled waits until the server has done what follows from what the editor has sent.
func handled(e *lsptest.Editor) {
	awaitHandled(e)
	synctest.Wait()
}
