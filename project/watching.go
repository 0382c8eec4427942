package project

import (
	"context"
	"time"
)

// SetWatched takes the folders whose changes the front end reports by WatcherReported
// from now on.
func (p *Project) SetWatched(roots []string) { p.indexer.setWatched(roots) }

// WatcherReported notes files and folders that may have changed on disk, as a watcher of
// the disk reports them. Empty paths are ignored.
func (p *Project) WatcherReported(paths []string) {
	if p != nil {
		p.indexer.watcherReported(paths)
	}
}

// DiskChanged notes files and folders that may have changed on disk, because of something
// that the front end or the project has done. Empty paths are ignored.
func (p *Project) DiskChanged(paths []string) {
	if p != nil {
		p.indexer.diskChanged(paths...)
	}
}

// Active notes that the person does something, such as asking for code actions.
// The disk may have changed meanwhile.
func (p *Project) Active() { p.indexer.active() }

// setWatched takes the folders whose changes are reported from now on. Earlier changes of
// a new one were not seen, so the disk is scanned.
func (i *indexer) setWatched(roots []string) {
	if i.freshness.setWatched(roots) {
		i.rescan()
	}
}

// watcherReported notes what a watcher reports. What a silent one has not reported is
// found by a scan.
func (i *indexer) watcherReported(paths []string) {
	i.diskChanged(paths...)
	if i.freshness.watcherReported() {
		i.rescan()
	}
}

// diskChanged notes files and folders that may have changed. After a failure it
// does nothing, since the next scan reads everything.
func (i *indexer) diskChanged(paths ...string) {
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

// active notes that the person does something, before which the disk may have changed.
func (i *indexer) active() {
	if i.freshness.scanDue(i.workspace.Roots()) {
		i.request(func(r *request) { r.verify = true })
	}
}

// verifyNowAndThen scans where the disk is watched, in case something was not reported,
// until ctx ends.
func (i *indexer) verifyNowAndThen(ctx context.Context) {
	ticker := time.NewTicker(verifyAfter)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			if i.freshness.watchesAll(i.workspace.Roots()) {
				i.active()
			}
		case <-ctx.Done():
			return
		}
	}
}
