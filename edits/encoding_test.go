package edits

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/workspace"
)

// TestAFileKeepsItsEncoding edits files in many encodings. Each byte outside the edit stays, the
// new text is in the file's encoding, and undo restores each byte.
func TestAFileKeepsItsEncoding(t *testing.T) {
	for name, tt := range map[string]struct{ file, before, old, new, after string }{
		"ISO-8859-1":               {"f.c", "caf\xe9\nb\n", "b", "ü", "caf\xe9\n\xfc\n"},
		"windows-1252":             {"f.c", "\x93caf\xe9\x94\r\nb\r\n", "b", "€\n", "\x93caf\xe9\x94\r\n\x80\r\n\r\n"},
		"UTF-16LE":                 {"f.cs", "\xff\xfea\x00\r\x00\n\x00b\x00\r\x00\n\x00", "b", "é\n😀", "\xff\xfea\x00\r\x00\n\x00\xe9\x00\r\x00\n\x00=\xd8\x00\xde\r\x00\n\x00"},
		"UTF-16BE without a mark":  {"f.cs", "\x00a\x00b\x00c\x00\n", "b", "€", "\x00a\x20\xac\x00c\x00\n"},
		"declared, only ASCII yet": {"f.py", "# coding: latin-1\nb\n", "b", "é", "# coding: latin-1\n\xe9\n"},
		"Shift_JIS":                {"f.py", "# coding: sjis\n# \x93\xfa\nb\n", "b", "本", "# coding: sjis\n# \x93\xfa\n\x96{\n"},
		"the last é is removed":    {"f.c", "caf\xe9\nb\n", "é", "e", "cafe\nb\n"},
		"an é in UTF-8":            {"f.c", "b\n", "b", "é", "é\n"},
		"the mark of UTF-8":        {"f.c", "\xef\xbb\xbfb\n", "b", "é", "\xef\xbb\xbfé\n"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newFixture(t, map[string]string{tt.file: tt.before})
			check := func(what, want string, p *Proposal, status State) {
				t.Helper()
				if got := b.disk(tt.file); got != want || p.Status() != status {
					t.Errorf("%s: it is %s, and the file has %q; want %q", what, p.Status(), got, want)
				}
			}
			p := b.stage("turn", b.replaceOnce("turn", tt.file, tt.old, tt.new))
			check("accepted", tt.after, b.apply(p, Selection{}), Verified)
			check("undone", tt.before, b.undo(p), Undone)
			check("redone", tt.after, b.redo(p), Verified)
			b.start()
			check("undone in another process", tt.before, b.undo(p), Undone)
			p = b.apply(b.stage("delete", Operation{Op: OpDelete, Path: tt.file}), Selection{})
			b.undo(p)
			check("deleted and undone", tt.before, p, Verified)
			p = b.apply(b.stage("rename", Operation{Op: OpRename, Path: tt.file, To: "moved" + tt.file}), Selection{})
			if got := b.disk("moved" + tt.file); got != tt.before {
				t.Errorf("renamed, the file has %q", got)
			}
			b.undo(p)
			check("renamed and undone", tt.before, p, Verified)
		})
	}
}

// TestAPartAtATimeKeepsTheEncoding accepts a hunk that removes the last character beyond ASCII,
// and then a hunk that adds one.
func TestAPartAtATimeKeepsTheEncoding(t *testing.T) {
	b := newFixture(t, map[string]string{"f.c": "\xe9\n2\n3\nb\n"})
	p := b.stage("turn", b.replaceOnce("turn", "f.c", "é", "e"), b.replaceOnce("turn", "f.c", "b", "ü"))
	ids := idsOf(p.Changes[0].Hunks)
	b.apply(p, Selection{Hunks: ids[:1]})
	b.start()
	b.apply(p, Selection{Hunks: ids[1:]})
	if got := b.disk("f.c"); got != "e\n2\n3\n\xfc\n" {
		t.Errorf("the file has %q", got)
	}
}

// TestWhatAnEncodingCannotHoldIsRefused edits files so that a byte outside the edit would have to
// change, or the new text could not be read back.
func TestWhatAnEncodingCannotHoldIsRefused(t *testing.T) {
	files := map[string]string{
		"latin.c": "caf\xe9\nb\n", "mixed.c": "caf\xe9 caf\xc3\xa9\nb\n", "latin.py": "# coding: latin-1\ncaf\xe9 b\n",
		"ascii.py": "# coding: ascii\nb\n", "utf8.py": "# new\ncafé b\n", "wrong.cs": "\xff\xfea\x00b\x00c\x00\x00\xd8", "wrong.py": "# coding: latin-1\ncafé b\n",
	}
	b := newFixture(t, files)
	for name, tt := range map[string]struct {
		op   Operation
		part string
	}{
		"a character that it lacks":           {b.replaceOnce("", "latin.c", "b", "€"), `latin.c: the encoding of the file, ISO-8859-1, has no character '€' (U+20AC)`},
		"a replacement character":             {b.replaceOnce("", "latin.c", "b", "\ufffd"), "U+FFFD"},
		"a character that ASCII lacks":        {b.replaceOnce("", "ascii.py", "b", "é"), "US-ASCII"},
		"a mixed encoding":                    {b.replaceOnce("", "mixed.c", "b", "c"), "a part of it is UTF-8"},
		"half of a pair":                      {b.replaceOnce("", "wrong.cs", "b", "c"), "UTF-16LE"},
		"a wrong declaration":                 {b.replaceOnce("", "wrong.py", "b", "c"), "its bytes are UTF-8"},
		"another declaration":                 {b.replaceOnce("", "latin.py", "latin-1", "utf-8"), "declares utf-8"},
		"a declaration in a file in UTF-8":    {b.replaceOnce("", "utf8.py", "new", "coding: latin-1"), "declares latin-1"},
		"a byte that is not UTF-8":            {b.replaceOnce("", "utf8.py", "b", "\xe9"), "a part of it is UTF-8"},
		"a new file with a wrong declaration": {Operation{Op: OpCreate, Path: "n.py", Text: "# coding: latin-1\né\n"}, "its bytes are UTF-8"},
	} {
		t.Run(name, func(t *testing.T) { b.refused(tt.part, tt.op) })
	}
	for name, text := range files {
		if b.disk(name) != text {
			t.Errorf("%s has %q", name, b.disk(name))
		}
	}
}

