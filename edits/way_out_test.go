package edits

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
)

const (
	oldLines = "1\n2\n3\n4\n5\n6\n7\n8\n9\n"
	newLines = "1\ntwo\n3\n4\n5\n6\n7\neight\n9\n"
	half     = "1\ntwo\n3\n4\n5\n6\n7\n8\n9\n" // with the first of the two changes
	typed    = "1\nzwei\n3\n4\n5\n6\n7\nacht\n9\n"
)

// lost makes the editor report success without doing anything.
var lost = Outcome{Applied: true}

// ways are the ways on for a person.
var ways = map[string]func(b *fixture, p *Proposal) (*Plan, error){
	"accept": func(b *fixture, p *Proposal) (*Plan, error) {
		return b.Accept(b.t.Context(), latest(b.Proposals, p.ID, Selection{}))
	},
	"reject": func(b *fixture, p *Proposal) (*Plan, error) {
		_, err := b.Reject(b.t.Context(), latest(b.Proposals, p.ID, Selection{}), "no")
		return nil, err
	},
	"undo": func(b *fixture, p *Proposal) (*Plan, error) {
		return b.Undo(b.t.Context(), latest(b.Proposals, p.ID, Selection{}))
	},
	"redo": func(b *fixture, p *Proposal) (*Plan, error) {
		return b.Redo(b.t.Context(), latest(b.Proposals, p.ID, Selection{}))
	},
}

// TestEachStateHasAWayOut brings a proposal of two hunks into each of its states, and looks
// which decisions work from there. A decision that works leaves the file and the states in
// agreement.
func TestEachStateHasAWayOut(t *testing.T) {
	accepted := func(b *fixture, p *Proposal, o Outcome) *Plan {
		plan := b.accept(p, Selection{})
		b.settle(plan, o)
		return plan
	}
	for name, tt := range map[string]struct {
		reach func(b *fixture, p *Proposal)
		want  State    // as Load sees it
		ways  []string // sorted
	}{
		"staged":                  {func(*fixture, *Proposal) {}, Staged, []string{"accept", "reject"}},
		"stale":                   {func(b *fixture, _ *Proposal) { b.show(typed) }, Stale, []string{"reject"}},
		"accepted, abandoned":     {func(b *fixture, p *Proposal) { b.accept(p, Selection{}); b.restart() }, Accepted, []string{"accept", "reject"}},
		"accepted, by an old one": {func(b *fixture, p *Proposal) { b.accept(p, Selection{}); b.forget(p) }, Failed, []string{"accept", "reject"}},
		"refused":                 {func(b *fixture, p *Proposal) { accepted(b, p, Outcome{Reason: "no"}) }, Failed, []string{"accept", "reject"}},
		"lost":                    {func(b *fixture, p *Proposal) { accepted(b, p, lost) }, "", []string{"accept", "reject"}},
		"lost, then typed":        {func(b *fixture, p *Proposal) { accepted(b, p, lost); b.show(typed) }, Failed, []string{"reject"}},
		"lost, then there":        {func(b *fixture, p *Proposal) { accepted(b, p, lost); b.show(newLines) }, Verified, []string{"undo"}},
		"half applied":            {func(b *fixture, p *Proposal) { plan := b.accept(p, Selection{}); b.show(half); b.settle(plan, lost) }, Partial, []string{"accept", "reject", "undo"}},
		"half applied later":      {func(b *fixture, p *Proposal) { accepted(b, p, lost); b.show(half) }, Partial, []string{"accept", "reject", "undo"}},
		"refused, yet there":      {func(b *fixture, p *Proposal) { accepted(b, p, Outcome{Reason: "no"}); b.show(newLines) }, Verified, []string{"undo"}},
		"verified":                {func(b *fixture, p *Proposal) { b.make("accept", p); b.show(newLines) }, Verified, []string{"undo"}},
		"verified, then gone":     {func(b *fixture, p *Proposal) { b.make("accept", p); b.show(oldLines) }, Undone, []string{"redo"}},
		"undone":                  {func(b *fixture, p *Proposal) { b.make("undo", b.make("accept", p)) }, Undone, []string{"redo"}},
		"undone, then there":      {func(b *fixture, p *Proposal) { b.make("undo", b.make("accept", p)); b.show(newLines) }, Verified, []string{"undo"}},
		"half accepted":           {func(b *fixture, p *Proposal) { b.carry(b.accept(p, Selection{Hunks: idsOf(p.Changes[0].Hunks)[:1]})) }, Partial, []string{"accept", "reject", "undo"}},
		"undoing, abandoned":      {func(b *fixture, p *Proposal) { ways["undo"](b, b.make("accept", p)); b.restart() }, Verified, []string{"undo"}},
		"redoing, abandoned":      {func(b *fixture, p *Proposal) { ways["redo"](b, b.make("undo", b.make("accept", p))); b.restart() }, Undone, []string{"redo"}},
		"rejected":                {func(b *fixture, p *Proposal) { ways["reject"](b, p) }, Rejected, nil},
		"rejected, by hand there": {func(b *fixture, p *Proposal) { ways["reject"](b, p); b.show(newLines) }, Rejected, nil},
		"rejected, came late": {func(b *fixture, p *Proposal) {
			plan := accepted(b, p, Outcome{Reason: "no answer"})
			ways["reject"](b, p)
			if err := b.SettleLate(b.t.Context(), plan); err != nil {
				b.t.Fatal(err)
			}
			b.show(newLines)
		}, Verified, []string{"undo"}},
		"withdrawn": {func(b *fixture, p *Proposal) {
			b.stage("turn", b.replaceOnce("turn", "a.txt", "two", "2"))
			b.stage("turn", b.replaceOnce("turn", "a.txt", "eight", "8"))
		}, Withdrawn, nil},
	} {
		for _, open := range []bool{false, true} {
			for way, decide := range ways {
				t.Run(fmt.Sprintf("%s, open %v, %s", name, open, way), func(t *testing.T) {
					b := newFixture(t, map[string]string{"a.txt": oldLines})
					b.stage("turn", b.replaceOnce("turn", "a.txt", "2", "two"))
					p := b.stage("turn", b.replaceOnce("turn", "a.txt", "8", "eight"))
					if open {
						b.ws.SetBuffer(b.path("a.txt"), 1, []byte(oldLines))
					}
					tt.reach(b, p)
					loaded, err := b.Load(t.Context(), p.ID)
					if err != nil {
						t.Fatal(err)
					}
					if got := loaded.Status(); tt.want != "" && got != tt.want {
						t.Errorf("it is %s, want %s", got, tt.want)
					}
					plan, err := decide(b, p)
					if works := err == nil; works != slices.Contains(tt.ways, way) {
						t.Fatalf("it is %s, and %s fails with %v; want %v", loaded.Status(), way, err, tt.ways)
					}
					if plan != nil {
						b.carry(plan)
					}
					b.checkAgreement(b.get(p), err)
				})
			}
		}
	}
}

