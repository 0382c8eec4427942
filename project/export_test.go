package project

import "ploke-lsp/session/bus"

// KeptTranscripts is keptTranscripts.
const KeptTranscripts = keptTranscripts

// Records returns how many turns are recorded.
func (p *Project) Records() int {
	p.transcripts.mu.Lock()
	defer p.transcripts.mu.Unlock()
	return len(p.transcripts.byID)
}

// KeepRecords keeps all records until release is called, as a start of a turn does.
func (p *Project) KeepRecords() (release func()) {
	p.transcripts.keepAll(1)
	return func() { p.transcripts.keepAll(-1) }
}

// Publish publishes an event on the project's bus.
func (p *Project) Publish(e bus.Event) { p.bus.Publish(e) }
