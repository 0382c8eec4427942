package edits

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/internal/testbed"
)

func (b *fixture) place1(p *Proposal) Placed {
	b.t.Helper()
	all, err := b.Preview.Place(b.t.Context(), b.get(p))
	if err != nil || len(all) != 1 {
		b.t.Fatalf("%+v, %v", all, err)
	}
	return all[0]
}

// TestPlacesFollowTyping types around hunks, and in the lines of one.
func TestPlacesFollowTyping(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": lines})
	b.stage("turn", b.replaceOnce("turn", "a.txt", "2", "two"))
	p := b.stage("turn", b.replaceOnce("turn", "a.txt", "8", "eight"))
	typed := "0\n" + strings.Replace(lines, "5\n", "", 1)
	b.ws.SetBuffer(b.path("a.txt"), 2, []byte(typed))
	for i, old := range []string{"2", "8"} {
		if h := b.place1(p).Hunks[i]; h.Stale || typed[h.Edit.Start:h.Edit.End] != old {
			t.Errorf("hunk %d is at %+v", i, h)
		}
	}
	typed = strings.Replace(typed, "8", "VIII", 1)
	b.ws.SetBuffer(b.path("a.txt"), 3, []byte(typed))
	if hunks := b.place1(p).Hunks; hunks[0].Stale || !hunks[1].Stale || !strings.HasPrefix(typed[hunks[1].Edit.Start:], "VIII") {
		t.Errorf("the hunks are %+v", hunks)
	}
}

// TestPropertyPlacedHunksAreThePlan: the edits of the places make the text that accepting makes.
func TestPropertyPlacedHunksAreThePlan(t *testing.T) {
	b := newFixture(t, nil)
	for seed := range uint64(testbed.Count(100, 20)) {
		r := newRandom(seed)
		_, data := r.file()
		name := fmt.Sprintf("%d.txt", seed)
		b.write(name, data)
		f, err := b.ws.Read(t.Context(), b.path(name))
		if err != nil {
			t.Fatal(err)
		}
		es := r.edits(f.Text, 1+r.IntN(6))
		if len(es) == 0 {
			continue
		}
		p := b.stage(name, Operation{Op: OpEdit, Path: name, BaseHash: f.Hash, Edits: es})
		typed, err := Apply(f.Text, r.edits(f.Text, r.IntN(3)))
		if err != nil {
			t.Fatal(err)
		}
		b.ws.SetBuffer(b.path(name), 2, typed)
		placed := b.place1(p)
		var made []Edit
		stale := false
		for _, h := range placed.Hunks {
			made, stale = append(made, h.Edit), stale || h.Stale
		}
		plan, err := b.Offer(t.Context(), latest(b.Proposals, p.ID, Selection{}))
		if stale != (err != nil) {
			t.Fatalf("seed %d: stale %v, but %v", seed, stale, err)
		}
		if err != nil || plan.Files[0].Done {
			continue
		}
		if after, err := Apply(placed.File.Text, made); err != nil || string(after) != string(plan.Files[0].After) {
			t.Fatalf("seed %d: %v\n%q\nwant\n%q", seed, err, after, plan.Files[0].After)
		}
	}
}

// TestRejectOneHunk rejects a hunk, accepts the others, and takes them back.
func TestRejectOneHunk(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": lines, "b.txt": "b\n"})
	p := stageThreeHunks(b)
	id := p.Changes[0].Hunks[1].ID
	p, err := b.Reject(t.Context(), latest(b.Proposals, p.ID, Selection{Hunks: []string{id}}), "keep it")
	if err != nil {
		t.Fatal(err)
	}
	if p.Status() != Partial || p.hunk(id).State != Rejected || len(p.Changes) != 3 {
		t.Errorf("%s: %+v", p.Status(), p.Changes)
	}
	if got := b.view("turn", "a.txt"); !strings.Contains(got, "5\n") || !strings.Contains(got, "six") {
		t.Errorf("the turn sees %q", got)
	}
	if p = b.apply(p, Selection{}); b.disk("a.txt") != "1\ntwo\nand a half\n3\n4\n5\nsix\n7\n8\n9\n" || b.disk("b.txt") != "B\n" {
		t.Errorf("accepted: %q", b.disk("a.txt"))
	}
	if p.hunk(id).State != Rejected {
		t.Errorf("the rejected hunk is %s", p.hunk(id).State)
	}
	if b.undo(p); b.disk("a.txt") != lines || b.disk("b.txt") != "b\n" {
		t.Errorf("undone: %q", b.disk("a.txt"))
	}
}

