package edits

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/workspace"
)

const lines = "1\n2\n3\n4\n5\n6\n7\n8\n9\n"

// stageThreeHunks stages edits of the lines 2, 5 and 6 of a.txt, and of b.txt.
func stageThreeHunks(b *fixture) *Proposal {
	b.stage("turn", b.replaceOnce("turn", "a.txt", "2\n", "two\nand a half\n"))
	b.stage("turn", b.replaceOnce("turn", "a.txt", "5\n", ""))
	b.stage("turn", b.replaceOnce("turn", "a.txt", "6", "six"))
	return b.stage("turn", b.replaceOnce("turn", "b.txt", "b", "B"))
}

func TestAcceptHunkByHunk(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": lines, "b.txt": "b\n"})
	p := stageThreeHunks(b)
	var ids []string
	for _, h := range p.Changes[0].Hunks {
		ids = append(ids, h.ID)
	}
	p = b.apply(p, Selection{Hunks: ids[1:2]})
	if got := b.disk("a.txt"); got != "1\n2\n3\n4\n6\n7\n8\n9\n" {
		t.Errorf("after the second hunk: %q", got)
	}
	if p.Status() != Partial || p.hunk(ids[0]).State != Staged || p.hunk(ids[1]).State != Verified {
		t.Errorf("status %s, %+v", p.Status(), p.Changes)
	}
	p = b.apply(p, Selection{Hunks: ids[2:]})
	p = b.apply(p, Selection{Files: []string{"a.txt"}})
	if got := b.disk("a.txt"); got != "1\ntwo\nand a half\n3\n4\nsix\n7\n8\n9\n" {
		t.Errorf("after all three: %q", got)
	}
	if got := b.disk("b.txt"); got != "b\n" {
		t.Errorf("b.txt was not accepted: %q", got)
	}
	if p = b.apply(p, Selection{}); p.Status() != Verified || b.disk("b.txt") != "B\n" {
		t.Errorf("at last: %s, %q", p.Status(), b.disk("b.txt"))
	}
	views, err := b.Preview.Files(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	texts := make(map[string]bool)
	for _, v := range views {
		texts[v.Rel+": "+v.Before+"→"+v.After] = true
	}
	if !texts["a.txt: "+lines+"→1\n2\n3\n4\n6\n7\n8\n9\n"] || len(texts) != 4 {
		t.Errorf("the applied parts are not kept as they were made: %v", texts)
	}
	if _, err := b.Accept(t.Context(), latest(b.Proposals, p.ID, Selection{})); err == nil || !strings.Contains(err.Error(), "verified") {
		t.Errorf("accepting again: %v", err)
	}
}

func TestAcceptAfterTheTextMovedOn(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": lines, "b.txt": "b\n"})
	p := stageThreeHunks(b)
	version := int32(3)
	b.ws.SetBuffer(b.path("a.txt"), version, []byte("0\n"+lines+"10\n"))
	plan := b.accept(p, Selection{Files: []string{b.path("a.txt")}})
	f := plan.Files[0]
	if string(f.After) != "0\n1\ntwo\nand a half\n3\n4\nsix\n7\n8\n9\n10\n" || *f.Version != version {
		t.Errorf("plan %q, version %d", f.After, *f.Version)
	}
	got, err := Apply(f.Before, f.Edits)
	if err != nil || !bytes.Equal(got, f.After) || len(f.Hunks) != len(f.Edits) {
		t.Errorf("the plan's edits make %q, %v", got, err)
	}
	b.ws.SetBuffer(b.path("a.txt"), version+1, f.After)
	if p = b.settle(plan, Outcome{Applied: true}); p.Status() != Partial || p.Changes[0].Hunks[0].State != Verified {
		t.Errorf("changes %+v", p.Changes)
	}
	if p.Changes[0].BaseHash != workspace.Hash(f.Before) {
		t.Error("the applied change does not refer to the text that it was applied to")
	}
}

func TestStale(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": lines, "b.txt": "b\n"})
	p := stageThreeHunks(b)
	b.write("a.txt", strings.Replace(lines, "6", "VI", 1))
	for range 2 { // trying again must not change the answer
		_, err := b.Accept(t.Context(), latest(b.Proposals, p.ID, Selection{}))
		var stale *StaleError
		if !errors.As(err, &stale) || stale.Path != b.path("a.txt") || stale.Line != 6 ||
			!strings.HasPrefix(err.Error(), "a.txt has changed at line 6") {
			t.Fatalf("Accept: %v", err)
		}
		if status := b.get(p).Status(); status != Stale {
			t.Errorf("it is %s", status)
		}
	}
	var states []State
	for _, h := range b.get(p).Changes[0].Hunks {
		states = append(states, h.State)
	}
	// The deletion of line 5 touches the changed line.
	if diff := cmp.Diff([]State{Staged, Stale, Stale}, states); diff != "" {
		t.Error(diff)
	}
	if b.disk("b.txt") != "b\n" {
		t.Error("another file was written")
	}
	p = b.apply(p, Selection{Files: []string{"b.txt"}})
	if b.disk("b.txt") != "B\n" {
		t.Error("the part that fits can't be accepted by itself")
	}
	b.write("a.txt", lines)
	if p = b.apply(p, Selection{}); p.Status() != Verified {
		t.Errorf("when the text fits again: %s", p.Status())
	}
}

func TestAcceptChecksThatFilesAreThere(t *testing.T) {
	b := newFixture(t, map[string]string{"gone.txt": "x\n"})
	edit := b.stage("1", b.replaceOnce("1", "gone.txt", "x", "y"))
	create := b.stage("2", Operation{Op: OpCreate, Path: "new.txt", Text: "mine"})
	same := b.stage("3", Operation{Op: OpCreate, Path: "same.txt", Text: "same"})
	b.ws.SetBuffer(b.path("gone.txt"), 1, nil)
	b.write("new.txt", "theirs")
	b.write("same.txt", "same")
	for _, p := range []*Proposal{edit, create} {
		var stale *StaleError
		if _, err := b.Accept(t.Context(), latest(b.Proposals, p.ID, Selection{})); !errors.As(err, &stale) {
			t.Errorf("Accept: %v", err)
		}
	}
	if p := b.settle(b.accept(same, Selection{}), Outcome{Applied: true}); p.Status() != Verified {
		t.Errorf("a file that already reads as planned: %s", p.Status())
	}
}

func TestSettle(t *testing.T) {
	tests := map[string]struct {
		text    string // what the editor has afterwards; "": the file is not open
		outcome Outcome
		want    State
		reason  string
	}{
		"applied":                   {"a\nX\nc\n", Outcome{Applied: true}, Verified, ""},
		"applied, typed elsewhere":  {"a\nX\nc\nd\n", Outcome{Applied: true}, Verified, ""},
		"refused, yet there":        {"a\nX\nc\n", Outcome{Reason: "no"}, Verified, ""},
		"not seen":                  {"a\nb\nc\n", Outcome{Applied: true}, Failed, "a.txt is unchanged"},
		"not seen, not open":        {"", Outcome{Applied: true}, Applied, ""},
		"refused":                   {"a\nb\nc\n", Outcome{Reason: "no"}, Failed, "no"},
		"said so, but another text": {"a\nY\nc\n", Outcome{Applied: true}, Failed, "a.txt does not read"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := newFixture(t, map[string]string{"a.txt": "a\nb\nc\n"})
			plan := b.accept(b.stage("turn", b.replaceOnce("turn", "a.txt", "b", "X")), Selection{})
			if _, err := b.Accept(t.Context(), latest(b.Proposals, plan.ProposalID, Selection{})); err == nil ||
				!strings.Contains(err.Error(), "being applied") {
				t.Errorf("a second accept meanwhile: %v", err)
			}
			if _, err := b.Reject(t.Context(), latest(b.Proposals, plan.ProposalID, Selection{}), ""); err == nil {
				t.Error("rejected meanwhile")
			}
			if tt.text != "" {
				b.ws.SetBuffer(b.path("a.txt"), 2, []byte(tt.text))
			}
			p := b.settle(plan, tt.outcome)
			if p.Status() != tt.want || !strings.Contains(p.DecisionReason, tt.reason) {
				t.Errorf("status %s, reason %q; want %s", p.Status(), p.DecisionReason, tt.want)
			}
			if diff := cmp.Diff([]State{Staged, Accepted, tt.want}, b.changes); diff != "" {
				t.Errorf("OnChange: %s", diff)
			}
			if tt.want == Failed && tt.outcome.Reason != "" {
				b.accept(p, Selection{}) // may be tried again
			}
		})
	}
}

