package edits

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// late stages a change of a.txt, and settles its plan as unanswered.
func late(t *testing.T) (b *fixture, p *Proposal, plan *Plan) {
	b = newFixture(t, map[string]string{"a.txt": "a\nb\nc\n"})
	p = b.stage("turn", b.replaceOnce("turn", "a.txt", "b", "X"))
	plan = b.accept(p, Selection{})
	return b, b.settle(plan, unanswered), plan
}

var unanswered = Outcome{Reason: "the editor has not answered"}

const (
	lateText  = "a\nX\nc\n" // with the change
	otherText = "a\nY\nc\n" // something else in its place
)

// decide checks that a decision of the person succeeded.
func (b *fixture) decide(_ *Proposal, err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// TestLateAnswer lets the editor report success after its plan was settled without an answer,
// and after the person has made another decision. Only the decision counts, unless it is none
// or a rejection of what is in the file.
func TestLateAnswer(t *testing.T) {
	again := func(b *fixture, p *Proposal) { b.apply(p, Selection{}) }
	reject := func(b *fixture, p *Proposal) {
		b.decide(b.Reject(t.Context(), latest(b.Proposals, p.ID, Selection{}), "not now"))
	}
	for name, tt := range map[string]struct {
		decision func(b *fixture, p *Proposal)
		text     string // what the file says when the answer comes; "": nothing new
		want     State
		reason   string
		silent   bool // nothing is stored, and nothing is reported
	}{
		"none, applied":                      {nil, lateText, Verified, "", false},
		"none, not seen":                     {nil, "", Applied, "", false},
		"none, something else":               {nil, otherText, Failed, "does not read as planned", false},
		"rejected, applied":                  {reject, lateText, Verified, "", false},
		"rejected, not seen":                 {reject, "", Rejected, "not now", true},
		"rejected, something else":           {reject, otherText, Rejected, "not now", true},
		"accepted again":                     {again, "", Verified, "", true},
		"accepted again, then changed":       {again, otherText, Verified, "", true},
		"accepted again and undone":          {func(b *fixture, p *Proposal) { again(b, p); b.undo(p) }, "", Undone, "", true},
		"accepted again, undone and changed": {func(b *fixture, p *Proposal) { again(b, p); b.undo(p) }, otherText, Undone, "", true},
		"accepted again, being applied":      {func(b *fixture, p *Proposal) { b.accept(p, Selection{}) }, "", Accepted, "the editor has not answered", true},
		"accepted again, refused":            {func(b *fixture, p *Proposal) { b.settle(b.accept(p, Selection{}), Outcome{Reason: "no"}) }, lateText, Verified, "", false},
		"edited by the person":               {func(b *fixture, p *Proposal) { b.editFile(p, "a.txt", otherText) }, lateText, Staged, "the editor has not answered", true},
		"decided in another process": {func(b *fixture, p *Proposal) {
			other := &fixture{Manager: New(b.Proposals.db, b.ws, Options{}), t: t}
			other.undo(other.apply(p, Selection{}))
		}, "", Undone, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			b, p, plan := late(t)
			b.t = t
			if tt.decision != nil {
				tt.decision(b, p)
			}
			if tt.text != "" {
				b.write("a.txt", tt.text)
			}
			before, reported := b.get(p), len(b.changes)
			if err := b.SettleLate(t.Context(), plan); err != nil {
				t.Fatal(err)
			}
			got := b.get(p)
			if got.Status() != tt.want || !strings.Contains(got.DecisionReason, tt.reason) || tt.reason == "" && got.DecisionReason != "" {
				t.Errorf("it is %s, because %q; want %s, %q", got.Status(), got.DecisionReason, tt.want, tt.reason)
			}
			if silent := got.updatedAt == before.updatedAt && len(b.changes) == reported; silent != tt.silent {
				t.Errorf("stored version %d after %d, %d changes were reported", got.updatedAt, before.updatedAt, len(b.changes)-reported)
			}
			if tt.silent {
				if diff := cmp.Diff(before.Changes, got.Changes); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

// TestLateAnswerToAnUndo lets the editor report an undo late. If the person has undone and
// redone the change since, the hunk looks as before, but the redo is the newer decision.
func TestLateAnswerToAnUndo(t *testing.T) {
	for name, tt := range map[string]struct {
		decision func(b *fixture, p *Proposal)
		text     string
		want     State
	}{
		"none, undone":      {nil, "a\nb\nc\n", Undone},
		"none, not seen":    {nil, "", Undone},
		"undone":            {func(b *fixture, p *Proposal) { b.undo(p) }, "", Undone},
		"undone and redone": {func(b *fixture, p *Proposal) { b.redo(b.undo(p)) }, "", Verified},
		"undone, refused": {func(b *fixture, p *Proposal) {
			b.unanswered(b.Undo(t.Context(), latest(b.Proposals, p.ID, Selection{})))
		}, "a\nb\nc\n", Undone},
		"undone, in another one": {func(b *fixture, p *Proposal) { (&fixture{Manager: New(b.Proposals.db, b.ws, Options{}), t: t}).undo(p) }, lateText, Undone},
	} {
		t.Run(name, func(t *testing.T) {
			b, p, _ := late(t)
			b.t = t
			p = b.apply(p, Selection{})
			plan := b.unanswered(b.Undo(t.Context(), latest(b.Proposals, p.ID, Selection{})))
			if tt.decision != nil {
				tt.decision(b, p)
			}
			if tt.text != "" {
				b.write("a.txt", tt.text)
			}
			if err := b.SettleLate(t.Context(), plan); err != nil {
				t.Fatal(err)
			}
			if got := b.get(p); got.Status() != tt.want {
				t.Errorf("it is %s; want %s", got.Status(), tt.want)
			}
		})
	}
}

// unanswered settles a plan that the editor has not answered.
func (b *fixture) unanswered(plan *Plan, err error) *Plan {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
	b.settle(plan, unanswered)
	return plan
}

// TestLateAnswerForSomeFiles rejects changes of two files, one of which the editor makes late.
// The other one stays rejected.
func TestLateAnswerForSomeFiles(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
	p := b.stage("turn", b.replaceOnce("turn", "a.txt", "a", "A"), b.replaceOnce("turn", "b.txt", "b", "B"))
	plan := b.unanswered(b.Accept(t.Context(), latest(b.Proposals, p.ID, Selection{})))
	b.decide(b.Reject(t.Context(), latest(b.Proposals, p.ID, Selection{}), "not now"))
	b.write("a.txt", "A\n")
	b.write("b.txt", "typed\n")
	if err := b.SettleLate(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	states := map[string]State{}
	for _, c := range b.get(p).Changes {
		states[b.ws.Rel(c.Path)] = c.Hunks[0].State
	}
	if diff := cmp.Diff(map[string]State{"a.txt": Verified, "b.txt": Rejected}, states); diff != "" {
		t.Error(diff)
	}
}

// TestTheRestOfAFileIsAcceptedWithWhatWasNotThere has an editor report a hunk as made that is not in the file. Then it makes
// that one and the rest, or only the rest.
func TestTheRestOfAFileIsAcceptedWithWhatWasNotThere(t *testing.T) {
	const all, rest = "A\nb\nc\nd\nE\n", "a\nb\nc\nd\nE\n"
	for text, want := range map[string]State{all: Verified, rest: Failed} {
		const old = "a\nb\nc\nd\ne\n"
		b := newFixture(t, map[string]string{"a.txt": old})
		b.stage("turn", b.replaceOnce("turn", "a.txt", "a", "A"))
		p := b.stage("turn", b.replaceOnce("turn", "a.txt", "e", "E"))
		first, last := p.Changes[0].Hunks[0].ID, p.Changes[0].Hunks[1].ID
		p = b.settle(b.accept(p, Selection{Hunks: []string{first}}), Outcome{Applied: true})
		if s := p.hunk(first).State; s != Applied {
			t.Fatalf("it is %s", s)
		}
		b.ws.SetBuffer(b.path("a.txt"), 1, []byte(old))
		if p, err := b.Load(t.Context(), p.ID); err != nil || p.hunk(first).State != Failed {
			t.Fatalf("it is %s, %v", p.hunk(first).State, err)
		}
		plan := b.accept(p, Selection{})
		b.show(text)
		p = b.settle(plan, Outcome{Applied: true})
		if p.hunk(first).State != want || p.hunk(last).State != Verified || (p.DecisionReason == "") != (want == Verified) {
			t.Errorf("in %q they are %s and %s, because %q", text, p.hunk(first).State, p.hunk(last).State, p.DecisionReason)
		}
	}
}
