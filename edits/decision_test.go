package edits

import (
	"errors"
	"slices"
	"testing"
)

// ways of deciding, and of changing what is decided on. Each returns what comes of it.
var decisions = map[string]func(b *fixture, d Decision) error{
	"accept": func(b *fixture, d Decision) error { _, err := b.Accept(b.t.Context(), d); return err },
	"reject": func(b *fixture, d Decision) error { _, err := b.Reject(b.t.Context(), d, ""); return err },
	"offer":  func(b *fixture, d Decision) error { _, err := b.Offer(b.t.Context(), d); return err },
	"edit": func(b *fixture, d Decision) error {
		_, err := b.EditFile(b.t.Context(), d, "a.txt", "mine\n")
		return err
	},
	"edit over": func(b *fixture, d Decision) error {
		_, err := b.EditFileOver(b.t.Context(), d, "a.txt", lines, "mine\n")
		return err
	},
}

// TestWhatWasNotShownIsNotDecidedOn changes a proposal between the showing and the decision, in each way that there is.
func TestWhatWasNotShownIsNotDecidedOn(t *testing.T) {
	second := func(p *Proposal) []string { return []string{p.Changes[0].Hunks[1].ID} }
	for name, tt := range map[string]struct {
		meanwhile func(b *fixture, p *Proposal)
		whole     bool // refused for the whole proposal
		part      bool // refused for its second hunk
	}{
		"nothing":          {func(b *fixture, p *Proposal) {}, false, false},
		"another edit":     {func(b *fixture, p *Proposal) { b.stage("turn", b.replaceOnce("turn", "a.txt", "5", "five")) }, true, true},
		"another file":     {func(b *fixture, p *Proposal) { b.stage("turn", Operation{Op: OpCreate, Path: "c.txt", Text: "c"}) }, true, true},
		"the hunk itself":  {func(b *fixture, p *Proposal) { b.stage("turn", b.replaceOnce("turn", "a.txt", "eight", "evil")) }, true, true},
		"there and back":   {func(b *fixture, p *Proposal) { b.reword("eight", "evil"); b.reword("evil", "eight") }, true, true},
		"taken back":       {func(b *fixture, p *Proposal) { b.stage("turn", b.replaceOnce("turn", "a.txt", "eight", "8")) }, true, true},
		"by the person":    {func(b *fixture, p *Proposal) { b.editFile(p, "a.txt", lines+"more\n") }, true, true},
		"one hunk applied": {func(b *fixture, p *Proposal) { b.apply(p, Selection{Hunks: idsOf(p.Changes[0].Hunks)[:1]}) }, true, false},
		"one rejected": {func(b *fixture, p *Proposal) {
			b.decide(b.Reject(b.t.Context(), latest(b.Proposals, p.ID, Selection{Hunks: idsOf(p.Changes[0].Hunks)[:1]}), ""))
		}, true, false},
		"the file elsewhere": {func(b *fixture, p *Proposal) { b.write("a.txt", "0\n"+lines) }, false, false},
		"a look at it":       {func(b *fixture, p *Proposal) { b.decide(b.Load(b.t.Context(), p.ID)) }, false, false},
	} {
		for way, decide := range decisions {
			t.Run(name+", "+way, func(t *testing.T) {
				for _, d := range []Selection{{}, {Hunks: []string{"second"}}, {Files: []string{"a.txt"}}} {
					b := newFixture(t, map[string]string{"a.txt": lines})
					p := b.stage("turn", b.replaceOnce("turn", "a.txt", "2", "two"), b.replaceOnce("turn", "a.txt", "8", "eight"))
					shown, wanted := Decision{ID: p.ID, Shown: p.Version(), Selection: Selection{Files: d.Files}}, tt.whole
					if d.Hunks != nil {
						shown.Hunks, wanted = second(p), tt.part
					}
					tt.meanwhile(b, p)
					before := b.disk("a.txt")
					err := decide(b, shown)
					edits := way == "edit" || way == "edit over" // of what is left, whatever was decided beside it
					if refused := errors.As(err, new(*ChangedError)); refused != (wanted && !(edits && !tt.part)) {
						t.Errorf("hunks %v: refused %v: %v", d.Hunks, refused, err)
					}
					if b.disk("a.txt") != before {
						t.Errorf("the file reads %q", b.disk("a.txt"))
					}
				}
			})
		}
	}
}

