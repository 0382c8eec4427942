package main

import (
	"io"
	"testing"
)

// TestAYesOnATerminalIsForWhatWasPrinted has another process amend a proposal between what is printed and the person's answer.
func TestAYesOnATerminalIsForWhatWasPrinted(t *testing.T) {
	t.Parallel()
	n := newWaitingNote(t)
	for verb, question := range map[string]string{"accept": "Accept this? [y/N]", "reject": "Reject this? [y/N]"} {
		g := onTerminal(t, 200, nil, n.flags(verb, n.proposal.ID)...)
		g.await(question)
		n.propose("evil before the answer to " + verb + "\n")
		_, err := io.WriteString(g.terminal, "y\n")
		check(t, err)
		out := g.rest()
		n.checkWaits(out, g.ProcessState.ExitCode() != 0)
	}
}
