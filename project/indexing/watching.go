package indexing

import (
	"context"
	"time"
)

// SetWatched takes the folders whose changes are reported from now on. Earlier changes of
// a new one were not seen, so the disk is scanned.
func (i *Indexer) SetWatched(roots []string) {
	if i.freshness.setWatched(roots) {
		i.rescan()
	}
}

// WatcherReported notes what a watcher reports. What a silent one has not reported is
// found by a scan.
func (i *Indexer) WatcherReported(paths []string) {
	i.DiskChanged(paths...)
	if i.freshness.watcherReported() {
		i.rescan()
	}
}

// DiskChanged notes files and folders that may have changed. After a failure it
// does nothing, since the next scan reads everything.
func (i *Indexer) DiskChanged(paths ...string) {
	i.freshness.reports.Add(1)
	i.request(func(r *request) {
		if i.failure != "" {
			return
		}
		for _, path := range paths {
			if path != "" {
				r.files[path] = struct{}{}
			}
		}
	})
}

// Reported returns how often changes on disk were reported or looked for, and whether all are reported.
func (i *Indexer) Reported() (count uint64, all bool) {
	return i.freshness.reports.Load(), !i.TurnNeedsScan()
}

// Active notes that the person does something, before which the disk may have changed.
func (i *Indexer) Active() {
	if i.freshness.scanDue(i.Workspace.Roots()) {
		i.request(func(r *request) { r.verify = true })
	}
}

// verifyNowAndThen scans where the disk is watched, in case something was not reported,
// until ctx ends.
func (i *Indexer) verifyNowAndThen(ctx context.Context) {
	ticker := time.NewTicker(verifyAfter)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			if i.freshness.watchesAll(i.Workspace.Roots()) {
				i.Active()
			}
		case <-ctx.Done():
			return
		}
	}
}
