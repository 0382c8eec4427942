package shards

import (
	"cmp"
	"path"
	"slices"
	"sync"

	"ploke-lsp/index/traits"
)

// A syntax tree takes twenty times the size of its text, and more. So files from largeFile bytes
// on share largeBudget, in bytes: those that are parsed at a time are not larger together. A file
// above the budget is parsed at the same time as small files only. While there are small files, large ones keep
// half of the workers busy at most: mostly they are generated, and a reader would have to wait for
// all of them.
const (
	largeFile   = 128 << 10
	largeBudget = 1 << 20
)

// workQueue holds the files of a plan. A channel would have to wake a worker for each
// file. The small files come in the order in which a reader looks for them, since searches find what is
// committed before the plan is done: those in the folders of open documents, then by their paths. The
// largest file comes first of all, while the process has little else in memory.
type workQueue struct {
	gate *pauseGate

	mu           sync.Mutex
	large, small []changedFile // that no worker has taken yet
	taken        int64         // of the budget
	busy, most   int           // how many workers large files keep busy, and may while there are small ones
	released     sync.Cond     // a part of the budget was released
}

// newWorkQueue returns the queue of some workers. near are the folders, by root-relative path, whose files come first.
func newWorkQueue(gate *pauseGate, files []changedFile, workers int, near map[string]bool) *workQueue {
	q := &workQueue{gate: gate, most: max(1, workers/2)}
	q.released.L = &q.mu
	var small [1 + traits.Precedences][]changedFile
	for _, c := range files {
		switch {
		case budgetOf(c) > 0:
			q.large = append(q.large, c)
		case near[path.Dir(c.rel)]:
			small[0] = append(small[0], c)
		default:
			p := 1 + traits.PrecedenceOf(c.rel, nil)
			small[p] = append(small[p], c)
		}
	}
	q.small = slices.Concat(small[:]...)
	slices.SortStableFunc(q.large, func(a, b changedFile) int { return cmp.Compare(b.size, a.size) })
	return q
}

// budgetOf returns how much of the budget a file takes.
func budgetOf(c changedFile) int64 {
	if c.size < largeFile {
		return 0
	}
	return min(c.size, largeBudget)
}

// next returns the next file, a large one first if it may. If only large files are left, it waits for
// the budget. ok is false if there is no file, or indexing is paused. The caller calls done
// after the file.
func (q *workQueue) next() (c changedFile, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.gate.closed() {
		switch {
		case q.mayTakeLarge():
			c, q.large = q.large[0], q.large[1:]
			q.taken += budgetOf(c)
			q.busy++
			return c, true
		case len(q.small) > 0:
			c, q.small = q.small[0], q.small[1:]
			return c, true
		case len(q.large) == 0:
			return c, false
		}
		q.released.Wait()
	}
	return c, false
}

func (q *workQueue) mayTakeLarge() bool {
	return len(q.large) > 0 && q.taken+budgetOf(q.large[0]) <= largeBudget && (q.busy < q.most || len(q.small) == 0)
}

// done releases the budget that a file has taken.
func (q *workQueue) done(c changedFile) {
	if budgetOf(c) == 0 {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.taken -= budgetOf(c)
	q.busy--
	q.released.Broadcast()
}
