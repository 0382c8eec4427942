package edits

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"ploke-lsp/edits/rooted"
)

// TestAnAppendWhileAFileIsReplacedIsNotLost lets another program append to a file that it opened
// before: after the last check of the file, and after everything was written. The change is
// reported for that file, and all files are as before.
func TestAnAppendWhileAFileIsReplacedIsNotLost(t *testing.T) {
	for name, op := range map[string]func(b *fixture) Operation{
		"edited":     func(b *fixture) Operation { return b.replaceOnce("", "m.txt", "2", "two") },
		"shortened":  func(b *fixture) Operation { return b.replaceOnce("", "m.txt", "2\n", "") },
		"renamed":    func(*fixture) Operation { return Operation{Op: OpRename, Path: "m.txt", To: "moved.txt"} },
		"deleted":    func(*fixture) Operation { return Operation{Op: OpDelete, Path: "m.txt"} },
		"both":       nil,
		"linked":     func(b *fixture) Operation { return b.replaceOnce("", "m.txt", "2", "two") },
		"linked too": func(b *fixture) Operation { return b.replaceOnce("", "m.txt", "2\n", "") },
	} {
		for _, moment := range []string{"m.txt", ""} {
			if strings.HasPrefix(name, "linked") && moment == "" {
				continue // the file itself is written, so the append is in the new text
			}
			t.Run(name+", at "+moment, func(t *testing.T) {
				b := newFixture(t, map[string]string{"a.txt": "a\n", "m.txt": lines, "z.txt": "z\n"})
				if strings.HasPrefix(name, "linked") {
					if err := os.Link(b.path("m.txt"), t.TempDir()+"/other"); err != nil {
						t.Fatal(err)
					}
				}
				b.stage("turn", b.replaceOnce("turn", "a.txt", "a", "A"))
				if op == nil {
					b.stage("turn", Operation{Op: OpRename, Path: "m.txt", To: "moved.txt"})
					b.stage("turn", b.replaceOnce("turn", "moved.txt", "2", "two"))
				} else {
					b.stage("turn", op(b))
				}
				p := b.stage("turn", b.replaceOnce("turn", "z.txt", "z", "Z"))
				plan := b.accept(p, Selection{})
				old, err := os.OpenFile(b.path("m.txt"), os.O_APPEND|os.O_WRONLY, 0)
				if err != nil {
					t.Fatal(err)
				}
				defer old.Close()
				b.writer.onReplace = func(file rooted.Path, checked bool) {
					if file.Name == moment && checked {
						if _, err := old.WriteString("theirs\n"); err != nil {
							t.Error(err)
						}
					}
				}
				err = b.WriteToDisk(t.Context(), plan)
				var stale *StaleError
				if !errors.As(err, &stale) || stale.Path != b.path("m.txt") {
					t.Errorf("WriteToDisk: %v", err)
				}
				b.checkNothingLeft()
				if b.disk("a.txt") != "a\n" || b.disk("m.txt") != lines+"theirs\n" || b.disk("z.txt") != "z\n" || b.exists("moved.txt") {
					t.Errorf("the folder is\n%s", b.tree())
				}
				if p = b.settle(plan, Outcome{Reason: fmt.Sprint(err)}); p.Status() != Failed {
					t.Errorf("it is %s", p.Status())
				}
				b.writer.onReplace = func(rooted.Path, bool) {}
				if name == "deleted" {
					return // nobody has seen what would be deleted now
				}
				if p = b.apply(p, Selection{}); p.Status() != Verified {
					t.Errorf("accepted again: %s", p.Status())
				}
			})
		}
	}
}

// TestAnAppendAndACrash kills the writer after another program appended to a file that was just
// replaced. The next start brings it back.
func TestAnAppendAndACrash(t *testing.T) {
	for _, upTo := range []phase{committing, written} {
		b := newFixture(t, everythingFiles())
		p := stageEverything(b)
		var open []*os.File
		for _, name := range []string{"a.txt", "m.txt", "z.txt"} {
			f, err := os.OpenFile(b.path(name), os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			open = append(open, f)
		}
		old := b.files()
		b.crashAt(b.accept(p, Selection{}), upTo, 4, false)
		for _, f := range open {
			if _, err := f.WriteString("theirs\n"); err != nil {
				t.Fatal(err)
			}
		}
		b.start()
		if err := b.Recover(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.checkNothingLeft()
		for path, text := range b.files() {
			if want := old[path] + "theirs\n"; text != want && !strings.HasSuffix(path, "bystander.txt") {
				t.Errorf("%s: %s has %q; want %q", upTo, path, text, want)
			}
		}
		if got := b.get(p).Status(); got != Failed || len(b.files()) != len(old) {
			t.Errorf("%s: it is %s\n%s", upTo, got, b.tree())
		}
	}
}

// TestACrashWhileAFileIsWrittenInPlace leaves a file that has several names half written.
func TestACrashWhileAFileIsWrittenInPlace(t *testing.T) {
	longer := strings.Repeat("a long line\n", 10)
	for name, tt := range map[string]struct {
		new, torn string
		foreign   bool // somebody else has changed the file
	}{
		"untouched":            {longer, lines, false},
		"half of it":           {longer, longer[:5] + lines[5:], false},
		"all but the end":      {longer, longer[:len(longer)-7], false},
		"grown, but not yet":   {longer, longer[:40] + strings.Repeat("\x00", 50), false},
		"the beginning is old": {longer, lines[:3] + longer[3:], false},
		"shorter, half of it":  {"x\n", "x" + lines[1:], false},
		"shorter, all but cut": {"x\n", "x\n" + lines[2:], false},
		"somebody's":           {longer, "theirs\n", true},
		"somebody's end":       {longer, longer + "theirs\n", true},
	} {
		for _, back := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, back %v", name, back), func(t *testing.T) {
				b := newFixture(t, map[string]string{"a.txt": "a\n", "m.txt": lines})
				other := t.TempDir() + "/other"
				if err := os.Link(b.path("m.txt"), other); err != nil {
					t.Fatal(err)
				}
				b.stage("turn", b.replaceOnce("turn", "m.txt", lines, tt.new))
				p := b.stage("turn", b.replaceOnce("turn", "a.txt", "a", "A"))
				b.crashAt(b.accept(p, Selection{}), committing, 0, false)
				if err := os.WriteFile(other, []byte(tt.torn), 0o644); err != nil { // the same file
					t.Fatal(err)
				}
				if back {
					b.write("a.txt", "theirs\n")
				}
				b.start()
				if err := b.Recover(t.Context()); err != nil {
					t.Fatal(err)
				}
				b.checkNothingLeft()
				want := tt.new
				if back {
					want = lines
				}
				if tt.foreign {
					want = tt.torn
				}
				x, _ := os.Stat(b.path("m.txt"))
				y, err := os.Stat(other)
				if err != nil || !os.SameFile(x, y) || b.disk("m.txt") != want {
					t.Errorf("it has %q; want %q, %v", b.disk("m.txt"), want, err)
				}
				if done := b.disk("a.txt") == "A\n"; done != (!back && !tt.foreign) {
					t.Errorf("the other file has %q", b.disk("a.txt"))
				}
			})
		}
	}
}
