package edits

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/workspace"
)

// A cell is a piece of a file: what nobody proposes to change, or what one hunk is about.
type cell struct {
	old, new string
	proposed bool
	state    State
	id       string // of the hunk
}

func (c *cell) text() string {
	if c.proposed && (c.state == Verified || c.state == Applied) {
		return c.new
	}
	return c.old
}

// oracle is a file as the person sees it: it is put together from its cells, without any offset.
type oracle []cell

func (o oracle) text() (text string) {
	for i := range o {
		text += o[i].text()
	}
	return text
}

// with returns the text with one hunk more.
func (o oracle) with(id string) string {
	o = slices.Clone(o)
	for i := range o {
		if o[i].id == id {
			o[i].state = Verified
		}
	}
	return o.text()
}

// in returns the indices of the cells that are in a state.
func (o oracle) in(states ...State) (found []int) {
	for i := range o {
		if o[i].proposed && slices.Contains(states, o[i].state) {
			found = append(found, i)
		}
	}
	return found
}

// oracle returns a file with runs of lines, each of which is about to be changed, inserted, deleted, or changed twice.
func (r *random) oracle() (o oracle) {
	repeats := r.IntN(3) == 0
	plain := func(n int) {
		for range n {
			line := r.line()
			if repeats && r.IntN(2) == 0 {
				line = "}"
			}
			o = append(o, cell{old: line + "\n"})
		}
	}
	plain(r.IntN(4))
	for range 1 + r.IntN(3) {
		for range 1 + r.IntN(3) {
			switch r.IntN(5) {
			case 0:
				o = append(o, cell{new: r.line() + "\n" + r.line() + "\n", proposed: true}, cell{old: r.line() + "\n", new: r.line() + "\n", proposed: true})
			case 1:
				o = append(o, cell{old: r.line() + "\n", proposed: true}, cell{old: r.line() + "\n", new: r.line() + "\n", proposed: true})
			case 2: // two hunks in one line
				o = append(o, cell{old: r.line() + "(", new: r.line() + "(", proposed: true}, cell{old: "x, "}, cell{old: r.line() + ")\n", new: r.line() + ")\n", proposed: true})
			default:
				o = append(o, cell{old: r.line() + "\n", new: r.line() + "\n", proposed: true})
			}
		}
		plain(3 + r.IntN(4))
	}
	return o
}

// stageOracle proposes all hunks of o, and notes their ids.
func (b *fixture) stageOracle(name string, o oracle) *Proposal {
	b.t.Helper()
	base := o.text()
	b.write(name, base)
	var es []Edit
	at := 0
	for _, c := range o {
		if c.proposed {
			es = append(es, Edit{at, at + len(c.old), c.new})
		}
		at += len(c.old)
	}
	p := b.stage(name, Operation{Op: OpEdit, Path: name, BaseHash: workspace.Hash([]byte(base)), Edits: es})
	hunks := p.Changes[0].Hunks
	if len(hunks) != len(es) {
		b.t.Fatalf("%d edits became %d hunks", len(es), len(hunks))
	}
	for i := range o {
		if o[i].proposed {
			o[i].id, o[i].state = hunks[0].ID, Staged
			hunks = hunks[1:]
		}
	}
	return p
}

// TestPropertyAnyOrder accepts, rejects, undoes and redoes adjacent hunks in any order, and types elsewhere meanwhile.
// The file must read as the person saw it happen, and what waits must fit and do what it says.
func TestPropertyAnyOrder(t *testing.T) {
	b := newFixture(t, nil)
	for seed := range uint64(testbed.Count(150, 40)) {
		r := newRandom(900 + seed)
		name := fmt.Sprintf("%d.txt", seed)
		o := r.oracle()
		p := b.stageOracle(name, o)
		var done []string
		var last []int
		for range 12 {
			step := ""
			if step, last = b.step(r, p, name, o, last); step == "" {
				step = b.typeElsewhere(r, name, o)
			}
			done = append(done, step)
			b.compare(fmt.Sprintf("seed %d, after %q", seed, done), p.ID, name, o)
			if t.Failed() {
				return
			}
		}
	}
}

