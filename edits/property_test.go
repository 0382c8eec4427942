package edits

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/workspace"
)

// random generates files, edits and typing. All text that it writes is new, so the same change
// is never made twice by chance.
type random struct {
	*rand.Rand
	n int
}

func newRandom(seed uint64) *random { return &random{Rand: rand.New(rand.NewPCG(seed, 5))} }

// pick returns one of the choices.
func pick[T any](r *random, choices ...T) T { return choices[r.IntN(len(choices))] }

// line returns a unique line without its end.
func (r *random) line() string {
	r.n++
	return fmt.Sprintf(pick(r, "\tf%d(a, b)", "  x%d = \"é😀\"", "def g%d():", "// %d", "<b>%d</b>", "}%d{", "café %d", "%d",
		"\t\t%d;  "), r.n)
}

// file returns a name and the bytes of a file: in one of several languages, with any line ends,
// with or without a byte order mark and a final newline, or empty. If lines repeat, some are
// empty or end a block, as in real code.
func (r *random) file() (name, data string) {
	name = pick(r, "f.go", "f.py", "f.js", "f.md", "f.txt", "f.html")
	ends := pick(r, []string{"\n"}, []string{"\n"}, []string{"\r\n"}, []string{"\n", "\r\n"})
	repeats := r.IntN(2) == 0
	var out strings.Builder
	for range r.IntN(30) {
		line := r.line()
		if repeats && r.IntN(3) > 0 {
			line = pick(r, "", "}", "\treturn nil", "end")
		}
		out.WriteString(line + pick(r, ends...))
	}
	data = out.String()
	if r.IntN(3) == 0 {
		data = strings.TrimRight(data, "\r\n")
	}
	if r.IntN(4) == 0 {
		data = workspace.ByteOrderMark + data
	}
	return name, data
}

// edits returns sorted edits of text that do not touch each other: of complete lines, of some
// bytes, insertions, and deletions, even of everything.
func (r *random) edits(text []byte, limit int) (es []Edit) {
	at := 0
	for range limit {
		if at > len(text) {
			break
		}
		e := r.edit(text, at)
		at = e.End + 1
		if string(text[e.Start:e.End]) != e.New {
			es = append(es, e)
		}
	}
	return es
}

// edit returns an edit of the text after an offset.
func (r *random) edit(text []byte, at int) Edit {
	start := characterStart(text, at+r.IntN(len(text)-at+1))
	end := characterStart(text, start+r.IntN(min(len(text)-start, 60)+1))
	switch r.IntN(4) {
	case 0: // an insertion
		end = start
	case 1: // complete lines
		if start = lineStart(text, start); start < at {
			start = characterStart(text, at)
		}
		_, end = wholeLines(text, Edit{Start: start, End: end})
	}
	new := ""
	for range r.IntN(3) {
		new += r.line() + pick(r, "", "\n", "\n", "\r\n")
	}
	return Edit{start, end, new}
}

// characterStart returns the offset of the first character that begins at or after at.
func characterStart(text []byte, at int) int {
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	return at
}

func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

// inLineEnds returns the edits as staging makes them in the text.
func inLineEnds(text []byte, es []Edit) []Edit {
	es = slices.Clone(es)
	for i := range es {
		es[i].New = WithLineEnds(text, es[i])
	}
	return es
}

