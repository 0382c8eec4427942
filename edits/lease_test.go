package edits

import (
	"testing"
)

// TestAcceptedByAProgramThatLives recovers in another process while the editor works.
func TestAcceptedByAProgramThatLives(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": lines, "b.txt": "b\n"})
	p := stageThreeHunks(b)
	plan := b.accept(p, Selection{Files: []string{"a.txt"}})
	first := b.accept(p, Selection{Files: []string{"b.txt"}})
	b.settle(first, Outcome{Reason: "no"})
	other := New(b.Manager.db, b.ws, Options{})
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
