package edits

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/testbed"
)

// viewOf returns the first change of p with its texts.
func (b *fixture) viewOf(p *Proposal) FileView {
	b.t.Helper()
	views, err := b.Preview.Files(b.t.Context(), p)
	if err != nil {
		b.t.Fatal(err)
	}
	return views[0]
}

// body returns the lines of the blocks of a patch.
func (p *Patch) body() (lines []string) {
	for _, b := range p.Blocks {
		lines = append(lines, strings.Split(strings.TrimSuffix(b.Text, "\n"), "\n")...)
	}
	return lines
}

// TestAnEditedPatch changes lines of a patch and reads it.
func TestAnEditedPatch(t *testing.T) {
	for name, tt := range map[string]struct {
		old, new string // replaced in the patch
		after    string // the file
		problem  string // "line: part of the reason"
	}{
		"nothing":                        {"", "", "1\ntwo\nand a half\n3\n4\nsix\n7\n8\n9\n", ""},
		"another word":                   {"+two", "+zwei", "1\nzwei\nand a half\n3\n4\nsix\n7\n8\n9\n", ""},
		"one more line":                  {"+six", "+six\n+\n+and a half", "1\ntwo\nand a half\n3\n4\nsix\n\nand a half\n7\n8\n9\n", ""},
		"one line less":                  {"+and a half\n", "", "1\ntwo\n3\n4\nsix\n7\n8\n9\n", ""},
		"a line that stays":              {"-5\n", " 5\n", "1\ntwo\nand a half\n3\n4\n5\nsix\n7\n8\n9\n", ""},
		"a line less that is removed":    {" 7\n", "-7\n", "1\ntwo\nand a half\n3\n4\nsix\n8\n9\n", ""},
		"white space that was trimmed":   {" 1\n", " 1  \n", "1\ntwo\nand a half\n3\n4\nsix\n7\n8\n9\n", ""},
		"numbers that are wrong":         {"@@ -1,4 +1,5 @@", "@@ -1 +77 @@", "1\ntwo\nand a half\n3\n4\nsix\n7\n8\n9\n", ""},
		"context that was changed":       {" 1\n", " 1!\n", "", `1: line 1 of the file is "1"`},
		"a removed line that was edited": {"\n-5", "\n-five", "", `8: line 5 of the file is "5"`},
		"no sign":                        {"+six", "six", "", "10: each line must begin with"},
		"no block":                       {"@@ -1,4 +1,5 @@", "1,4", "", "0: a block must begin"},
		"a block in another":             {"@@ -5,5 +6,4 @@", "@@ -3,5 +6,4 @@", "", "7: the block begins at line 3"},
		"a block outside":                {"@@ -5,5 +6,4 @@", "@@ -50,5 +6,4 @@", "", "7: the block begins at line 50"},
		"a number that is none":          {"@@ -5,5 +6,4 @@", "@@ -99999999999999999999,5 +6,4 @@", "", "is not a line"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newFixture(t, map[string]string{"a.txt": lines})
			b.stage("turn", b.replaceOnce("turn", "a.txt", "2\n", "two\nand a half\n"))
			b.stage("turn", b.replaceOnce("turn", "a.txt", "5\n", ""))
			v := b.viewOf(b.stage("turn", b.replaceOnce("turn", "a.txt", "6", "six")))
			p := v.Patch()
			if len(p.Blocks) != 2 || len(p.Blocks[0].Hunks) != 1 || len(p.Blocks[1].Hunks) != 2 {
				t.Fatalf("the blocks are %+v", p.Blocks)
			}
			text := strings.Join(p.body(), "\n")
			if !strings.Contains(text, tt.old) {
				t.Fatalf("the patch is\n%s", text)
			}
			after, err := p.Edited(strings.Split(strings.Replace(text, tt.old, tt.new, 1), "\n"))
			var problem *PatchError
			if errors.As(err, &problem); tt.problem != "" {
				if problem == nil || !strings.Contains(fmt.Sprintf("%d: %s", problem.Line, problem.Reason), tt.problem) {
					t.Errorf("the error is %v; want %s", err, tt.problem)
				}
				return
			}
			if d := cmp.Diff(tt.after, after); d != "" || err != nil {
				t.Errorf("%v\n%s", err, d)
			}
		})
	}
}

