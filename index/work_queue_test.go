package index

import "testing"

// TestWorkQueue takes files one by one: a large file comes first, and the next one only once
// there is room in the budget. Until then, small files come.
func TestWorkQueue(t *testing.T) {
	const half = largeBudget/2 + 1
	files := []changedFile{
		{rel: "small 1", size: largeFile - 1}, {rel: "half 1", size: half}, {rel: "half 2", size: half}, {rel: "huge", size: 3 * largeBudget},
		{rel: "small 2", size: 1},
	}
	queue := newWorkQueue(new(pauseGate), files)
	next := func(want int) {
		t.Helper()
		if c, ok := queue.next(); !ok || c.rel != files[want].rel {
			t.Errorf("the next file is %q, want %q", c.rel, files[want].rel)
		}
	}
	next(1)
	next(0)
	queue.done(files[1])
	next(2)
	queue.done(files[0]) // releases nothing
	next(4)
	queue.done(files[2])
	next(3)
	if c, ok := queue.next(); ok {
		t.Errorf("%q comes after the last file", c.rel)
	}
}
