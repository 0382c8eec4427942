package indexing

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// staleAfter is how long after a scan the disk counts as unchanged, where
	// it is not watched.
	staleAfter = 5 * time.Second
	// verifyAfter is how long after a scan the reports of those that watch the disk
	// are taken for complete.
	verifyAfter = 5 * time.Minute
)

// freshness holds the rule of when the disk has to be scanned:
//
//   - A turn needs a scan unless every folder is watched, the last scan succeeded, and git
//     has not moved since it began. Git writes many files at once, and what it has written
//     is reported late.
//   - Whatever a person does makes a scan due if the last one is too old: five seconds where
//     the disk is not watched, and five minutes where it is. No caller waits for such a scan.
//
// A scan that was only due shows whether a watcher can be trusted. If it finds changes
// although nothing was reported since the scan before, the watcher counts as silent, and
// the folders as not watched, until something is reported.
type freshness struct {
	oneScan bool          // turns need no other scan than the first
	reports atomic.Uint64 // see [Indexer.Reported]

	mu       sync.Mutex
	watched  []string // folders whose changes are reported
	silent   bool     // they are said to be reported, but are not
	reported bool     // something was reported since the last scan began
	scanned  bool     // a scan has ended
	failed   bool     // the last scan failed
	lastScan time.Time
	began    map[string]string // where git was when the last scan began, by folder
}

// turnNeedsScan reports whether a turn has to wait for a scan of the folders.
func (f *freshness) turnNeedsScan(roots []string) bool {
	f.mu.Lock()
	unknown := f.failed || !f.oneScan && !f.watches(roots)
	began := maps.Clone(f.began)
	f.mu.Unlock()
	return unknown || !f.oneScan && !maps.Equal(began, gitPositions(roots))
}

// scanDue reports whether the last scan of the folders is too old.
func (f *freshness) scanDue(roots []string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	limit := staleAfter
	if f.watches(roots) {
		limit = verifyAfter
	}
	return f.scanned && time.Since(f.lastScan) > limit
}

// watchesAll is watches for callers that do not hold mu.
func (f *freshness) watchesAll(roots []string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.watches(roots)
}

// watches reports whether the changes of all folders are reported. mu is held.
func (f *freshness) watches(roots []string) bool {
	return len(roots) > 0 && !f.silent && containsAll(f.watched, roots)
}

// setWatched takes the folders whose changes are reported from now on, and reports whether
// there are new ones. Their earlier changes were not seen.
func (f *freshness) setWatched(roots []string) (more bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	more = !containsAll(f.watched, roots)
	f.watched = slices.Clone(roots)
	return more
}

// watcherReported notes that a watcher has reported a change, and reports whether it was
// silent before.
func (f *freshness) watcherReported() (wasSilent bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	wasSilent = f.silent
	f.reported, f.silent = true, false
	return wasSilent
}

// A scanStart is what was known when a scan began.
type scanStart struct {
	git      map[string]string
	reported bool // since the scan before
	watched  bool
}

// scanBegins notes that a scan of the folders begins.
func (f *freshness) scanBegins(roots []string) scanStart {
	git := gitPositions(roots) // before the walk: what git does during it needs another scan
	f.mu.Lock()
	defer f.mu.Unlock()
	start := scanStart{git, f.reported, f.watches(roots)}
	f.reported = false
	return start
}

// scanSucceeded notes what a scan has found. unexpected says that there was no reason to
// expect changes. It reports whether the watcher is silent since.
func (f *freshness) scanSucceeded(start scanStart, unexpected bool, changes int) (fellSilent bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.scanned, f.failed, f.lastScan, f.began = true, false, time.Now(), start.git
	fellSilent = unexpected && start.watched && changes > 0 && !start.reported && !f.reported
	f.silent = f.silent || fellSilent
	return fellSilent
}

func (f *freshness) scanFailed() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.scanned, f.failed, f.lastScan = true, true, time.Now()
}

func containsAll(list, wanted []string) bool {
	return !slices.ContainsFunc(wanted, func(s string) bool { return !slices.Contains(list, s) })
}