// TestRejectARename keeps the edits of a file that a proposal also renames, and the other way round.
func TestRejectARename(t *testing.T) {
	for i, want := range []string{"a.txt: 1\ntwo\n", "b.txt: 1\n2\n"} {
		b := newFixture(t, map[string]string{"a.txt": "1\n2\n"})
		b.stage("turn", Operation{Op: OpRename, Path: "a.txt", To: "b.txt"})
		p := b.stage("turn", b.replaceOnce("turn", "b.txt", "2", "two"))
		p, err := b.Reject(t.Context(), latest(b.Proposals, p.ID, Selection{Hunks: []string{p.Changes[0].Hunks[i].ID}}), "")
		if err != nil {
			t.Fatal(err)
		}
		b.apply(p, Selection{})
		name, text, _ := strings.Cut(want, ": ")
		if b.disk(name) != text {
			t.Errorf("%s reads %q", name, b.disk(name))
		}
	}
}

// TestAnOfferedChange is recorded once the file has it, and not before.
func TestAnOfferedChange(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": lines})
	b.stage("turn", b.replaceOnce("turn", "a.txt", "2", "two"))
	p := b.stage("turn", b.replaceOnce("turn", "a.txt", "8", "eight"))
	first := p.Changes[0].Hunks[0].ID
	plan, err := b.Offer(t.Context(), latest(b.Proposals, p.ID, Selection{Hunks: []string{first}}))
	if err != nil {
		t.Fatal(err)
	}
	if made, err := b.SettleOffered(t.Context(), plan); made || err != nil || b.get(p).Status() != Staged {
		t.Errorf("before: %v, %v", made, err)
	}
	b.ws.SetBuffer(b.path("a.txt"), 2, append(slices.Clone(plan.Files[0].After), "10\n"...))
	if made, err := b.SettleOffered(t.Context(), plan); !made || err != nil || b.get(p).hunk(first).State != Verified {
		t.Errorf("after: %v, %v, %+v", made, err, b.get(p).Changes)
	}
	if made, err := b.SettleOffered(t.Context(), plan); made || err != nil {
		t.Errorf("again: %v, %v", made, err)
	}
	if hunks := b.place1(p).Hunks; len(hunks) != 1 || hunks[0].Stale {
		t.Errorf("what is left is %+v", hunks)
	}
}

func TestUndecidedAndApplied(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": lines, "b.txt": "b\n"})
	p := stageThreeHunks(b)
	count := func(undecided, applied, undone int) {
		t.Helper()
		waiting, err := b.Proposals.Undecided(t.Context())
		if err != nil || len(waiting) != undecided {
			t.Errorf("%d are undecided, %v", len(waiting), err)
		}
		done, err := b.Proposals.Applied(t.Context())
		if err != nil || len(done) != applied {
			t.Errorf("%d are applied, %v", len(done), err)
		}
		back, err := b.Proposals.Undone(t.Context())
		if err != nil || len(back) != undone {
			t.Errorf("%d are undone, %v", len(back), err)
		}
	}
	count(1, 0, 0)
	p = b.apply(p, Selection{Files: []string{"b.txt"}})
	count(1, 1, 0)
	b.decide(b.Reject(t.Context(), latest(b.Proposals, p.ID, Selection{}), ""))
	count(0, 1, 0)
	b.undo(p)
	count(0, 0, 1)
}
