package project

import (
	"path/filepath"
	"time"

	"ploke-lsp/internal/peer"
	"ploke-lsp/session/bus"
)

// KeptTranscripts is keptTranscripts.
const KeptTranscripts = keptTranscripts

// Records returns how many turns are recorded.
func (p *Project) Records() int {
	p.Transcripts.mu.Lock()
	defer p.Transcripts.mu.Unlock()
	return len(p.Transcripts.byID)
}

// KeepRecords keeps all records until release is called, as a start of a turn does.
func (p *Project) KeepRecords() (release func()) {
	p.Transcripts.keepAll(1)
	return func() { p.Transcripts.keepAll(-1) }
}

// Publish publishes an event on the project's bus.
func (p *Project) Publish(e bus.Event) { p.bus.Publish(e) }

// BePatient sets how long the end of a turn waits for its checks. It returns how long it usually does.
func (e *Evidence) BePatient(d time.Duration) (usually time.Duration) {
	e.patience = d
	return proofTime
}

// Trusted reports whether a turn would begin without a scan.
func (p *Project) Trusted() bool { return !p.Indexer.TurnNeedsScan() }

// WaitUntil sets until when calls wait for the first indexing.
func (c *ToolClient) WaitUntil(t time.Time) { c.until = t }

// AcceptUnasked is what automatic acceptance does with a proposal that it has read.
var AcceptUnasked = (*AutoAccept).acceptUnasked

// DoubtfulName is doubtfulName.
func DoubtfulName(rel string) string { return doubtfulName(rel) }

// DoubtfulFile is doubtfulFile.
func DoubtfulFile(path string) string { return doubtfulFile(path) }

// MatchesEnd is matchesEnd.
func MatchesEnd(pattern string, parts []string) bool { return matchesEnd(pattern, parts) }

// OpenElsewhere has another process say that a file is open in its editor.
func (p *Project) OpenElsewhere(path string) {
	p.peers.Listener(filepath.Dir(path)).PeerOpened("another", peer.Document{Path: path})
}

// Last returns the number of the last part so far, 0 if there is none.
func (t *Transcript) Last() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last()
}
