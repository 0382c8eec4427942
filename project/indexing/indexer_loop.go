package indexing

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"ploke-lsp/internal/display"
	"ploke-lsp/session/bus"
)

// loop serves requests until ctx ends. indexed are the folders of the index.
func (i *Indexer) loop(ctx context.Context, indexed []string) {
	for debounce(ctx, i.wake, DebounceLimit, i.urgent) {
		r := i.takePending()
		if r.empty() {
			continue
		}
		if r.roots {
			indexed = i.syncRoots(ctx, indexed)
		}
		if r.necessary() || r.verify {
			i.serve(ctx, &r)
		}
		i.mu.Lock()
		i.running = false
		i.mu.Unlock()
		for _, done := range r.waiting {
			close(done)
		}
	}
}

// takePending takes what is pending, and notes whether it is carried out.
func (i *Indexer) takePending() request {
	i.mu.Lock()
	defer i.mu.Unlock()
	r := i.pending
	i.pending = request{files: map[string]struct{}{}}
	i.running = r.necessary()
	return r
}

// serve brings the index up to date. If it is interrupted, it requests the same
// again.
func (i *Indexer) serve(ctx context.Context, r *request) {
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	i.setInterrupt(cancel)
	defer i.setInterrupt(nil)
	err := i.update(running, r)
	switch {
	case ctx.Err() != nil:
	case running.Err() != nil:
		i.display.end("stopped, to begin again")
		i.request(func(next *request) {
			next.scan, next.visible, next.rebuild = true, next.visible || r.visible, next.rebuild || r.rebuild
			next.waiting = append(next.waiting, r.waiting...)
			r.waiting = nil
		})
	case err != nil:
		i.failed(err)
	default:
		i.succeeded(r)
	}
}

// update scans everything, or reads single files.
func (i *Indexer) update(ctx context.Context, r *request) error {
	if !r.scan && !r.verify && len(r.files) <= maxSingleFiles {
		return i.Index.Refresh(ctx, slices.Sorted(maps.Keys(r.files)))
	}
	unexpected := !r.necessary()
	r.scan = true
	if r.visible {
		i.display.begin()
	}
	scan := i.Index.Update
	if r.rebuild {
		scan = i.Index.Rebuild
	}
	start := i.freshness.scanBegins(i.Workspace.Roots())
	found, err := scan(ctx, i.display.report)
	i.freshness.reports.Add(1)
	if err == nil && i.freshness.scanSucceeded(start, unexpected, found.ParsedFiles) {
		i.Log.Warn("files have changed that the editor watches, but it did not say so; turns look at the disk until it does")
	}
	return err
}

func (i *Indexer) urgent() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.pending.urgent()
}

func (i *Indexer) succeeded(r *request) {
	st := i.Index.Status()
	if r.scan {
		i.scanEnded("")
		i.display.end(fmt.Sprintf("%s files, %s symbols", display.Count(st.Files), display.Count(st.Symbols)))
	}
	i.Indexed()
	i.Bus.Publish(bus.IndexingCompleted{Files: st.Files, Symbols: st.Symbols})
}

// scanEnded records the outcome of a scan and returns that of the one before.
func (i *Indexer) scanEnded(failure string) (before string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if !i.scanned {
		close(i.firstScan)
	}
	before = i.failure
	i.scanned, i.failure = true, failure
	return before
}

// failed reports a failure, unless it follows another.
func (i *Indexer) failed(err error) {
	i.Log.Error("indexing failed", "error", err)
	i.freshness.scanFailed()
	reported := i.scanEnded(err.Error()) != ""
	i.display.end("failed")
	i.Bus.Publish(bus.IndexingFailed{Error: err.Error()})
	if !reported {
		i.FrontEnd.ShowError(fmt.Sprintf(
			"indexing failed: %v. What was indexed before is still searched; ploke tries again when you save a file or ask "+
				"something", err))
	}
}