// TestAFileIsDecidedOnAsItWasShown accepts a file of two after something else was decided, with what was shown before and after.
func TestAFileIsDecidedOnAsItWasShown(t *testing.T) {
	for name, tt := range map[string]struct {
		meanwhile Selection
		again     bool // it was shown after that
		refused   bool
	}{
		"the other file":                  {meanwhile: Selection{Files: []string{"b.txt"}}},
		"the other file, shown again":     {meanwhile: Selection{Files: []string{"b.txt"}}, again: true},
		"a hunk of the file":              {meanwhile: Selection{Hunks: []string{"first"}}, refused: true},
		"a hunk of the file, shown again": {meanwhile: Selection{Hunks: []string{"first"}}, again: true},
	} {
		t.Run(name, func(t *testing.T) {
			b := newFixture(t, map[string]string{"a.txt": lines, "b.txt": "b\n"})
			p := b.stage("turn", b.replaceOnce("turn", "a.txt", "2", "two"), b.replaceOnce("turn", "a.txt", "8", "eight"),
				b.replaceOnce("turn", "b.txt", "b", "B"))
			shown := p.Version()
			if len(tt.meanwhile.Hunks) > 0 {
				tt.meanwhile.Hunks = idsOf(p.Changes[0].Hunks)[:1]
			}
			after, err := b.Reject(t.Context(), latest(b.Proposals, p.ID, tt.meanwhile), "")
			if err != nil {
				t.Fatal(err)
			}
			if tt.again {
				shown = after.Version()
			}
			_, err = b.Accept(t.Context(), Decision{ID: p.ID, Shown: shown, Selection: Selection{Files: []string{"a.txt"}}})
			if refused := errors.As(err, new(*ChangedError)); refused != tt.refused || err != nil && !refused {
				t.Errorf("refused %v: %v", refused, err)
			}
		})
	}
}

// reword changes a word of what is proposed for a.txt.
func (b *fixture) reword(from, to string) { b.stage("turn", b.replaceOnce("turn", "a.txt", from, to)) }

// TestADecisionNamesAVersion has decisions without one, and with one of another proposal.
func TestADecisionNamesAVersion(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": lines, "b.txt": "b\n"})
	other := b.stage("other", b.replaceOnce("other", "b.txt", "b", "B"))
	p := b.stage("turn", b.replaceOnce("turn", "a.txt", "2", "two"))
	for _, shown := range []Version{"", "-", "0", other.Version(), p.Version()[:8], "-" + p.Version()} {
		for way, decide := range decisions {
			if err := decide(b, Decision{ID: p.ID, Shown: shown}); !errors.As(err, new(*ChangedError)) {
				t.Errorf("%s of version %q: %v", way, shown, err)
			}
		}
	}
	if p := b.get(p); p.Status() != Staged {
		t.Errorf("it is %s", p.Status())
	}
}

// TestUndoAndRedoNameTheVersion amends what is left of a proposal before its applied part is taken back.
func TestUndoAndRedoNameTheVersion(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": lines, "b.txt": "b\n"})
	p := b.stage("turn", b.replaceOnce("turn", "a.txt", "2", "two"), b.replaceOnce("turn", "b.txt", "b", "B"))
	p = b.apply(p, Selection{Files: []string{"a.txt"}})
	shown := p.Whole()
	b.reword("8", "eight")
	if _, err := b.Undo(t.Context(), shown); !errors.As(err, new(*ChangedError)) {
		t.Errorf("undo: %v", err)
	}
	p = b.undo(b.get(p))
	shown = p.Whole()
	b.stage("turn", b.replaceOnce("turn", "b.txt", "B", "C"))
	if _, err := b.Redo(t.Context(), shown); !errors.As(err, new(*ChangedError)) {
		t.Errorf("redo: %v", err)
	}
}

// TestVersionsOutliveTheProcess decides after a restart on what was shown before it, and on a proposal that an earlier release stored.
func TestVersionsOutliveTheProcess(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": lines})
	p := b.stage("turn", b.replaceOnce("turn", "a.txt", "2", "two"), b.replaceOnce("turn", "a.txt", "8", "eight"))
	shown := p.Whole()
	b.start()
	if got := b.get(p).Whole(); got.Shown != shown.Shown {
		t.Errorf("after a restart it is %s, before %s", got.Shown, shown.Shown)
	}
	b.exec(`UPDATE proposals SET body = json_remove(body, '$.content')`)
	old := b.get(p)
	if old.content != "" || old.Version() == "" {
		t.Fatalf("the earlier release's is %+v", old)
	}
	shown = old.Whole()
	b.reword("eight", "evil")
	if _, err := b.Accept(t.Context(), shown); !errors.As(err, new(*ChangedError)) {
		t.Errorf("accepted: %v", err)
	}
	if _, err := b.Accept(t.Context(), b.get(p).Whole()); err != nil {
		t.Error(err)
	}
}

// TestAnOfferedPlanOfAnotherVersionIsNotRecorded has the editor make an edit that it was offered before the proposal changed.
func TestAnOfferedPlanOfAnotherVersionIsNotRecorded(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": lines})
	p := b.stage("turn", b.replaceOnce("turn", "a.txt", "2", "two"))
	plan, err := b.Offer(t.Context(), p.Whole())
	if err != nil {
		t.Fatal(err)
	}
	b.reword("two", "evil")
	b.write("a.txt", string(plan.Files[0].After))
	if made, err := b.SettleOffered(t.Context(), plan); made || err != nil {
		t.Errorf("recorded: %v, %v", made, err)
	}
	if p := b.get(p); slices.ContainsFunc(p.Changes[0].Hunks, func(h Hunk) bool { return h.State == Verified }) {
		t.Errorf("%+v", p.Changes[0].Hunks)
	}
}