// TestAnUnclearFileCanBeRenamedAndDeleted does what touches no byte of the file, and undoes it.
func TestAnUnclearFileCanBeRenamedAndDeleted(t *testing.T) {
	const mixed = "caf\xe9 caf\xc3\xa9\n"
	b := newFixture(t, map[string]string{"f.c": mixed})
	p := b.apply(b.stage("1", Operation{Op: OpRename, Path: "f.c", To: "g.c"}), Selection{})
	if p.Status() != Verified || b.disk("g.c") != mixed {
		t.Errorf("renamed: %s\n%s", p.Status(), b.tree())
	}
	p = b.apply(b.stage("2", Operation{Op: OpDelete, Path: "g.c"}), Selection{})
	if p = b.undo(p); p.Status() != Undone || b.disk("g.c") != mixed {
		t.Errorf("deleted and undone: %s\n%s", p.Status(), b.tree())
	}
}

// TestAFileThatWasConvertedIsNotWritten converts the file between staging and accepting, and
// between accepting and writing.
func TestAFileThatWasConvertedIsNotWritten(t *testing.T) {
	b := newFixture(t, map[string]string{"f.c": "caf\xe9\nb\n"})
	p := b.stage("turn", b.replaceOnce("turn", "f.c", "b", "ü"))
	plan := b.accept(p, Selection{})
	b.write("f.c", "café\nb\n")
	var stale *StaleError
	err := b.WriteToDisk(t.Context(), plan)
	if !errors.As(err, &stale) || b.disk("f.c") != "café\nb\n" {
		t.Errorf("converted before writing: %v, %q", err, b.disk("f.c"))
	}
	b.settle(plan, Outcome{Reason: fmt.Sprint(err)})
	if b.apply(p, Selection{}); b.disk("f.c") != "café\nü\n" {
		t.Errorf("converted before accepting: %q", b.disk("f.c"))
	}
}

// TestPropertyNoReplacementCharacterIsWritten edits files of random bytes. An edit is refused, or
// changes exactly its own bytes.
func TestPropertyNoReplacementCharacterIsWritten(t *testing.T) {
	b := newFixture(t, nil)
	r := rand.New(rand.NewPCG(1, 1))
	heads := []string{"", "", "", "\xef\xbb\xbf", "\xff\xfe", "# coding: latin-1\n", "# coding: sjis\n"}
	alphabets := []string{"ab\n\xe9", "a\xc3\xa9", "ab\x93\xfa\x96{", "\x00a\n"}
	written := 0
	for i := range testbed.Count(200, 100) {
		data := []byte(heads[r.IntN(len(heads))])
		for alphabet := alphabets[r.IntN(len(alphabets))]; len(data) < 40; {
			c := alphabet[r.IntN(len(alphabet))]
			if i%3 == 0 && r.IntN(5) == 0 {
				c = byte(r.Uint32())
			}
			data = append(data, c)
		}
		name := fmt.Sprintf("%d.py", i)
		b.write(name, string(data))
		text := []byte(b.view("", name))
		start := characterStart(text, r.IntN(len(text)+1))
		end := characterStart(text, start+r.IntN(len(text)-start+1))
		e := Edit{start, end, []string{"x", "é", "€", ""}[r.IntN(4)]}
		p, err := b.Staging.Stage(t.Context(), Batch{Operations: []Operation{{Op: OpEdit, Path: name, BaseHash: workspace.Hash(text), Edits: []Edit{e}}}})
		if err != nil {
			continue
		}
		plan, err := b.Accept(t.Context(), latest(b.Proposals, p.ID, Selection{}))
		if err != nil {
			t.Fatalf("%q with %+v: %v", data, e, err)
		}
		encoding := plan.Files[0].Encoding
		before, err1 := encoding.Encode(text[:start])
		behind, err2 := workspace.Encoding{Charset: encoding.Charset}.Encode(text[end:])
		if err := errors.Join(err1, err2, b.WriteToDisk(t.Context(), plan)); err != nil {
			t.Fatalf("%q with %+v: %v", data, e, err)
		}
		p = b.settle(plan, Outcome{Applied: true})
		got := []byte(b.disk(name))
		if p.Status() != Verified || !bytes.HasPrefix(got, before) || !bytes.HasSuffix(got, behind) || !bytes.HasPrefix(data, before) ||
			!bytes.HasSuffix(data, behind) {
			t.Fatalf("%q with %+v became %q, and is %s", data, e, got, p.Status())
		}
		if !bytes.Contains(data, []byte("\ufffd")) && bytes.Contains(got, []byte("\ufffd")) {
			t.Fatalf("%q with %+v became %q", data, e, got)
		}
		if b.undo(p); b.disk(name) != string(data) {
			t.Fatalf("%q became %q by %+v, and %q undone", data, got, e, b.disk(name))
		}
		written++
	}
	if written < 30 {
		t.Errorf("only %d were written", written)
	}
	t.Logf("%d were written", written)
}
