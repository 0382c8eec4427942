package shards

import (
	"slices"
	"strings"
	"testing"
)

// TestWorkQueue takes files one by one: the largest file comes first, and the next large one only once
// there is room in the budget. Until then, small files come.
func TestWorkQueue(t *testing.T) {
	const half = largeBudget/2 + 1
	files := []changedFile{
		{rel: "small 1", size: largeFile - 1}, {rel: "half 1", size: half}, {rel: "half 2", size: half}, {rel: "huge", size: 3 * largeBudget},
		{rel: "small 2", size: 1},
	}
	queue := newWorkQueue(new(pauseGate), files, 8, nil)
	next := func(want int) {
		t.Helper()
		if c, ok := queue.next(); !ok || c.rel != files[want].rel {
			t.Errorf("the next file is %q, want %q", c.rel, files[want].rel)
		}
	}
	next(3)
	next(0)
	queue.done(files[0]) // releases nothing
	next(4)
	queue.done(files[3])
	next(1)
	queue.done(files[1])
	next(2)
	if c, ok := queue.next(); ok {
		t.Errorf("%q comes after the last file", c.rel)
	}
}

func TestWorkQueueBeginsWithWhatAReaderLooksForFirst(t *testing.T) {
	var files []changedFile
	for _, rel := range []string{"vendor/a/a.go", "a_test.go", "README.md", "b.go", "examples/b.go", "c/c.go", "c/c_test.go", "open/d/d.go", "open/o.go", "open/o_test.go"} {
		files = append(files, changedFile{rel: rel, size: 1})
	}
	queue := newWorkQueue(new(pauseGate), files, 1, map[string]bool{"open": true})
	var got []string
	for c, ok := queue.next(); ok; c, ok = queue.next() {
		got = append(got, c.rel)
	}
	want := []string{"open/o.go", "open/o_test.go", "b.go", "c/c.go", "open/d/d.go", "a_test.go", "c/c_test.go", "README.md", "vendor/a/a.go", "examples/b.go"}
	if !slices.Equal(got, want) {
		t.Errorf("the files come as %q, want %q", got, want)
	}
}

// TestLargeFilesLeaveWorkersToSmallOnes takes files without finishing any.
func TestLargeFilesLeaveWorkersToSmallOnes(t *testing.T) {
	var files []changedFile
	for _, rel := range []string{"large 1", "large 2", "large 3"} {
		files = append(files, changedFile{rel: rel, size: largeFile})
	}
	files = append(files, changedFile{rel: "small 1", size: 1}, changedFile{rel: "small 2", size: 1})
	for workers, want := range map[int]string{
		1: "large 1, small 1, small 2, large 2, large 3",
		3: "large 1, small 1, small 2, large 2, large 3",
		4: "large 1, large 2, small 1, small 2, large 3",
		8: "large 1, large 2, large 3, small 1, small 2",
	} {
		queue := newWorkQueue(new(pauseGate), files, workers, nil)
		var got []string
		for c, ok := queue.next(); ok; c, ok = queue.next() {
			got = append(got, c.rel)
		}
		if all := strings.Join(got, ", "); all != want {
			t.Errorf("for %d workers the files come as %q, want %q", workers, all, want)
		}
	}
}