// TestPropertyAcceptAndUndo stages random edits in random batches, accepts, undoes and redoes
// them. No byte outside the edits may change, and each byte must come back.
func TestPropertyAcceptAndUndo(t *testing.T) {
	b := newFixture(t, nil)
	for seed := range uint64(testbed.Count(40, 8)) {
		r := newRandom(seed)
		base, data := r.file()
		name := fmt.Sprintf("%d/%s", seed, base)
		b.write(name, data)
		text := []byte(b.view("", name))
		turn := name
		var p *Proposal
		for range 1 + r.IntN(4) {
			es := r.edits(text, 1+r.IntN(4))
			if len(es) == 0 {
				continue
			}
			after, err := Apply(text, inLineEnds(text, es))
			if err != nil {
				t.Fatal(err)
			}
			p = b.stage(turn, Operation{Op: OpEdit, Path: name, BaseHash: workspace.Hash(text), Edits: es})
			if text = after; b.view(turn, name) != string(text) {
				t.Fatalf("seed %d: after %+v the turn sees %q; want %q", seed, es, b.view(turn, name), text)
			}
		}
		if p == nil {
			continue
		}
		mark := data[:len(data)-len(strings.TrimPrefix(data, workspace.ByteOrderMark))]
		check := func(what, want string, p *Proposal, status State) {
			if got := b.disk(name); got != want || p.Status() != status {
				t.Fatalf("seed %d: %s, it is %s and reads %q; want %q", seed, what, p.Status(), got, want)
			}
		}
		check("accepted", mark+string(text), b.apply(p, Selection{}), Verified)
		check("undone", data, b.undo(p), Undone)
		check("redone", mark+string(text), b.redo(p), Verified)
	}
}

// TestPropertyOverlapsAreRefused stages two random edits together, which must succeed exactly
// if they share no byte.
func TestPropertyOverlapsAreRefused(t *testing.T) {
	b := newFixture(t, map[string]string{"f.txt": lines})
	text := []byte(lines)
	refused := 0
	for seed := range uint64(300) {
		r := newRandom(seed)
		x, y := r.edit(text, 0), r.edit(text, 0)
		if x.Start == x.End && y.Start == y.End {
			continue // insertions come one after the other
		}
		// An insertion strictly inside the other edit's bytes overlaps, too.
		overlap := x.Start < y.End && y.Start < x.End
		_, err := b.Staging.Stage(t.Context(), Batch{Operations: []Operation{{Op: OpEdit, Path: "f.txt", BaseHash: workspace.Hash(text), Edits: []Edit{x, y}}}})
		var is *OverlapError
		if errors.As(err, &is) != overlap || err != nil && !overlap {
			t.Errorf("%+v and %+v: %v", x, y, err)
		}
		if overlap {
			refused++
		}
	}
	if refused < 30 {
		t.Errorf("only %d overlaps", refused)
	}
}

// distinct reports whether all lines of the text differ. If two lines are equal and one was
// changed, the texts do not tell which.
func distinct(text []byte) bool {
	seen := make(map[string]bool)
	for line := range bytes.Lines(text) {
		if seen[string(line)] {
			return false
		}
		seen[string(line)] = true
	}
	return true
}

// touched returns the 0-based lines of text that es change. Complete new lines change none.
func touched(text []byte, es []Edit) map[int]bool {
	all := make(map[int]bool)
	for _, e := range es {
		first := lineAt(text, e.Start)
		last := lineAt(text, max(e.Start, e.End-1))
		if e.Start == e.End && lineStart(text, e.Start) == e.Start && strings.HasSuffix(e.New, "\n") {
			continue
		}
		for line := first; line <= last; line++ {
			all[line] = true
		}
	}
	return all
}

