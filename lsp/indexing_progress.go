package lsp

import (
	"context"
	"fmt"
	"sync"
	"time"

	"ploke-lsp/index"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/bus"
)

// progressInterval is the least time between two reports of a scan.
const progressInterval = 100 * time.Millisecond

// A display shows the scans of the index in the client. Whoever scans only notes
// how far it is; a goroutine of the display's own takes the latest note to the
// client, so that a client that is slow to answer or to read never holds up the
// indexing.
type display struct {
	client *client
	bus    *bus.Bus
	index  *index.Index
	pause  func() // for when the person cancels the progress

	changed chan struct{}

	mu  sync.Mutex
	now scanState

	// Only the goroutine uses these.
	begun  int  // progresses so far
	paused bool // as it was told last
}

// scanState is what there is to show.
type scanState struct {
	due     bool // a scan began that was not shown yet
	running bool
	at      index.Progress
	outcome string // of the last scan
}

func newDisplay(c *client, b *bus.Bus, x *index.Index, pause func()) *display {
	return &display{client: c, bus: b, index: x, pause: pause, changed: make(chan struct{}, 1)}
}

// begin notes a scan that is shown whatever it will find.
func (d *display) begin() {
	d.mu.Lock()
	d.now.due, d.now.running, d.now.at = true, true, index.Progress{}
	d.mu.Unlock()
	signal(d.changed)
}

// report notes how far a scan has come. One that finds nothing to read stays
// unseen, as most do.
func (d *display) report(at index.Progress) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.now.running && at.Files >= at.TotalFiles {
		return
	}
	d.now.due = d.now.due || !d.now.running
	d.now.running, d.now.at = true, at
	signal(d.changed)
}

// end notes that the scan is over.
func (d *display) end(outcome string) {
	d.mu.Lock()
	d.now.running, d.now.outcome = false, outcome
	d.mu.Unlock()
	signal(d.changed)
}

// update shows what has changed beside the scan's progress: a pause.
func (d *display) update() { signal(d.changed) }

// loop takes what was noted to the client until ctx ends.
func (d *display) loop(ctx context.Context) {
	var shown *progress
	for {
		select {
		case <-d.changed:
		case <-ctx.Done():
			if shown != nil {
				shown.end("stopped")
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

// show takes the latest state to the client, which sees shown at the moment, and
// returns what it sees then. A pause ends the progress; the next report after it
// begins another.
func (d *display) show(ctx context.Context, shown *progress) *progress {
	d.mu.Lock()
	now := d.now
	d.now.due = false
	d.mu.Unlock()
	paused := d.index.Status().Paused
	if paused && now.running {
		now.outcome = "paused at " + IndexProgress(now.at).String() + "; the command " + ploke.CommandIndexResume + " goes on"
	}
	if shown == nil && (now.due || now.running && !paused) {
		d.bus.Publish(bus.IndexingStarted{Root: now.at.Root})
		d.begun++
		shown = d.client.beginProgress(ctx, task{
			id: fmt.Sprintf("indexing/%d", d.begun), title: "ploke: indexing", percentage: true, cancel: d.pause,
		})
	}
	if now.running || paused != d.paused {
		d.paused = paused
		d.client.room()
		d.bus.Publish(bus.IndexingProgress{Root: now.at.Root, Files: now.at.Files, TotalFiles: now.at.TotalFiles, Symbols: now.at.Symbols})
	}
	switch {
	case shown == nil:
	case now.running && !paused:
		at := IndexProgress(now.at)
		shown.report(at.String(), at.Percent)
	default:
		shown.end(now.outcome)
		shown = nil
	}
	return shown
}