func TestReject(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": lines, "b.txt": "b\n"})
	p := stageThreeHunks(b)
	b.apply(p, Selection{Files: []string{"b.txt"}})
	p, err := b.Reject(t.Context(), latest(b.Proposals, p.ID, Selection{}), "not now")
	if err != nil {
		t.Fatal(err)
	}
	if p = b.get(p); p.Status() != Partial || p.DecisionReason != "not now" || p.Changes[0].Hunks[2].State != Rejected {
		t.Errorf("proposal %+v", p)
	}
	if _, err := b.Reject(t.Context(), latest(b.Proposals, p.ID, Selection{}), ""); err == nil {
		t.Error("rejected twice")
	}
	if got := b.view("turn", "a.txt"); got != lines {
		t.Errorf("the turn still sees %q", got)
	}
	for _, sel := range []Selection{{Files: []string{"c.txt"}}, {Hunks: []string{"none"}}, {Files: []string{"../x"}}} {
		if _, err := b.Accept(t.Context(), latest(b.Proposals, p.ID, sel)); err == nil {
			t.Errorf("accepted %+v", sel)
		}
	}
	var missing *NotFoundError
	if _, err := b.Accept(t.Context(), latest(b.Proposals, "none", Selection{})); !errors.As(err, &missing) {
		t.Errorf("an unknown proposal: %v", err)
	}
}

