package edits

import (
	"os"
	"strings"
	"testing"
)

// restartAfterExit drops locks and memory as the end of a program does, and starts another one.
func (b *fixture) restartAfterExit() {
	b.t.Helper()
	if err := b.Manager.lease.Close(); err != nil {
		b.t.Fatal(err)
	}
	b.start()
}

// TestAcceptedByAProgramThatIsGone ends the program while an editor applies what was accepted.
// The editor may have done so or not.
func TestAcceptedByAProgramThatIsGone(t *testing.T) {
	const want = "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"
	all := func(b *fixture) {
		b.write("a.txt", "\xef\xbb\xbf"+want)
		b.write("new/deep/n.txt", "new\n")
		b.write("new/moved.txt", strings.Replace(lines, "1", "one", 1))
		os.Remove(b.path("m.txt"))
		os.Remove(b.path("z.txt"))
	}
	for name, tt := range map[string]struct {
		done   func(b *fixture)
		want   State
		states map[string]State // by file, where they differ
	}{
		"nothing done":                  {func(*fixture) {}, Failed, nil},
		"all done":                      {all, Verified, nil},
		"all done, and typed elsewhere": {func(b *fixture) { all(b); b.write("a.txt", "0\n"+want+"10\n") }, Verified, nil},
		"one done":                      {func(b *fixture) { b.write("a.txt", want) }, Partial, map[string]State{"a.txt": Verified, "z.txt": Failed}},
		"all done, and one changed": {func(b *fixture) { all(b); b.write("a.txt", strings.Replace(want, "five", "5 or so", 1)) },
			Partial, map[string]State{"a.txt": Failed, "z.txt": Verified}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newFixture(t, everythingFiles())
			p := stageEverything(b)
			b.accept(p, Selection{})
			tt.done(b)
			b.restartAfterExit()
			if err := b.Recover(t.Context()); err != nil {
				t.Fatal(err)
			}
			p = b.get(p)
			if p.Status() != tt.want || (tt.want == Verified) != (p.DecisionReason == "") {
				t.Errorf("it is %s, because %q; want %s", p.Status(), p.DecisionReason, tt.want)
			}
			for _, c := range p.Changes {
				if want, ok := tt.states[b.ws.Rel(c.Path)]; ok && c.Hunks[0].State != want {
					t.Errorf("%s is %s; want %s", c.Path, c.Hunks[0].State, want)
				}
			}
			if tt.want == Failed {
				p = b.apply(p, Selection{}) // it can be accepted again
			}
			if tt.want != Partial {
				b.undo(p)
			}
		})
	}
}

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