// step does one random thing, unless it can't be done, and notes in o what the person expects of it. last and the result are
// the cells that a plan has changed last.
func (b *fixture) step(r *random, p *Proposal, name string, o oracle, last []int) (string, []int) {
	b.t.Helper()
	open := o.in(Staged)
	r.Shuffle(len(open), func(i, j int) { open[i], open[j] = open[j], open[i] })
	var some []int
	var ids []string
	for _, i := range open {
		if len(some) == 0 || r.IntN(3) == 0 {
			some, ids = append(some, i), append(ids, o[i].id)
		}
	}
	set := func(cells []int, state State) string {
		for _, i := range cells {
			o[i].state = state
		}
		return fmt.Sprint(state, cells)
	}
	in, undone := o.in(Verified), o.in(Undone)
	switch n := r.IntN(12); {
	case n < 4 && len(open) > 0:
		b.apply(p, Selection{Hunks: ids})
		return set(some, Verified), some
	case n < 5 && len(open) > 0:
		b.decide(b.Reject(b.t.Context(), p.ID, Selection{Hunks: ids}, ""))
		return set(some, Rejected), last
	case n < 7 && len(in) > 0:
		b.undo(p)
		return set(in, Undone), in
	case n < 9 && len(undone) > 0:
		b.redo(p)
		return set(undone, Verified), undone
	case n < 11 && len(last) > 0: // the editor's own undo or redo
		state := map[State]State{Verified: Undone, Undone: Verified}[o[last[0]].state]
		step := "by hand " + set(last, state)
		b.write(name, o.text())
		return step, last
	}
	return "", last
}

// typeElsewhere types in a line that is not beside a hunk.
func (b *fixture) typeElsewhere(r *random, name string, o oracle) string {
	var free []int
	for i := range o {
		beside := o[i].proposed || i > 0 && o[i-1].proposed || i+1 < len(o) && o[i+1].proposed
		if !beside && o[i].old != "}\n" {
			free = append(free, i)
		}
	}
	if len(free) == 0 {
		return "nothing"
	}
	i := free[r.IntN(len(free))]
	o[i].old = r.line() + "\n"
	if r.IntN(3) == 0 {
		o[i].old += r.line() + "\n"
	}
	b.write(name, o.text())
	return fmt.Sprint("typed ", i)
}

// compare compares the file, and each hunk, with what the person expects.
func (b *fixture) compare(what, id, name string, o oracle) {
	b.t.Helper()
	p, err := b.Load(b.t.Context(), id)
	if err != nil {
		b.t.Fatal(err)
	}
	if got := b.disk(name); got != o.text() {
		b.t.Errorf("%s: the file reads\n%s\nwant\n%s", what, got, o.text())
	}
	for _, c := range o {
		if c.proposed && p.hunk(c.id).State != c.state {
			b.t.Errorf("%s: %q is %s, want %s", what, strings.TrimSpace(c.new), p.hunk(c.id).State, c.state)
		}
	}
	placed, err := b.Place(b.t.Context(), p)
	if err != nil {
		b.t.Fatal(err)
	}
	waiting := 0
	for _, f := range placed {
		for _, h := range f.Hunks {
			waiting++
			if h.Stale {
				b.t.Errorf("%s: a hunk is stale in\n%s", what, f.File.Text)
				continue
			}
			if got, err := Apply(f.File.Text, []Edit{h.Edit}); err != nil || string(got) != o.with(h.ID) {
				b.t.Errorf("%s: %v: a hunk makes\n%s\nwant\n%s", what, err, got, o.with(h.ID))
			}
		}
	}
	if want := len(o.in(Staged)); waiting != want {
		b.t.Errorf("%s: %d hunks wait, want %d", what, waiting, want)
	}
}
