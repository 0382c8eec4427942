package edits

import (
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/workspace"
)

func TestStagingTouchesNoFile(t *testing.T) {
	b := newFixture(t, map[string]string{"a.go": "package a\n\nfunc One() {}\n"})
	p := b.stage("turn", b.replaceOnce("turn", "a.go", "One", "Two"))
	if got := b.disk("a.go"); got != "package a\n\nfunc One() {}\n" {
		t.Errorf("the file reads %q", got)
	}
	if p.Status() != Staged || len(p.Changes) != 1 || p.Changes[0].Path != b.path("a.go") {
		t.Errorf("proposal %+v", p)
	}
	h := p.Changes[0].Hunks[0]
	if h.ID == "" || h.StartLine != 3 || h.EndLine != 3 || h.Edit != (Edit{16, 19, "Two"}) {
		t.Errorf("hunk %+v", h)
	}
	if got := b.view("turn", "a.go"); got != "package a\n\nfunc Two() {}\n" {
		t.Errorf("the turn sees %q", got)
	}
	if got := b.view("another turn", "a.go"); !strings.Contains(got, "One") {
		t.Errorf("another turn sees %q", got)
	}
	if diff := cmp.Diff([]State{Staged}, b.changes); diff != "" {
		t.Errorf("OnChange: %s", diff)
	}
}

