package project_test

import (
	"testing"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/project"
	"ploke-lsp/session/bus"
)

// turn runs a turn to its end.
func turn(t *testing.T, p *project.Project) *project.Transcript {
	t.Helper()
	transcript := start(t, p, "hello")
	transcript.Follow(t.Context(), transcript.From(0), func(project.Part) {})
	return transcript
}

// TestLateEventsLeaveNothingBehind publishes events of a turn that is forgotten, of one
// that has finished, and of one that never was. Nothing is recorded for them. What the
// person should know is passed on.
func TestLateEventsLeaveNothingBehind(t *testing.T) {
	f := &headless{notified: make(chan project.Part, 1000)}
	p, file := open(t, f)
	forgotten := turn(t, p)
	for range project.KeptTranscripts - 1 {
		turn(t, p)
	}
	finished := turn(t, p)
	if n := p.Records(); n != project.KeptTranscripts || p.Transcripts.Find(forgotten.TurnID) != nil {
		t.Fatalf("%d turns are recorded; want %d", n, project.KeptTranscripts)
	}
	last := finished.Last()
	for _, id := range []string{forgotten.TurnID, finished.TurnID, "never"} {
		ref := bus.TurnRef{ConversationID: "c" + id, RequestID: id}
		call := bus.CallRef{TurnRef: ref, ID: "x", CallID: "x"}
		for _, e := range []bus.Event{
			bus.TurnSteered{TurnRef: ref, Text: "x"}, bus.MessageDelta{TurnRef: ref, Text: "x"}, bus.MessageUpdated{TurnRef: ref, Text: "x"},
			bus.ToolCallRequested{CallRef: call}, bus.ToolCallCompleted{CallRef: call}, bus.ToolCallFailed{CallRef: call},
			bus.Usage{TurnRef: ref}, bus.Retry{TurnRef: ref}, bus.TurnFinished{TurnRef: ref},
			bus.Notice{TurnRef: ref, Text: "note"}, bus.ProposalStaged{TurnRef: ref, ProposalID: "p" + id, Files: []string{file}},
			bus.ProposalDecided{TurnRef: ref}, // the last one
		} {
			p.Publish(e)
		}
		notice, staged := "", ""
		for over := false; !over; {
			switch e := (<-f.notified).Event.(type) {
			case bus.Notice:
				notice = e.Text
			case bus.ProposalStaged:
				staged = e.ProposalID
			case bus.ProposalDecided:
				over = true
			}
		}
		if notice != "note" || staged != "p"+id {
			t.Errorf("passed on: %q, %q", notice, staged)
		}
	}
	if n := p.Records(); n != project.KeptTranscripts || finished.Last() != last || !finished.Finished() {
		t.Errorf("%d turns are recorded; want %d; the finished one has parts up to %d; want %d", n, project.KeptTranscripts,
			finished.Last(), last)
	}
}

// TestATurnIsKeptUntilWhoStartedItHasIt ends many turns while another one starts.
func TestATurnIsKeptUntilWhoStartedItHasIt(t *testing.T) {
	p, _ := open(t, &headless{})
	first := turn(t, p)
	release := p.KeepRecords()
	for range project.KeptTranscripts + 3 {
		turn(t, p)
	}
	if p.Transcripts.Find(first.TurnID) != first {
		t.Error("a turn was forgotten while its start may not have returned")
	}
	release()
	if n := p.Records(); n != project.KeptTranscripts || p.Transcripts.Find(first.TurnID) != nil {
		t.Errorf("%d turns are recorded afterwards; want %d", n, project.KeptTranscripts)
	}
}

// TestWhereAMessageJoined has parts before and after the one that says that a message joined the turn.
func TestWhereAMessageJoined(t *testing.T) {
	p, _ := open(t, &headless{notified: make(chan project.Part, 1000)})
	ref := bus.TurnRef{ConversationID: "c", RequestID: "r"}
	for _, e := range []bus.Event{
		bus.TurnStarted{TurnRef: ref}, bus.Usage{TurnRef: ref}, bus.TurnSteered{TurnRef: ref, ParentID: "m", Text: "x"},
		bus.Usage{TurnRef: ref}, bus.TurnFinished{TurnRef: ref},
	} {
		p.Publish(e)
	}
	testbed.Eventually(t, func() bool {
		turn := p.Transcripts.Find(ref.RequestID)
		return turn != nil && turn.Finished()
	}, func() string { return "the turn has not ended" })
	turn := p.Transcripts.Find(ref.RequestID)
	joined := 0
	turn.Follow(t.Context(), turn.From(0), func(part project.Part) {
		if _, ok := part.Event.(bus.TurnSteered); ok {
			joined = part.Seq
		}
	})
	if got := turn.BeforeSteering("m"); got != joined-1 {
		t.Errorf("the message joined in part %d, and is behind part %d", joined, got)
	}
	if got := turn.BeforeSteering("another"); got != turn.Last() {
		t.Errorf("a message that has not joined is behind part %d, and the last one is %d", got, turn.Last())
	}
}
