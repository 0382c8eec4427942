package edits

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzApply applies arbitrary edits to arbitrary text. Edits that fit change only the named
// bytes; all others are refused. Edits on top of edits, and edits rebased over typing, give the
// same text in whichever order they are made.
func FuzzApply(f *testing.F) {
	f.Add([]byte("one\ntwo\nthree\n"), []byte{0, 3, 1, 'x', 2, 0, 0}, []byte{4, 3, 2, 'y', 'z'})
	f.Add([]byte("a\r\nb\r\n\r\nlast"), []byte{0, 0, 1, '\n', 0, 0, 1, '!', 3, 1, 0}, []byte{0, 255, 0})
	f.Add([]byte("\xef\xbb\xbfcaf\xe9 日本"), []byte{1, 1, 1, 0xff, 0, 5, 0}, []byte{200, 1, 0, 9, 9, 9})
	f.Add([]byte{}, []byte{0, 0, 2, 'a', '\n'}, []byte{0, 2, 0})
	f.Fuzz(func(t *testing.T, text, first, second []byte) {
		wild := editsFrom(first)
		slices.Reverse(wild) // mostly out of order
		wants, fits := expected(text, wild)
		if got, err := Apply(text, wild); (err == nil) != fits || fits && !bytes.Equal(got, wants) {
			t.Fatalf("%+v of %q: %q, %v; want %q, %v", wild, text, got, err, wants, fits)
		}
		es := fitting(text, editsFrom(first))
		after := must(t, text, es)
		hunks := compose(text, nil, slices.Clone(es))
		checkHunks(t, text, hunks, after)
		more := fitting(after, editsFrom(second))
		checkHunks(t, text, compose(after, hunks, slices.Clone(more)), must(t, after, more))
		checkRebase(t, text, after, fitting(text, editsFrom(second)))
		checkStored(t, append(es, more...))
	})
}

// editsFrom decodes edits: each has the distance from the previous edit, a byte count, a count
// of new bytes, and the new bytes.
func editsFrom(data []byte) (es []Edit) {
	at := 0
	for len(data) >= 3 {
		e := Edit{Start: at + int(int8(data[0]))}
		e.End = e.Start + int(int8(data[1]))
		n := min(int(data[2]), len(data)-3)
		e.New = string(data[3 : 3+n])
		data = data[3+n:]
		es, at = append(es, e), e.End
	}
	return es
}

// expected applies edits from the last to the first, and reports whether they are valid.
func expected(text []byte, es []Edit) (after []byte, fits bool) {
	after = slices.Clone(text)
	limit := len(text)
	for _, e := range slices.Backward(es) {
		if e.Start < 0 || e.End < e.Start || e.End > limit {
			return nil, false
		}
		after = slices.Replace(after, e.Start, e.End, []byte(e.New)...)
		limit = e.Start
	}
	return after, true
}

// fitting returns the edits that fit text and the edits before them.
func fitting(text []byte, es []Edit) (fit []Edit) {
	at := 0
	for _, e := range es {
		if e.Start >= at && e.End >= e.Start && e.End <= len(text) {
			fit, at = append(fit, e), e.End
		}
	}
	return fit
}

func must(t *testing.T, text []byte, es []Edit) []byte {
	t.Helper()
	after, err := Apply(text, es)
	if err != nil {
		t.Fatalf("%+v of %q: %v", es, text, err)
	}
	return after
}

func checkHunks(t *testing.T, base []byte, hunks []Hunk, want []byte) {
	t.Helper()
	var es []Edit
	for _, h := range hunks {
		es = append(es, h.Edit)
	}
	if got := must(t, base, es); !bytes.Equal(got, want) {
		t.Errorf("the hunks %+v make %q of %q; want %q", es, got, base, want)
	}
}

// checkRebase rebases edits of base onto now. Each edit must replace the same bytes there.
func checkRebase(t *testing.T, base, now []byte, es []Edit) {
	t.Helper()
	moved, conflicts := rebase(base, now, es)
	if len(moved)+len(conflicts) != len(es) || bytes.Equal(base, now) && len(conflicts) > 0 {
		t.Fatalf("of %d edits %d are moved, and %d are conflicts", len(es), len(moved), len(conflicts))
	}
	must(t, now, moved)
	at := 0
	for i, e := range es {
		if slices.ContainsFunc(conflicts, func(c rebaseConflict) bool { return c.index == i }) {
			continue
		}
		m := moved[at]
		at++
		if !bytes.Equal(now[m.Start:m.End], base[e.Start:e.End]) || m.New != e.New {
			t.Errorf("%+v of %q has become %+v of %q", e, base, m, now)
		}
	}
}

func checkStored(t *testing.T, es []Edit) {
	t.Helper()
	data, err := json.Marshal(es)
	if err != nil {
		t.Fatal(err)
	}
	var back []Edit
	if err := json.Unmarshal(data, &back); err != nil || !cmp.Equal(es, back) {
		t.Errorf("%+v is stored as %s and comes back as %+v, %v", es, data, back, err)
	}
}