// TestPropertyTyping lets the person type at random between staging and accepting. If both
// touched a line, nothing is applied. Otherwise the result is what git merges, if git merges at
// all, and undo keeps what was typed.
func TestPropertyTyping(t *testing.T) {
	b := newFixture(t, nil)
	counts := map[string]int{}
	seeds := testbed.Count(30, 8)
	for seed := range uint64(seeds) {
		r := newRandom(1000 + seed)
		base, data := r.file()
		name := fmt.Sprintf("%d/%s", seed, base)
		b.write(name, data)
		text := []byte(b.view("", name))
		ours, theirs := r.edits(text, 1+r.IntN(3)), r.edits(text, 1+r.IntN(3))
		if len(ours) == 0 || len(theirs) == 0 {
			continue
		}
		p := b.stage(name, Operation{Op: OpEdit, Path: name, BaseHash: workspace.Hash(text), Edits: ours})
		ours = inLineEnds(text, ours)
		mark := data[:len(data)-len(text)]
		typed := mark + string(applied(t, text, theirs))
		b.write(name, typed)
		merged, clean := testbed.GitMerge(t, data, mark+string(applied(t, text, ours)), typed)
		plan, err := b.Accept(t.Context(), latest(b.Proposals, p.ID, Selection{}))
		var stale *StaleError
		if errors.As(err, &stale) {
			counts["stale"]++
			if b.disk(name) != typed {
				t.Fatalf("seed %d: a stale proposal changed the file", seed)
			}
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		their := touched(text, theirs)
		for line := range touched(text, ours) {
			if their[line] && distinct(text) {
				t.Errorf("seed %d: both changed line %d of %q: %+v and %+v", seed, line, text, ours, theirs)
			}
		}
		p = b.carryOut(plan, nil)
		counts["carried over"]++
		if got := b.disk(name); clean && got != merged {
			t.Errorf("seed %d: %+v and %+v of %q are merged to %q; git merges them to %q", seed, ours, theirs, text, got, merged)
		} else if clean {
			counts["as git"]++
		}
		if p = b.undo(p); b.disk(name) != typed {
			t.Errorf("seed %d: undone: %q; want %q", seed, b.disk(name), typed)
		}
		counts["redone elsewhere"] += b.redoElsewhere(p, name, r)
	}
	t.Log(counts)
	if least := seeds / 15; counts["redone elsewhere"] < least || counts["stale"] < least || counts["as git"] < least {
		t.Errorf("too few different cases: %v", counts)
	}
}

// redoElsewhere types in the file, then redoes and undoes the change. It returns 1, or 0 if the
// change no longer fits.
func (b *fixture) redoElsewhere(p *Proposal, name string, r *random) int {
	b.t.Helper()
	text := []byte(b.view("", name))
	mark, _ := strings.CutSuffix(b.disk(name), string(text))
	typed := mark + string(applied(b.t, text, r.edits(text, 1)))
	b.write(name, typed)
	plan, err := b.Redo(b.t.Context(), latest(b.Proposals, p.ID, Selection{}))
	var stale *StaleError
	if errors.As(err, &stale) {
		return 0
	}
	if b.undo(b.carryOut(plan, err)); b.disk(name) != typed {
		b.t.Errorf("%s: redone and undone: %q; want %q", name, b.disk(name), typed)
	}
	return 1
}

func applied(t *testing.T, text []byte, es []Edit) []byte {
	t.Helper()
	after, err := Apply(text, es)
	if err != nil {
		t.Fatal(err)
	}
	return after
}

// TestPropertyRebaseIsGitMerge compares rebase with git on texts, where many cases are cheap.
// If both have no conflict, they agree. Two things may be merged by one of them only: git
// accepts a change that both sides made, and if lines repeat, either may match a different one
// of them, so that the changes are farther apart.
func TestPropertyRebaseIsGitMerge(t *testing.T) {
	both, seeds := 0, testbed.Count(200, 40)
	for seed := range uint64(seeds) {
		r := newRandom(5000 + seed)
		_, data := r.file()
		text := []byte(data)
		ours, theirs := r.edits(text, 1+r.IntN(3)), r.edits(text, 1+r.IntN(3))
		mine, now := applied(t, text, ours), applied(t, text, theirs)
		merged, clean := testbed.GitMerge(t, data, string(mine), string(now))
		moved, conflicts := rebase(text, now, ours)
		what := fmt.Sprintf("seed %d: %+v and %+v of %q", seed, ours, theirs, text)
		switch {
		case len(conflicts) == 0 && clean:
			both++
			if got := applied(t, now, moved); string(got) != merged {
				t.Errorf("%s are merged to %q; git merges them to %q", what, got, merged)
			}
		case len(conflicts) == 0 && distinct(text):
			t.Errorf("%s are merged; git finds a conflict", what)
		case clean && distinct(text) && !bytes.Equal(mine, now):
			t.Errorf("%s are a conflict; git merges them", what)
		}
	}
	if both < seeds/5 {
		t.Errorf("only %d cases are clean in both", both)
	}
}
