package indexing

import (
	"context"
	"fmt"
	"sync"
	"time"

	"ploke-lsp/index"
	"ploke-lsp/internal/wake"
	"ploke-lsp/session/bus"
)

// progressInterval is the shortest time between two reports of a scan.
const progressInterval = 100 * time.Millisecond

// An indexDisplay shows the scans of the index to the person. The scan only
// records how far it is; a goroutine of the display passes the latest record to
// the front end, so a client that is slow to answer or to read never delays the
// indexing.
type indexDisplay struct {
	frontEnd   FrontEnd
	bus        *bus.Bus
	index      *index.Index
	cancel     func() // called when the person cancels the progress
	resumeHint string

	changed chan struct{}

	mu  sync.Mutex
	now scanState

	// Only the goroutine uses these.
	paused bool // as it was last published
}

// scanState is what there is to show.
type scanState struct {
	begun   bool // a scan began that was not shown yet
	running bool
	at      index.Progress
	outcome string // of the last scan
}

func newIndexDisplay(o Options, cancel func()) *indexDisplay {
	return &indexDisplay{frontEnd: o.FrontEnd, bus: o.Bus, index: o.Index, cancel: cancel, resumeHint: o.ResumeHint,
		changed: make(chan struct{}, 1)}
}

// begin records a scan that is shown even if it finds no changes.
func (d *indexDisplay) begin() {
	d.mu.Lock()
	d.now.begun, d.now.running, d.now.at = true, true, index.Progress{}
	d.mu.Unlock()
	wake.Up(d.changed)
}

// report records how far a scan is. A scan that finds nothing to read is not
// shown, as most find nothing.
func (d *indexDisplay) report(at index.Progress) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.now.running && at.Files >= at.TotalFiles {
		return
	}
	d.now.begun = d.now.begun || !d.now.running
	d.now.running, d.now.at = true, at
	wake.Up(d.changed)
}

// end records that the scan is over.
func (d *indexDisplay) end(outcome string) {
	d.mu.Lock()
	d.now.running, d.now.outcome = false, outcome
	d.mu.Unlock()
	wake.Up(d.changed)
}

// update shows a change besides the scan's progress: a pause.
func (d *indexDisplay) update() { wake.Up(d.changed) }

// loop shows what was recorded until ctx ends.
func (d *indexDisplay) loop(ctx context.Context) {
	var shown Progress
	for {
		select {
		case <-d.changed:
		case <-ctx.Done():
			if shown != nil {
				shown.End("stopped")
			}
			return
		}
		shown = d.show(ctx, shown)
		select {
		case <-time.After(progressInterval):
		case <-ctx.Done():
		}
	}
}

// show shows the latest state. It takes and returns the progress that is shown,
// nil if there is none. A pause ends the progress; the next report after it
// begins another.
func (d *indexDisplay) show(ctx context.Context, shown Progress) Progress {
	d.mu.Lock()
	now := d.now
	d.now.begun = false
	d.mu.Unlock()
	paused := d.index.Status().Paused
	if paused && now.running {
		now.outcome = fmt.Sprintf("paused at %s; %s", NewScanProgress(now.at), d.resumeHint)
	}
	if shown == nil && (now.begun || now.running && !paused) {
		d.bus.Publish(bus.IndexingStarted{Root: now.at.Root})
		shown = d.frontEnd.BeginProgress(ctx, "ploke: indexing", d.cancel)
	}
	if now.running || paused != d.paused {
		d.paused = paused
		d.bus.Publish(bus.IndexingProgress{Root: now.at.Root, Files: now.at.Files, TotalFiles: now.at.TotalFiles,
			Symbols: now.at.Symbols})
	}
	switch {
	case shown == nil:
	case now.running && !paused:
		at := NewScanProgress(now.at)
		shown.Report(at.String(), at.Percent)
	default:
		shown.End(now.outcome)
		shown = nil
	}
	return shown
}
