package edits

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAProposalAsNewCode shows the new code of changes of each kind, under the names and lines
// that it will have.
func TestAProposalAsNewCode(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": lines, "gone.txt": "x\n", "old.txt": "1\n2\n3\n", "last.txt": "1\n2"})
	b.stage("turn", b.replaceOnce("turn", "a.txt", "2\n", "two\nand a half\n"))
	b.stage("turn", b.replaceOnce("turn", "a.txt", "4\n5\n", ""))
	b.stage("turn", b.replaceOnce("turn", "a.txt", "7", "seven"))
	b.stage("turn", b.replaceOnce("turn", "a.txt", "8", "eight"))
	b.stage("turn", Operation{Op: OpCreate, Path: "new.txt", Text: "a\nb\n"})
	b.stage("turn", Operation{Op: OpDelete, Path: "gone.txt"})
	b.stage("turn", Operation{Op: OpRename, Path: "old.txt", To: "dir/new.txt"})
	b.stage("turn", b.replaceOnce("turn", "dir/new.txt", "3\n", "3\nfour\n"))
	p := b.stage("turn", b.replaceOnce("turn", "last.txt", "2", "two"))
	got, err := b.Preview.NewCode(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	want := `a.txt:2-3
two
and a half

a.txt:5: 2 lines are removed
a.txt:6-7
seven
eight

new.txt:1-2
a
b

gone.txt: the file is deleted
old.txt: the file is renamed to dir/new.txt
dir/new.txt:3-4
3
four

last.txt:2
two

`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
