package edits

import (
	"errors"
	"os"
	"strings"
	"testing"

	"ploke-lsp/edits/rooted"
	"ploke-lsp/internal/disk"
)

// TestAFileThatAnotherProgramHasOpen holds one of two files open, from before the change is written
// or from the last moment. The change is refused with the file's name, neither file changes, and
// no temporary file stays.
func TestAFileThatAnotherProgramHasOpen(t *testing.T) {
	for _, from := range []string{"before", "the last moment"} {
		t.Run(from, func(t *testing.T) {
			b := newFixture(t, map[string]string{"a.txt": "a\n", "z.txt": "z\n"})
			p := b.stage("turn", b.replaceOnce("turn", "a.txt", "a", "A"), b.replaceOnce("turn", "z.txt", "z", "Z"))
			plan := b.accept(p, Selection{})
			var holder *os.File
			hold := func() {
				var err error
				if holder, err = os.Open(b.path("z.txt")); err != nil {
					t.Fatal(err)
				}
			}
			if from == "before" {
				hold()
			} else {
				b.writer.onReplace = func(p rooted.Path, last bool) {
					if p.Name == "z.txt" && last && holder == nil {
						hold()
					}
				}
			}
			var busy *disk.BusyError
			err := b.WriteToDisk(t.Context(), plan)
			if !errors.As(err, &busy) || !strings.Contains(err.Error(), "z.txt is open in another program") {
				t.Errorf("WriteToDisk: %v", err)
			}
			if a, z := b.disk("a.txt"), b.disk("z.txt"); a != "a\n" || z != "z\n" {
				t.Errorf("the files have %q and %q", a, z)
			}
			holder.Close()
			b.settle(plan, Outcome{Reason: "it is open"})
			if err := b.Recover(t.Context()); err != nil {
				t.Error(err)
			}
			b.checkNothingLeft()
			b.writer.onReplace = func(rooted.Path, bool) {}
			if p = b.apply(p, Selection{}); p.Status() != Verified || b.disk("z.txt") != "Z\n" {
				t.Errorf("once it is closed, the proposal is %s", p.Status())
			}
		})
	}
}
