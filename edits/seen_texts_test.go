package edits

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"ploke-lsp/internal/testbed"
)

const words = "top\nalpha\nbeta\ngamma\ndelta\nmiddle\nomega\nlast\nend\n"

// TestPropertyEditorsUndo decides on hunks of adjacent lines, undoes and redoes them from the proposal and with the editor's own
// keys, and types, in any order; some decisions are made before the outcome of the one before is recorded. Afterwards the
// states say which hunks are in the text. What waits can be accepted, but for a hunk beside one that was split off in
// other coordinates.
func TestPropertyEditorsUndo(t *testing.T) {
	refused, acceptsRefused, steps := 0, 0, 0
	for seed := range uint64(testbed.Count(200, 20)) {
		s := &undoSession{fixture: newFixture(t, map[string]string{"a.txt": words}), rand: rand.New(rand.NewPCG(seed, 1)), texts: []string{words}}
		s.ws.SetBuffer(s.path("a.txt"), 1, []byte(words))
		for _, word := range []string{"alpha", "beta", "gamma", "delta", "omega"} {
			s.p = s.stage("turn", s.replaceOnce("turn", "a.txt", word, strings.ToUpper(word)))
		}
		for range 14 {
			if err := s.step(); err != nil {
				refused++
				if strings.HasPrefix(s.done[len(s.done)-1], "accept") {
					acceptsRefused++
				}
			}
			steps++
			s.check(seed)
			if t.Failed() {
				return
			}
		}
	}
	if refused*20 > steps || acceptsRefused*200 > steps { // what was undone before its neighbour was accepted can't be redone
		t.Errorf("%d of %d steps were refused, %d of them to accept", refused, steps, acceptsRefused)
	}
}

// TestOneOfTwoAdjacentHunksComesBack accepts each of two adjacent hunks alone, and takes it back with the editor's undo before
// the outcome is recorded. The editor's redo makes the latest one again, which no comparison could tell from both.
func TestOneOfTwoAdjacentHunksComesBack(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": words})
	b.ws.SetBuffer(b.path("a.txt"), 1, []byte(words))
	b.stage("turn", b.replaceOnce("turn", "a.txt", "beta", "BETA"))
	p := b.stage("turn", b.replaceOnce("turn", "a.txt", "gamma", "GAMMA"))
	beta, gamma := p.Changes[0].Hunks[0].ID, p.Changes[0].Hunks[1].ID
	for _, id := range []string{gamma, beta} {
		plan := b.accept(p, Selection{Hunks: []string{id}})
		b.show(string(plan.Files[0].After))
		b.show(words)
		p = b.settle(plan, Outcome{Applied: true})
	}
	b.show(strings.Replace(words, "beta", "BETA", 1))
	p, err := b.Load(t.Context(), p.ID)
	if err != nil || p.hunk(beta).State != Verified || p.hunk(gamma).State != Failed {
		t.Errorf("%v: BETA, which is there, is %s, and GAMMA is %s", err, p.hunk(beta).State, p.hunk(gamma).State)
	}
}

// undoSession is an editor with a stack of texts, and a proposal.
type undoSession struct {
	*fixture
	rand  *rand.Rand
	p     *Proposal
	texts []string
	at    int
	done  []string

	unrecorded []*Plan // what the editor shows, and nobody has recorded
}

// step does one random thing. It returns an error if that was refused.
func (s *undoSession) step() error {
	defer s.land(len(s.unrecorded))
	switch n := s.rand.IntN(10); {
	case n < 3:
		return s.plan("accept", func() (*Plan, error) {
			return s.Accept(s.t.Context(), latest(s.Proposals, s.p.ID, Selection{Hunks: s.chosen()}))
		})
	case n < 4:
		return s.plan("undo", func() (*Plan, error) { return s.Undo(s.t.Context(), latest(s.Proposals, s.p.ID, Selection{})) })
	case n < 5:
		return s.plan("redo", func() (*Plan, error) { return s.Redo(s.t.Context(), latest(s.Proposals, s.p.ID, Selection{})) })
	case n < 7 && s.at > 0:
		s.done = append(s.done, "editor's undo")
		s.at--
		s.show(s.texts[s.at])
	case n < 9 && s.at+1 < len(s.texts):
		s.done = append(s.done, "editor's redo")
		s.at++
		s.show(s.texts[s.at])
	default:
		s.done = append(s.done, "type")
		text := strings.Replace(s.texts[s.at], "end\n", "typed\nend\n", 1)
		s.push(text)
		s.show(text)
	}
	return nil
}

// plan carries a decision out, if there is something to decide on.
func (s *undoSession) plan(what string, decide func() (*Plan, error)) error {
	s.done = append(s.done, what)
	plan, err := decide()
	if err != nil {
		s.done[len(s.done)-1] += " refused"
		if strings.Contains(err.Error(), "nothing") || len(s.unrecorded) > 0 {
			return nil
		}
		return err
	}
	s.show(string(plan.Files[0].After))
	s.push(string(plan.Files[0].After))
	if s.rand.IntN(3) > 0 {
		s.settle(plan, Outcome{Applied: true})
	} else {
		s.unrecorded = append(s.unrecorded, plan)
	}
	return nil
}

// land records the outcomes of the first n plans.
func (s *undoSession) land(n int) {
	for _, plan := range s.unrecorded[:n] {
		s.settle(plan, Outcome{Applied: true})
	}
	s.unrecorded = s.unrecorded[n:]
}

func (s *undoSession) push(text string) {
	s.texts = append(s.texts[:s.at+1], text)
	s.at++
}

// chosen returns some of the hunks that wait.
func (s *undoSession) chosen() (ids []string) {
	for _, c := range s.get(s.p).Changes {
		for _, h := range c.Hunks {
			if h.State.open() && s.rand.IntN(2) == 0 {
				ids = append(ids, h.ID)
			}
		}
	}
	if len(ids) == 0 {
		return []string{"nothing"}
	}
	return ids
}

func (s *undoSession) check(seed uint64) {
	s.t.Helper()
	if len(s.unrecorded) > 0 {
		return
	}
	p, err := s.Load(s.t.Context(), s.p.ID)
	if err != nil {
		s.t.Fatalf("seed %d, after %q: %v", seed, s.done, err)
	}
	text := s.texts[s.at]
	if lower := strings.ToLower(strings.ReplaceAll(text, "typed\n", "")); lower != words {
		s.t.Errorf("seed %d, after %q: the text is %q", seed, s.done, text)
	}
	for _, c := range p.Changes {
		for _, h := range c.Hunks {
			if there := strings.Contains(text, strings.TrimSpace(h.Edit.New)); there != (h.State == Verified) {
				s.t.Errorf("seed %d, after %q: %s is %s in %s", seed, s.done, h.Edit.New, h.State, fmt.Sprintf("%q", text))
			}
		}
	}
}
