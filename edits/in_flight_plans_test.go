package edits

import (
	"database/sql"
	"errors"
	"os"
	"strings"
	"testing"
	"time"
)

// give makes another process the owner of the plans in flight. Of a process on another host
// only the time tells whether it lives.
func (b *fixture) give(p *Proposal, host string, pid int, until time.Time) {
	b.t.Helper()
	err := b.Proposals.db.Write(b.t.Context(), func(tx *sql.Tx) error {
		for id, f := range b.get(p).inFlight {
			f.Owner.Started, f.Owner.PID, f.Owner.Until = "", pid, until.UnixMilli()
			if host != "" {
				f.Owner.Host = host
			}
			at := `$."` + id + `".owner`
			if _, err := tx.Exec(`UPDATE proposals SET in_flight = json_set(in_flight, ?1 || '.pid', ?2, ?1 || '.until', ?3, 
				?1 || '.host', ?4, ?1 || '.started', '') WHERE id = ?5`,
				at, f.Owner.PID, f.Owner.Until, f.Owner.Host, p.ID); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// TestAcceptedByAProgramThatLives recovers in another process while the editor works.
func TestAcceptedByAProgramThatLives(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": lines, "b.txt": "b\n"})
	p := stageThreeHunks(b)
	plan := b.accept(p, Selection{Files: []string{"a.txt"}})
	first := b.accept(p, Selection{Files: []string{"b.txt"}})
	b.settle(first, Outcome{Reason: "no"})
	b.give(p, "", os.Getppid(), time.Now().Add(time.Hour))
	other := New(b.Proposals.db, b.ws, Options{})
	look := func(want State) {
		t.Helper()
		if err := other.Recover(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := b.get(p).Changes[0].Hunks[0].State; got != want {
			t.Errorf("another process makes it %s; want %s", got, want)
		}
	}
	look(Accepted)
	b.write("a.txt", string(plan.Files[0].After))
	b.settle(plan, Outcome{Applied: true})
	look(Verified)
}

// TestTheOldOwnerOfAPlanChangesNothing lets another process take a plan over, since its owner on
// another host seems to be gone. The owner comes back and goes on.
func TestTheOldOwnerOfAPlanChangesNothing(t *testing.T) {
	for name, goOn := range map[string]func(b *fixture, plan *Plan) error{
		"it writes": func(b *fixture, plan *Plan) error { return b.WriteToDisk(b.t.Context(), plan) },
		"it settles": func(b *fixture, plan *Plan) error {
			_, err := b.Settle(b.t.Context(), plan, Outcome{Applied: true})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newFixture(t, map[string]string{"a.txt": lines, "b.txt": "b\n"})
			p := stageThreeHunks(b)
			plan := b.accept(p, Selection{})
			b.give(p, "elsewhere", 1, time.Now().Add(-time.Second))
			other := &fixture{Manager: New(b.Proposals.db, b.ws, Options{}), t: t}
			b.decide(other.Reject(t.Context(), latest(other.Proposals, p.ID, Selection{}), "not now"))
			var taken *TakenOverError
			if err := goOn(b, plan); !errors.As(err, &taken) || taken.Status != Rejected {
				t.Errorf("it goes on with %v", err)
			}
			if p = b.get(p); p.Status() != Rejected || b.disk("a.txt") != lines {
				t.Errorf("the proposal is %s, and the file reads %q", p.Status(), b.disk("a.txt"))
			}
		})
	}
}

// TestADecisionIsMadeOnWhatIsStored lets another process change the proposal while this one
// decides to reject it. Neither what is proposed now nor what is left is decided on unseen.
func TestADecisionIsMadeOnWhatIsStored(t *testing.T) {
	for name, tt := range map[string]struct {
		elsewhere func(other *fixture, p *Proposal)
		refused   string // what the error says
		want      State
	}{
		"edited": {func(other *fixture, p *Proposal) { other.editFile(p, "b.txt", "C\n") }, "the proposal has changed; look again", Staged},
		"rejected": {func(other *fixture, p *Proposal) {
			other.decide(other.Reject(t.Context(), latest(other.Proposals, p.ID, Selection{}), ""))
		}, "the proposal is rejected", Rejected},
		"accepted":        {func(other *fixture, p *Proposal) { other.accept(p, Selection{}) }, "the proposal has changed; look again", Accepted},
		"accepted partly": {func(other *fixture, p *Proposal) { other.apply(p, Selection{Files: []string{other.path("b.txt")}}) }, "the proposal has changed; look again", Partial},
	} {
		t.Run(name, func(t *testing.T) {
			b := newFixture(t, map[string]string{"a.txt": lines, "b.txt": "b\n"})
			p := stageThreeHunks(b)
			other := &fixture{Manager: New(b.Proposals.db, b.ws, Options{}), t: t, dir: b.dir}
			calls, shown := 0, latest(b.Proposals, p.ID, Selection{})
			_, err := b.Manager.decide(t.Context(), &shown, func(p *Proposal) ([][]byte, error) {
				if calls++; calls == 1 {
					tt.elsewhere(other, p)
				}
				chosen, err := b.choose(p, shown)
				for _, c := range chosen {
					c.change.setState(idsOf(c.hunks), Rejected)
				}
				return nil, err
			})
			if err == nil || !strings.Contains(err.Error(), tt.refused) {
				t.Errorf("decided with the error %v, want %q", err, tt.refused)
			}
			if got := b.get(p).Status(); got != tt.want {
				t.Errorf("it is %s, want %s", got, tt.want)
			}
		})
	}
}
