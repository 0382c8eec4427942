// Package indexing keeps an index up to date with the disk and with what a person types.
//
// One goroutine of an [Indexer] reads the disk, in the order of the requests. A [Debouncer] gives
// the index unsaved text, so a keystroke never waits for the disk. The type freshness says when the
// disk is scanned; git_position.go, whether git has changed it; watch_disk.go watches it where a front
// end does not.
//
// Its promises:
//   - A turn begins with an index that has what was saved before it: it waits for the first scan, for
//     reported changes, and for a scan where something may not have been reported. It waits five
//     seconds at most, and never while the person has paused the indexing.
//   - Nothing else waits for the disk. Requests return at once, and a slow front end delays its
//     display alone.
//   - What is typed is indexed once it is quiet for 150 ms, or at the latest after two seconds.
//   - A failure is shown once, until a scan succeeds; the next turn or save tries again.
//   - Close waits for all that runs.
package indexing
