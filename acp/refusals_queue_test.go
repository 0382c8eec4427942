package acp

import (
	"testing"

	"ploke-lsp/internal/testbed"
)

// TestAnswersThatTheClientDoesNotReadAreDropped has lines refused while the client reads nothing, and then reads again.
func TestAnswersThatTheClientDoesNotReadAreDropped(t *testing.T) {
	var r refusals
	reads, written := make(chan struct{}), make(chan string, 2*maxRefusals)
	write := func(answer []byte) error {
		<-reads
		written <- string(answer)
		return nil
	}
	for range 2 * maxRefusals {
		r.add([]byte("no"), write)
	}
	r.mu.Lock()
	waiting := len(r.waiting)
	r.mu.Unlock()
	if waiting > maxRefusals {
		t.Errorf("%d answers wait", waiting)
	}
	close(reads)
	for range waiting {
		testbed.Receive(t, written, "an answer that waits")
	}
	testbed.Eventually(t, func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return !r.writing
	}, func() string { return "the answers are still written" })
	for len(written) > 0 {
		<-written
	}
	r.add([]byte("last"), write)
	if got := testbed.Receive(t, written, "an answer to a later line"); got != "last" {
		t.Errorf("written is %q", got)
	}
}
