package edits

import (
	"errors"
	"reflect"
	"testing"
)

// TestAPlanThatIsNotPermittedChangesNothing refuses each kind of plan, and permits it then.
func TestAPlanThatIsNotPermittedChangesNothing(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": lines, "b.txt": "b\n"})
	p := stageThreeHunks(b)
	for _, step := range []struct {
		verb  string
		begin func() (*Plan, error)
		carry func(*Proposal) *Proposal
	}{
		{"accept", func() (*Plan, error) { return b.Accept(t.Context(), latest(b.Proposals, p.ID, Selection{})) }, func(p *Proposal) *Proposal { return b.apply(p, Selection{}) }},
		{"undo", func() (*Plan, error) { return b.Undo(t.Context(), latest(b.Proposals, p.ID, Selection{})) }, b.undo},
		{"redo", func() (*Plan, error) { return b.Redo(t.Context(), latest(b.Proposals, p.ID, Selection{})) }, b.redo},
	} {
		before, err := b.Proposals.Get(t.Context(), p.ID)
		if err != nil {
			t.Fatal(err)
		}
		refusal := errors.New("not now")
		asked := ""
		b.permit = func(plan *Plan) error { asked = plan.Verb(); return refusal }
		if _, err := step.begin(); !errors.Is(err, refusal) || asked != step.verb {
			t.Errorf("%s, asked for %q: %v", step.verb, asked, err)
		}
		if after, err := b.Proposals.Get(t.Context(), p.ID); err != nil || !reflect.DeepEqual(before, after) {
			t.Errorf("%s: the proposal was %+v and is %+v, %v", step.verb, before, after, err)
		}
		b.permit = func(*Plan) error { return nil }
		p = step.carry(p)
	}
}