// make makes a decision and carries it out.
func (b *fixture) make(way string, p *Proposal) *Proposal {
	b.t.Helper()
	plan, err := ways[way](b, p)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.carry(plan)
}

// carry carries a plan for a.txt out, in the editor or on disk.
func (b *fixture) carry(plan *Plan) *Proposal {
	b.t.Helper()
	b.show(string(plan.Files[0].After))
	return b.settle(plan, Outcome{Applied: true})
}

// show makes text the content of a.txt: on disk, and in the editor if it has the file open.
func (b *fixture) show(text string) {
	b.write("a.txt", text)
	if f, open := b.ws.Buffer(b.path("a.txt")); open {
		b.ws.SetBuffer(b.path("a.txt"), f.Version+1, []byte(text))
	}
}

// restart starts the program again with the same file open.
func (b *fixture) restart() {
	f, open := b.ws.Buffer(b.path("a.txt"))
	b.start()
	if open {
		b.ws.SetBuffer(b.path("a.txt"), 1, f.Text)
	}
}

// forget removes what an earlier version did not store.
func (b *fixture) forget(p *Proposal) {
	err := b.Proposals.db.Write(b.t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec(`UPDATE proposals SET in_flight = '{}' WHERE id = ?`, p.ID)
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// checkAgreement checks that each hunk which counts as applied is in a.txt, and that no other one
// is. After a refused decision nobody has looked at the file.
func (b *fixture) checkAgreement(p *Proposal, refused error) {
	b.t.Helper()
	f, err := b.ws.Read(b.t.Context(), b.path("a.txt"))
	if err != nil {
		b.t.Fatal(err)
	}
	for _, c := range p.Changes {
		for _, h := range c.Hunks {
			there := strings.Contains(string(f.Text), strings.TrimSuffix(h.Edit.New, "\n"))
			counts := h.State == Verified || h.State == Applied
			if there != counts && refused == nil {
				b.t.Errorf("the hunk %q is %s, and the file reads %q", h.Edit.New, h.State, f.Text)
			}
		}
	}
}