// TestABlockThatIsGone changes nothing in its place.
func TestABlockThatIsGone(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": lines})
	b.stage("turn", b.replaceOnce("turn", "a.txt", "2", "two"))
	v := b.viewOf(b.stage("turn", b.replaceOnce("turn", "a.txt", "8", "eight")))
	p := v.Patch()
	p.Blocks = p.Blocks[1:]
	if after, err := v.Patch().Edited(p.body()); err != nil || after != strings.Replace(lines, "8", "eight", 1) {
		t.Errorf("%q, %v", after, err)
	}
}

// TestPropertyPatch makes patches of random edits. git must accept them, and reading one without a
// change must give each byte of the new text.
func TestPropertyPatch(t *testing.T) {
	b := newFixture(t, nil)
	for seed := range uint64(testbed.Count(100, 20)) {
		r := newRandom(seed)
		_, data := r.file()
		name := fmt.Sprintf("%d.txt", seed)
		b.write(name, data)
		text := []byte(b.view("", name))
		es := r.edits(text, 1+r.IntN(6))
		if len(es) == 0 {
			continue
		}
		f, err := b.ws.Read(t.Context(), b.path(name))
		if err != nil {
			t.Fatal(err)
		}
		p := b.stage(name, Operation{Op: OpEdit, Path: name, BaseHash: f.Hash, Edits: es})
		v := b.viewOf(p)
		patch := v.Patch()
		after, err := patch.Edited(patch.body())
		if len(patch.Blocks) == 0 || err != nil || after != v.After {
			t.Fatalf("seed %d: %v\n%q\nbecomes\n%q\nwant\n%q\n%s", seed, err, v.Before, after, v.After, patch)
		}
		var ids []string
		for _, b := range patch.Blocks {
			ids = append(ids, b.Hunks...)
		}
		if d := cmp.Diff(idsOf(v.Hunks), ids); d != "" {
			t.Fatalf("seed %d: the blocks have other hunks: %s", seed, d)
		}
		if f.BOM || f.Charset != "" {
			continue // git sees other bytes
		}
		git := exec.Command("git", "apply", "--check", "--whitespace=nowarn", "-")
		git.Dir, git.Stdin = b.dir, strings.NewReader(patch.String())
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("seed %d: git apply: %v\n%s\n%s", seed, err, out, patch)
		}
	}
}

// FuzzEditedPatch reads patches that were edited in any way. It must end, and what it makes of the
// file must be the same if it is read again.
func FuzzEditedPatch(f *testing.F) {
	f.Add("a\nb\nc\n", "@@ -1,2 +1,2 @@\n-a\n+x\n b")
	f.Add("", "@@ -0,0 +1 @@\n+x\n\\ No newline at end of file")
	f.Add("a", "@@ -2,0 +2 @@\n+x")
	f.Fuzz(func(t *testing.T, base, edited string) {
		p := &Patch{base: []byte(base)}
		lines := strings.Split(edited, "\n")
		after, err := p.Edited(lines)
		again, errAgain := p.Edited(lines)
		if after != again || (err == nil) != (errAgain == nil) {
			t.Errorf("%q, %v; then %q, %v", after, err, again, errAgain)
		}
		var problem *PatchError
		if errors.As(err, &problem) && (problem.Line < 0 || problem.Line >= len(lines)) {
			t.Errorf("the error is at line %d of %d", problem.Line, len(lines))
		}
	})
}

// TestAnEditedPatchOfCRLF edits a patch that an editor shows with its own line ends.
func TestAnEditedPatchOfCRLF(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": strings.ReplaceAll(lines, "\n", "\r\n")})
	v := b.viewOf(b.stage("turn", b.replaceOnce("turn", "a.txt", "5", "five")))
	text := unixLineEnds(v.Patch().String())
	text = strings.Replace(text[strings.Index(text, "@@"):], "+five\n", "+five\n+and more\n", 1)
	after, err := v.Patch().Edited(strings.Split(strings.TrimSuffix(text, "\n"), "\n"))
	if want := strings.ReplaceAll(strings.Replace(lines, "5\n", "five\nand more\n", 1), "\n", "\r\n"); err != nil || after != want {
		t.Errorf("%q, %v", after, err)
	}
}
