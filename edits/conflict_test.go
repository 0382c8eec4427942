package edits

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestConflicts(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": lines, "b.txt": "b\n"})
	p := stageThreeHunks(b)
	b.stage("n", Operation{Op: OpCreate, Path: "n.txt", Text: "mine\n"})
	b.write("a.txt", "0\n"+strings.Replace(lines, "6\n7\n", "VI\nVII\n", 1))
	b.write("n.txt", "theirs\n")
	if err := b.RefreshStale(t.Context()); err != nil { // as the next start does
		t.Fatal(err)
	}
	var got []Conflict
	ps, err := b.Proposals.List(t.Context(), Stale)
	if err != nil || len(ps) != 2 {
		t.Fatalf("%d proposals are stale, %v", len(ps), err)
	}
	for _, p := range ps {
		conflicts, err := b.Preview.Conflicts(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, conflicts...)
	}
	for i := range got {
		if len(got[i].Hunks) != i+1 {
			t.Errorf("%d hunks are in conflict %d", len(got[i].Hunks), i)
		}
		got[i].Hunks = nil
	}
	want := []Conflict{
		{Path: b.path("n.txt"), Line: 1, Ours: "mine\n", Theirs: "theirs\n", Reason: "n.txt exists now, so the change does not fit"},
		{Path: b.path("a.txt"), Line: 6, Base: "5\n6\n7\n", Ours: "six\n7\n", Theirs: "5\nVI\nVII\n",
			Reason: "a.txt has changed at line 7, where the edit applies; make the edit again against the current text"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	b.write("a.txt", lines)
	if p, err := b.Load(t.Context(), p.ID); err != nil || p.Status() != Staged {
		t.Errorf("when the text fits again: %v, %v", p.Status(), err)
	}
}

// TestConflictsOfOneFile changes a text in which four lines are to be changed.
func TestConflictsOfOneFile(t *testing.T) {
	const reason = "a.txt has changed at line %, where the edit applies; make the edit again against the current text"
	for name, tt := range map[string]struct {
		now  string // "": the file is gone
		want []Conflict
	}{
		"two places": {"0\n1\nII\n3\n4\n5\n6\n7\nVIII\n9\n", []Conflict{
			{Line: 3, Base: "2\n", Ours: "two\n", Theirs: "II\n", Reason: strings.Replace(reason, "%", "3", 1)},
			{Line: 9, Base: "8\n9\n", Ours: "eight\nnine\n", Theirs: "VIII\n9\n", Reason: strings.Replace(reason, "%", "9", 1)},
		}},
		"one that reaches to two": {strings.Replace(lines, "3\n", "III\n", 1), []Conflict{
			{Line: 2, Base: "2\n3\n4\n", Ours: "two\n3\nfour\n", Theirs: "2\nIII\n4\n", Reason: strings.Replace(reason, "%", "3", 1)},
		}},
		"above one": {strings.Replace(lines, "8\n", "new\n8\n", 1), []Conflict{
			{Line: 8, Base: "8\n", Ours: "eight\n", Theirs: "new\n8\n", Reason: strings.Replace(reason, "%", "8", 1)},
		}},
		"between two": {strings.Replace(lines, "9\n", "new\n9\n", 1), []Conflict{
			{Line: 8, Base: "8\n9\n", Ours: "eight\nnine\n", Theirs: "8\nnew\n9\n", Reason: strings.Replace(reason, "%", "9", 1)},
		}},
		"gone": {"", []Conflict{
			{Base: lines, Ours: "1\ntwo\n3\nfour\n5\n6\n7\neight\nnine\n", Reason: "a.txt no longer exists, so the change does not fit"},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newFixture(t, map[string]string{"a.txt": lines})
			b.stage("turn", b.replaceOnce("turn", "a.txt", "2", "two"))
			b.stage("turn", b.replaceOnce("turn", "a.txt", "4", "four"))
			b.stage("turn", b.replaceOnce("turn", "a.txt", "8", "eight"))
			p := b.stage("turn", b.replaceOnce("turn", "a.txt", "9", "nine"))
			if tt.now == "" {
				os.Remove(b.path("a.txt"))
			} else {
				b.write("a.txt", tt.now)
			}
			got, err := b.Preview.Conflicts(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			for i := range got {
				got[i].Path, got[i].Hunks = "", nil
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestStatus(t *testing.T) {
	for _, tt := range []struct {
		hunks []State
		want  State
	}{
		{[]State{Staged, Staged}, Staged},
		{[]State{Staged, Stale}, Stale},
		{[]State{Failed, Staged}, Failed},
		{[]State{Failed, Stale, Staged}, Stale},
		{[]State{Verified, Staged}, Partial},
		{[]State{Stale, Rejected}, Partial},
		{[]State{Accepted, Staged}, Partial},
		{[]State{Verified, Undone}, Partial},
		{[]State{Rejected, Rejected}, Rejected},
	} {
		var p Proposal
		for _, s := range tt.hunks {
			p.Changes = append(p.Changes, &Change{Hunks: []Hunk{{State: s}}})
		}
		if got := p.Status(); got != tt.want {
			t.Errorf("of %v it is %s, want %s", tt.hunks, got, tt.want)
		}
	}
}

// TestStatusOfEachMix looks at each set of states that hunks of a proposal can have.
func TestStatusOfEachMix(t *testing.T) {
	states := []State{Staged, Accepted, Applied, Verified, Rejected, Stale, Failed, Undone, Withdrawn}
	for mix := 1; mix < 1<<len(states); mix++ {
		var p Proposal
		in := map[State]bool{}
		for i, s := range states {
			if mix>>i&1 == 1 {
				p.Changes, in[s] = append(p.Changes, &Change{Hunks: []Hunk{{State: s}}}), true
			}
		}
		only := func(allowed ...State) bool {
			return !slices.ContainsFunc(p.Changes, func(c *Change) bool { return !slices.Contains(allowed, c.Hunks[0].State) })
		}
		got := p.Status()
		var right bool
		switch got {
		case Staged, Accepted, Verified, Withdrawn:
			right = only(got)
		case Stale:
			right = in[Stale] && only(Staged, Stale, Failed)
		case Failed:
			right = in[Failed] && only(Staged, Failed)
		case Applied:
			right = in[Applied] && only(Applied, Verified)
		case Undone:
			right = in[Undone] && only(Undone, Rejected, Withdrawn)
		case Rejected:
			right = in[Rejected] && only(Rejected, Withdrawn)
		case Partial:
			right = !only(Staged, Stale, Failed) && !only(Applied, Verified) && !only(Rejected, Undone, Withdrawn) && len(in) > 1
		}
		if !right {
			t.Errorf("of %v it is %s", in, got)
		}
	}
}

// TestWhatFailedIsLookedAtAgain lets one file of a proposal fail, and changes another one
// before the next start.
func TestWhatFailedIsLookedAtAgain(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": lines, "b.txt": "b\n"})
	p := stageThreeHunks(b)
	if p = b.settle(b.accept(p, Selection{Files: []string{"b.txt"}}), Outcome{Reason: "no"}); p.Status() != Failed {
		t.Errorf("it is %s", p.Status())
	}
	b.write("a.txt", strings.Replace(lines, "2", "II", 1))
	if err := b.RefreshStale(t.Context()); err != nil {
		t.Fatal(err)
	}
	if p = b.get(p); p.Status() != Stale {
		t.Errorf("then it is %s", p.Status())
	}
}
