package peer

import (
	"fmt"
	"runtime"
	"testing"
)

// TestClosingManyDocumentsIsToldInLinearWork closes documents one by one, each of which is told before the next, and compares what is
// allocated with that for four times as many: looking at all that are open each time would take sixteen times as much.
func TestClosingManyDocumentsIsToldInLinearWork(t *testing.T) {
	for _, texts := range []bool{true, false} {
		few, many := closeAll(t, 500, texts), closeAll(t, 2000, texts)
		if many > 6*few {
			t.Errorf("texts %v: %d bytes for few documents, %d for four times as many", texts, few, many)
		}
	}
}

// closeAll returns how many bytes it allocates to tell a listener that n documents are closed.
func closeAll(t *testing.T, n int, texts bool) (bytes uint64) {
	t.Helper()
	p, sent := newPublished(), map[string]int{}
	path := func(i int) string { return fmt.Sprintf("/w/%d.go", i) }
	for i := range n {
		p.set(path(i), publishedDocument{version: 1, text: content("package p")})
	}
	l := p.listen()
	if all, _ := p.news(l, sent, texts); len(all) != n {
		t.Fatalf("%d messages about %d documents", len(all), n)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range n {
		p.remove(path(i))
		if all, _ := p.news(l, sent, texts); len(all) != 1 || all[0].Type != typeClosed || string(all[0].Path) != path(i) {
			t.Fatalf("closing the document %d is told as %+v", i, all)
		}
	}
	runtime.ReadMemStats(&after)
	if all, _ := p.news(l, sent, texts); len(all)+len(sent) > 0 {
		t.Errorf("afterwards: %+v, %d documents", all, len(sent))
	}
	return after.TotalAlloc - before.TotalAlloc
}

// content is a Content.
type content string

func (c content) Len() int      { return len(c) }
func (c content) Bytes() []byte { return []byte(c) }