func TestProposalsOutliveTheProcess(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": lines, "b.txt": "b\n"})
	old := b.stage("earlier", b.replaceOnce("earlier", "b.txt", "b", "é"))
	p := stageThreeHunks(b)
	cut := b.stage("cut", Operation{Op: OpCreate, Path: "c.txt", Text: "c"})
	plan := b.accept(cut, Selection{})
	b.start()
	all, err := b.Proposals.List(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, p := range all {
		ids = append(ids, p.ID)
	}
	if diff := cmp.Diff([]string{cut.ID, p.ID, old.ID}, ids); diff != "" {
		t.Errorf("List: %s", diff)
	}
	if staged, _ := b.Proposals.List(t.Context(), Staged); len(staged) != 2 {
		t.Errorf("%d are staged; want 2", len(staged))
	}
	if got := b.view("turn", "b.txt"); got != "B\n" {
		t.Errorf("the turn sees %q", got)
	}
	if p := b.apply(p, Selection{}); p.Status() != Verified || b.disk("b.txt") != "B\n" {
		t.Errorf("accepted after the restart: %s", p.Status())
	}
	var stale *StaleError
	if _, err := b.Accept(t.Context(), latest(b.Proposals, old.ID, Selection{})); !errors.As(err, &stale) {
		t.Errorf("an edit of a line that was changed since: %v", err)
	}
	if views, err := b.Preview.Files(t.Context(), old); err != nil || views[0].After != "é\n" {
		t.Errorf("a character beyond ASCII came back as %+v, %v", views, err)
	}
	// The process ended after it wrote the file and before it settled the plan.
	if err := b.WriteToDisk(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Accept(t.Context(), latest(b.Proposals, cut.ID, Selection{})); err == nil || !strings.Contains(err.Error(), "verified") {
		t.Errorf("accepting again what is in effect: %v", err)
	}
	if p := b.get(cut); p.Status() != Verified {
		t.Errorf("status %s", p.Status())
	}
}

// TestNothingElseChanges stages random edits, types elsewhere at random, and accepts at random.
// Each line that no hunk changes must stay, in order, and each hunk's text must be there
// exactly if it was accepted.
func TestNothingElseChanges(t *testing.T) {
	b := newFixture(t, nil)
	for seed := range uint64(testbed.Count(12, 3)) {
		r := rand.New(rand.NewPCG(seed, 2))
		name := fmt.Sprintf("f%d.txt", seed)
		var text []string
		for i := range 24 {
			text = append(text, fmt.Sprintf("line %d;", i))
		}
		b.write(name, strings.Join(text, "\n"))
		var p *Proposal
		want := make([]string, len(text))
		copy(want, text)
		marks := make(map[string]int) // line by hunk id
		for i := 0; i < len(text); i += 4 {
			mark := fmt.Sprintf("ours %d;", i)
			p = b.stage(name, b.replaceOnce(name, name, text[i], mark))
		}
		for _, h := range p.Changes[0].Hunks {
			marks[h.ID] = h.StartLine - 1
		}
		for id, line := range marks { // in random order
			if r.IntN(3) == 0 {
				continue
			}
			if typed := line - 2; typed >= 0 && r.IntN(2) == 0 {
				want[typed] += " typed"
				b.write(name, strings.Join(want, "\n"))
				want[typed] = strings.Split(b.disk(name), "\n")[typed]
			}
			plan, err := b.Accept(t.Context(), latest(b.Proposals, p.ID, Selection{Hunks: []string{id}}))
			if err != nil {
				t.Fatalf("seed %d, line %d: %v", seed, line, err)
			}
			if err := b.WriteToDisk(t.Context(), plan); err != nil {
				t.Fatal(err)
			}
			p = b.settle(plan, Outcome{Applied: true})
			want[line] = fmt.Sprintf("ours %d;", line)
			if diff := cmp.Diff(strings.Join(want, "\n"), b.disk(name)); diff != "" {
				t.Fatalf("seed %d, after line %d (-want +got):\n%s", seed, line, diff)
			}
			if state := p.hunk(id).State; state != Verified {
				t.Fatalf("seed %d: %s", seed, state)
			}
		}
	}
}

func TestTwoProcessesDecideAtOnce(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": lines, "b.txt": "b\n"})
	p := stageThreeHunks(b)
	ours, theirs := b.get(p), b.get(p)
	theirs.Title = "theirs"
	if err := b.Proposals.save(t.Context(), theirs); err != nil {
		t.Fatal(err)
	}
	if err := b.Proposals.save(t.Context(), ours); !errors.Is(err, errRaced) {
		t.Errorf("save = %v; want it refused", err)
	}
	if got := b.get(p).Title; got != "theirs" {
		t.Errorf("title %q", got)
	}
}
