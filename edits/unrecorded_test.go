package edits

import (
	"errors"
	"testing"
)

// TestWhatIsWrittenAndNotRecordedSaysSo has the store fail after the files were written, undone or
// made again. The next decision after it is fixed, and the next start, record what the files say.
func TestWhatIsWrittenAndNotRecordedSaysSo(t *testing.T) {
	const fail = `CREATE TRIGGER fail BEFORE UPDATE ON proposals BEGIN SELECT RAISE(ABORT, 'disk full'); END`
	for name, tt := range map[string]struct {
		before  func(b *fixture, p *Proposal)
		decide  func(b *fixture, p *Proposal) (*Plan, error)
		want    State
		written string
	}{
		"accept": {func(*fixture, *Proposal) {}, ways["accept"], Verified, newLines},
		"undo":   {func(b *fixture, p *Proposal) { b.apply(p, Selection{}) }, ways["undo"], Undone, oldLines},
		"redo":   {func(b *fixture, p *Proposal) { b.undo(b.apply(p, Selection{})) }, ways["redo"], Verified, newLines},
	} {
		for _, restart := range []bool{true, false} {
			b := newFixture(t, map[string]string{"a.txt": oldLines})
			p := b.stage("turn", b.replaceOnce("turn", "a.txt", "2", "two"), b.replaceOnce("turn", "a.txt", "8", "eight"))
			tt.before(b, p)
			plan, err := tt.decide(b, p)
			if err == nil {
				err = b.WriteToDisk(t.Context(), plan)
			}
			if err != nil {
				t.Fatal(err)
			}
			b.exec(fail)
			if _, err := b.Settle(t.Context(), plan, Outcome{Applied: true}); !errors.As(err, new(*UnrecordedError)) {
				t.Errorf("%s: %v", name, err)
			}
			if b.disk("a.txt") != tt.written {
				t.Errorf("%s: the file reads %q", name, b.disk("a.txt"))
			}
			b.exec(`DROP TRIGGER fail`)
			if restart {
				b.start()
				if err := b.Recover(t.Context()); err != nil {
					t.Fatal(err)
				}
			} else {
				b.Reject(t.Context(), latest(b.Proposals, p.ID, Selection{}), "") // fails, since nothing is left to decide
			}
			if p = b.get(p); p.Status() != tt.want {
				t.Errorf("%s, restart %v: it is %s", name, restart, p.Status())
			}
		}
	}
}

// TestWhatIsNotWrittenIsNotSaidToBe has the store fail without anything being written.
func TestWhatIsNotWrittenIsNotSaidToBe(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": oldLines})
	plan := b.accept(b.stage("turn", b.replaceOnce("turn", "a.txt", "2", "two")), Selection{})
	b.exec(`CREATE TRIGGER fail BEFORE UPDATE ON proposals BEGIN SELECT RAISE(ABORT, 'disk full'); END`)
	if _, err := b.Settle(t.Context(), plan, Outcome{Reason: "no"}); err == nil || errors.As(err, new(*UnrecordedError)) {
		t.Error(err)
	}
}