// TestDiffIsAPatch lets git apply the output of Diff. Git refuses wrong hunk headers, which
// some libraries write if a hunk has several changes.
func TestDiffIsAPatch(t *testing.T) {
	var lines []string
	for i := range 60 {
		lines = append(lines, fmt.Sprintf("line %d", i))
	}
	b := newFixture(t, map[string]string{"a.txt": strings.Join(lines, "\n"), "b.txt": "b"})
	p := b.stage("turn",
		b.replaceOnce("turn", "a.txt", "line 3\n", "three\n"), b.replaceOnce("turn", "a.txt", "line 6\n", ""),
		b.replaceOnce("turn", "a.txt", "line 40", "forty\nand more"), b.replaceOnce("turn", "a.txt", "line 59", "the end\n"),
		b.replaceOnce("turn", "b.txt", "b", "B"))
	diff, err := b.Preview.Diff(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	git := exec.Command("git", "apply", "--check", "--verbose", "-")
	git.Dir, git.Stdin = filepath.Dir(b.path("a.txt")), strings.NewReader(diff)
	if out, err := git.CombinedOutput(); err != nil || strings.Contains(string(out), "offset") {
		t.Errorf("git apply: %v\n%s\n%s", err, out, diff)
	}
}

func TestEditsOfATurnAmendOneProposal(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": "one\ntwo\nthree\n", "b.txt": "b\n"})
	first := b.stage("turn", b.replaceOnce("turn", "a.txt", "two\n", "two\nhello world\n"))
	b.stage("turn", b.replaceOnce("turn", "a.txt", "hello", "goodbye"), b.replaceOnce("turn", "b.txt", "b", "B"))
	p := b.stage("turn", b.replaceOnce("turn", "a.txt", "one", "ONE"))
	if p.ID != first.ID || len(p.Changes) != 2 {
		t.Fatalf("the turn has a second proposal, or %d changes", len(p.Changes))
	}
	hunks := p.Changes[0].Hunks
	if len(hunks) != 2 || hunks[1].ID != first.Changes[0].Hunks[0].ID {
		t.Errorf("hunks %+v; want the first one's id kept", hunks)
	}
	diff, err := b.Preview.Diff(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	want := `--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,4 @@
-one
+ONE
 two
+goodbye world
 three
--- a/b.txt
+++ b/b.txt
@@ -1,1 +1,1 @@
-b
+B
`
	if diff := cmp.Diff(want, diff); diff != "" {
		t.Error(diff)
	}
	b.apply(p, Selection{})
	if got := b.disk("a.txt"); got != "ONE\ntwo\ngoodbye world\nthree\n" {
		t.Errorf("a.txt reads %q", got)
	}
	next := b.stage("turn", b.replaceOnce("turn", "a.txt", "three", "3"))
	if next.ID == p.ID {
		t.Error("a decided change was amended")
	}
	apart := b.stage("", b.replaceOnce("", "b.txt", "B", "1"))
	if again := b.stage("", b.replaceOnce("", "b.txt", "B", "2")); again.ID == apart.ID {
		t.Error("batches without a turn share a proposal")
	}
}

func TestCreate(t *testing.T) {
	b := newFixture(t, map[string]string{"there.txt": "x"})
	b.stage("turn", Operation{Op: OpCreate, Path: "new/deep/a.txt", Text: "one\ntwo\n"})
	if got := b.view("turn", "new/deep/a.txt"); got != "one\ntwo\n" {
		t.Errorf("the turn sees %q", got)
	}
	p := b.stage("turn", b.replaceOnce("turn", "new/deep/a.txt", "two", "three"))
	if len(p.Changes) != 1 || p.Changes[0].Op != OpCreate || len(p.Changes[0].Hunks) != 1 {
		t.Fatalf("changes %+v", p.Changes)
	}
	for _, name := range []string{"new/deep/a.txt", "there.txt"} {
		if _, err := b.Staging.Stage(t.Context(), Batch{RequestID: "turn", Operations: []Operation{{Op: OpCreate, Path: name}}}); err == nil || !strings.Contains(err.Error(), "exists") {
			t.Errorf("creating %s again: %v", name, err)
		}
	}
	if diff, _ := b.Preview.Diff(t.Context(), p); !strings.HasPrefix(diff, "--- /dev/null\n+++ b/new/deep/a.txt\n") {
		t.Errorf("diff %q", diff)
	}
	if p := b.apply(p, Selection{}); p.Status() != Verified {
		t.Errorf("status %s", p.Status())
	}
	if got := b.disk("new/deep/a.txt"); got != "one\nthree\n" {
		t.Errorf("the file reads %q", got)
	}
	p = b.stage("other", Operation{Op: OpCreate, Path: "empty.txt"})
	if p := b.apply(p, Selection{}); p.Status() != Verified || b.disk("empty.txt") != "" {
		t.Errorf("an empty file: %s", p.Status())
	}
}

func TestStageRefuses(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": "one\ntwo\n", "b.txt": "b", ".env": "K=1", ".gitignore": "ignored\n", "ignored": "x"})
	hash := workspace.Hash([]byte("one\ntwo\n"))
	edit := func(path, hash string, es ...Edit) Operation {
		return Operation{Op: OpEdit, Path: path, BaseHash: hash, Edits: es}
	}
	fine := edit("b.txt", workspace.Hash([]byte("b")), Edit{0, 1, "B"})
	var overlap *OverlapError
	var stale *StaleError
	var outside *workspace.OutsideError
	var skipped *workspace.SkippedError
	tests := map[string]struct {
		ops []Operation
		as  any // the type of the error, or a part of its message
	}{
		"overlap in one operation":  {[]Operation{fine, edit("a.txt", hash, Edit{0, 3, "x"}, Edit{2, 4, "y"})}, &overlap},
		"overlap of two operations": {[]Operation{fine, edit("a.txt", hash, Edit{2, 4, "y"}), edit(b.path("a.txt"), hash, Edit{0, 3, "x"})}, &overlap},
		"another text":              {[]Operation{fine, edit("a.txt", workspace.Hash(nil), Edit{0, 3, "x"})}, &stale},
		"no hash":                   {[]Operation{fine, edit("a.txt", "", Edit{0, 3, "x"})}, &stale},
		"outside":                   {[]Operation{fine, {Op: OpCreate, Path: "../x"}}, &outside},
		"a secret":                  {[]Operation{fine, edit(".env", workspace.Hash([]byte("K=1")), Edit{0, 1, "x"})}, &skipped},
		"a new secret":              {[]Operation{fine, {Op: OpCreate, Path: "sub/.env"}}, &skipped},
		"an ignored file":           {[]Operation{fine, edit("ignored", workspace.Hash([]byte("x")), Edit{0, 1, ""})}, &skipped},
		"a missing file":            {[]Operation{fine, edit("none.txt", hash, Edit{0, 0, "x"})}, "create it"},
		"outside of the text":       {[]Operation{fine, edit("a.txt", hash, Edit{5, 99, "x"})}, "99"},
		"nothing":                   {nil, "nothing"},
		"no edits":                  {[]Operation{fine, edit("a.txt", hash)}, "nothing to change"},
		"two texts for one file":    {[]Operation{{Op: OpCreate, Path: "n"}, {Op: OpCreate, Path: "n"}}, "one operation"},
		"an unknown operation":      {[]Operation{fine, {Op: "move", Path: "a.txt"}}, "move"},
	}
	for name, tt := range tests {
		_, err := b.Staging.Stage(t.Context(), Batch{RequestID: "turn", Operations: tt.ops})
		part, isText := tt.as.(string)
		if err == nil || isText && !strings.Contains(err.Error(), part) || !isText && !errors.As(err, tt.as) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if overlap.Rel != "a.txt" {
		t.Errorf("the overlap is reported in %q", overlap.Rel)
	}
	if all, err := b.Proposals.List(t.Context(), ""); err != nil || len(all) != 0 || len(b.changes) != 0 {
		t.Errorf("%d proposals, %v, %v; want nothing staged when one operation fails", len(all), err, b.changes)
	}
}

func TestLineEndsAndByteOrderMark(t *testing.T) {
	const bom = workspace.ByteOrderMark
	tests := map[string]struct{ before, old, new, after string }{
		"CRLF is kept":             {"a\r\nb\r\n", "b", "c\nd", "a\r\nc\r\nd\r\n"},
		"CRLF is not doubled":      {"a\r\nb\r\n", "b", "c\r\nd", "a\r\nc\r\nd\r\n"},
		"LF is kept":               {"a\nb\n", "b", "c\nd", "a\nc\nd\n"},
		"mixed ends are left so":   {"a\r\nb\nc\n", "b", "x\ny", "a\r\nx\ny\nc\n"},
		"most ends are CRLF":       {"a\r\nb\r\nc\nd\r\n", "b", "x\ny", "a\r\nx\r\ny\r\nc\nd\r\n"},
		"most ends are LF":         {"a\r\nb\nc\nd\n", "b", "x\r\ny", "a\r\nx\ny\nc\nd\n"},
		"LF gets no CRLF":          {"a\nb\n", "b", "x\r\ny", "a\nx\ny\n"},
		"old Macs":                 {"a\rb\rc\n", "b", "x\ny", "a\rx\ry\rc\n"},
		"those that are replaced":  {"a\r\nb\nc\nd\r\ne\r\n", "b\nc\n", "x\ny\nz\n", "a\r\nx\ny\nz\nd\r\ne\r\n"},
		"line by line":             {"a\r\nb\nc\r\n", "a\r\nb\nc\r\n", "x\nb\ny\n", "x\r\nb\ny\r\n"},
		"lines that stay":          {"a\r\nb\nc\r\nd\n", "a\r\nb\nc\r\nd\n", "a\nb\nx\ny\nd\n", "a\r\nb\nx\ny\nd\n"},
		"a lone carriage return":   {"a\nb\n", "b", "x\ry", "a\nx\ry\n"},
		"no ends to go by":         {"ab", "b", "x\r\ny", "ax\r\ny"},
		"the mark is kept":         {bom + "a\nb\n", "a", "x", bom + "x\nb\n"},
		"mark and CRLF":            {bom + "a\r\nb\r\n", "b\r\n", "", bom + "a\r\n"},
		"no end of line, at last":  {"a\nb", "b", "c", "a\nc"},
		"bytes that are not UTF-8": {"caf\xe9\nb\n", "b", "c", "caf\xe9\nc\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := newFixture(t, map[string]string{"f.txt": tt.before})
			mode := b.chmod("f.txt", 0o750)
			p := b.stage("turn", b.replaceOnce("turn", "f.txt", tt.old, tt.new))
			if p := b.apply(p, Selection{}); p.Status() != Verified {
				t.Errorf("status %s", p.Status())
			}
			if got := b.disk("f.txt"); got != tt.after {
				t.Errorf("the file reads %q; want %q", got, tt.after)
			}
			if now := b.mode("f.txt"); now != mode {
				t.Errorf("mode %v", now)
			}
		})
	}
}

func TestOnlyNewProblemsAreReported(t *testing.T) {
	b := newFixture(t, map[string]string{"good.go": "package a\n\nfunc A() { _ = 1 }\n", "bad.go": "package a\n\nfunc B() { _ = ( }\n\nfunc C() { _ = 2 }\n"})
	p := b.stage("1", b.replaceOnce("1", "good.go", "_ = 1 }", "_ = 1"))
	if n := len(p.Changes[0].Problems); n == 0 {
		t.Error("a missing brace is not reported")
	}
	p = b.stage("1", b.replaceOnce("1", "good.go", "_ = 1", "_ = 2 }"))
	if got := p.Changes[0].Problems; len(got) != 0 {
		t.Errorf("after it was fixed: %+v", got)
	}
	p = b.stage("2", b.replaceOnce("2", "bad.go", "2", "3"))
	if got := p.Changes[0].Problems; len(got) != 0 {
		t.Errorf("an old error is reported: %+v", got)
	}
}

func TestTheUserTypesDuringATurn(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": "one\ntwo\nthree\nfour\n", "b.txt": "b\n"})
	p := b.stage("turn", b.replaceOnce("turn", "a.txt", "three", "THREE"))
	b.ws.SetBuffer(b.path("a.txt"), 4, []byte("zero\none\ntwo\nthree\nfour\n"))
	if got := b.view("turn", "a.txt"); got != "zero\none\ntwo\nTHREE\nfour\n" {
		t.Errorf("the staged edit does not move along: %q", got)
	}
	again := b.stage("turn", b.replaceOnce("turn", "a.txt", "zero", "ZERO"))
	if again.ID != p.ID || *again.Changes[0].BaseVersion != 4 {
		t.Errorf("changes %+v", again.Changes)
	}
	b.ws.SetBuffer(b.path("a.txt"), 5, []byte("zero\none\ntwo\n3\nfour\n"))
	if got := b.view("turn", "a.txt"); got != "zero\none\ntwo\n3\nfour\n" {
		t.Errorf("if both changed the same line, the user's text wins; got %q", got)
	}
	next := b.stage("turn", b.replaceOnce("turn", "a.txt", "3", "drei"))
	if next.ID == p.ID || next.Status() != Staged {
		t.Error("the turn continues with the stale proposal")
	}
	var states []State
	for _, h := range b.get(p).Changes[0].Hunks {
		states = append(states, h.State)
	}
	if diff := cmp.Diff([]State{Staged, Stale}, states); diff != "" {
		t.Errorf("the first proposal: %s", diff)
	}
}

func TestViewOfWhatIsNotStaged(t *testing.T) {
	b := newFixture(t, map[string]string{"a.txt": "x"})
	b.stage("turn", Operation{Op: OpCreate, Path: "n.txt", Text: "mine"})
	v := b.Staging.View(Turn{ID: "turn"})
	if _, err := v.Read(t.Context(), b.path("missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	var outside *workspace.OutsideError
	if _, err := v.Read(t.Context(), filepath.Join(t.TempDir(), "passwd")); !errors.As(err, &outside) {
		t.Errorf("outside: %v", err)
	}
	b.write("n.txt", "theirs")
	if got := b.view("turn", "n.txt"); got != "theirs" {
		t.Errorf("a file that somebody else created meanwhile reads %q", got)
	}
}

// TestATitleThatNamesFilesFollowsTheProposal stages nine files one by one, without and with a reason.
func TestATitleThatNamesFilesFollowsTheProposal(t *testing.T) {
	for _, named := range []bool{true, false} {
		b := newFixture(t, nil)
		var p *Proposal
		for n := range 9 {
			name, err := fmt.Sprintf("%d.txt", n), error(nil)
			p, err = b.Staging.Stage(t.Context(), Batch{RequestID: "turn", Title: "creating " + name, NamesFiles: named,
				Operations: []Operation{{Op: OpCreate, Path: name, Text: name}}})
			if err != nil {
				t.Fatal(err)
			}
			if n == 4 {
				b.start()
			}
		}
		if want := map[bool]string{true: "changes to 0.txt and 8 more files", false: "creating 0.txt"}[named]; p.Title != want || b.get(p).Title != want {
			t.Errorf("the title is %q, want %q", p.Title, want)
		}
	}
}

// TestATitleNamesWhatIsLeft takes back, renames and decides on files of a proposal whose title names them.
func TestATitleNamesWhatIsLeft(t *testing.T) {
	create := func(name string) Operation { return Operation{Op: OpCreate, Path: name, Text: name} }
	remove := func(name string) Operation { return Operation{Op: OpDelete, Path: name} }
	rename := func(name, to string) Operation { return Operation{Op: OpRename, Path: name, To: to} }
	reword := func(name string) Operation {
		return Operation{Op: OpEdit, Path: name, BaseHash: workspace.Hash([]byte(name)), Edits: []Edit{{0, len(name), "again"}}}
	}
	for name, tt := range map[string]struct {
		batches [][]Operation
		want    string
	}{
		"one":                         {[][]Operation{{create("0")}}, "first"},
		"one, twice":                  {[][]Operation{{create("0")}, {reword("0")}}, "first"},
		"two at once":                 {[][]Operation{{create("0"), create("1")}}, "changes to 0 and 1 more file"},
		"without the second":          {[][]Operation{{create("0")}, {create("1")}, {remove("1")}}, "changes to 0"},
		"without the first":           {[][]Operation{{create("0")}, {create("1")}, {remove("0")}}, "changes to 1"},
		"another instead":             {[][]Operation{{create("0")}, {remove("0"), create("1")}}, "changes to 1"},
		"renamed":                     {[][]Operation{{create("0")}, {rename("0", "9")}}, "changes to 9"},
		"renamed, of two":             {[][]Operation{{create("0"), create("1")}, {rename("0", "9")}}, "changes to 9 and 1 more file"},
		"three without the first":     {[][]Operation{{create("0"), create("1"), create("2")}, {remove("0")}}, "changes to 1 and 1 more file"},
		"three without the last":      {[][]Operation{{create("0"), create("1"), create("2")}, {remove("2")}}, "changes to 0 and 1 more file"},
		"three without two":           {[][]Operation{{create("0"), create("1"), create("2")}, {remove("0"), remove("1")}}, "changes to 2"},
		"three without two, and more": {[][]Operation{{create("0"), create("1"), create("2")}, {remove("0"), remove("1")}, {create("3")}}, "changes to 2 and 1 more file"},
		"all":                         {[][]Operation{{create("0"), create("1")}, {remove("0"), remove("1")}}, "changes to 0 and 1 more file"},
		"all, one after the other":    {[][]Operation{{create("0"), create("1")}, {remove("0")}, {remove("1")}}, "changes to 1"},
	} {
		for _, restarted := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, restarted %v", name, restarted), func(t *testing.T) {
				b := newFixture(t, nil)
				var p *Proposal
				for i, operations := range tt.batches {
					var err error
					p, err = b.Staging.Stage(t.Context(), Batch{RequestID: "turn", Title: map[bool]string{true: "first", false: "later"}[i == 0],
						NamesFiles: true, Operations: operations})
					if err != nil {
						t.Fatal(err)
					}
					if restarted {
						b.start()
					}
				}
				if p.Title != tt.want || b.get(p).Title != tt.want {
					t.Errorf("the title is %q, want %q", p.Title, tt.want)
				}
			})
		}
	}
}

// TestATitleCountsAFileOnce has a file of which a part was decided on, before the proposal goes on.
func TestATitleCountsAFileOnce(t *testing.T) {
	for _, decide := range []string{"accept", "reject"} {
		b := newFixture(t, map[string]string{"a.txt": "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"})
		stage := func(operations ...Operation) *Proposal {
			p, err := b.Staging.Stage(t.Context(), Batch{RequestID: "turn", Title: "title", NamesFiles: true, Operations: operations})
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		p := stage(b.replaceOnce("turn", "a.txt", "one", "1"), b.replaceOnce("turn", "a.txt", "seven", "7"))
		part := Selection{Hunks: []string{p.Changes[0].Hunks[0].ID}}
		if decide == "accept" {
			b.apply(p, part)
		} else {
			d := p.Whole()
			d.Selection = part
			if _, err := b.Reject(t.Context(), d, ""); err != nil {
				t.Fatal(err)
			}
		}
		if p = stage(b.replaceOnce("turn", "a.txt", "7\n", "8\n")); p.Title != "title" {
			t.Errorf("%s: the title is %q", decide, p.Title)
		}
		if p = stage(Operation{Op: OpCreate, Path: "b.txt", Text: "b"}); p.Title != "changes to a.txt and 1 more file" {
			t.Errorf("%s: the title is %q", decide, p.Title)
		}
	}
}
