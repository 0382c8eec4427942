package edits

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"ploke-lsp/internal/workspace"
)

// TestNoLinkLeadsAWriteAway replaces the folder of the changed files by a link to a folder
// outside, at any moment. The files outside must not change. Once the folder is back, all
// changes are made or none.
func TestNoLinkLeadsAWriteAway(t *testing.T) {
	b := newFixture(t, nil)
	outside := t.TempDir()
	ctx, stop := context.WithTimeout(t.Context(), 3*time.Second)
	defer stop()
	written, tried := 0, 0
	for ; ctx.Err() == nil; tried++ {
		in, link := fmt.Sprintf("%d/in", tried), fmt.Sprintf("%d/link", tried)
		for _, name := range []string{"a.txt", "b.txt"} {
			b.write(in+"/"+name, "one\n")
			if err := os.WriteFile(filepath.Join(outside, name), []byte("one\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Symlink(outside, b.path(link)); err != nil {
			t.Fatal(err)
		}
		p := b.stage("", Operation{Op: OpEdit, Path: in + "/a.txt", BaseHash: workspace.Hash([]byte("one\n")), Edits: []Edit{{0, 3, "two"}}},
			Operation{Op: OpDelete, Path: in + "/b.txt"}, Operation{Op: OpCreate, Path: in + "/new.txt", Text: "new\n"})
		plan := b.accept(p, Selection{})
		err := b.swapped(in, link, func() error { return b.WriteToDisk(t.Context(), plan) })
		if err == nil {
			written++
		}
		if got := list(t, outside); got != "a.txt=one\nb.txt=one\n" {
			t.Fatalf("outside is %q after %v", got, err)
		}
		outcome := Outcome{Applied: err == nil}
		if err != nil {
			outcome.Reason = err.Error()
		}
		if _, unsettled := b.Settle(t.Context(), plan, outcome); unsettled != nil && !plan.stuck {
			t.Fatalf("settling after %v: %v", err, unsettled)
		}
		if again := b.Recover(t.Context()); again != nil {
			t.Fatalf("recovering after %v: %v", err, again)
		}
		if got := list(t, b.path(in)); got != "a.txt=one\nb.txt=one\n" && got != "a.txt=two\nnew.txt=new\n" {
			t.Fatalf("inside is %q after %v", got, err)
		}
	}
	t.Logf("%d of %d were written", written, tried)
}

// list returns the files of a folder with their texts.
func list(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(e.Name() + "=" + string(data))
	}
	return b.String()
}

// swapped calls f, and exchanges two names once at a random moment while f runs.
func (b *fixture) swapped(x, y string, f func() error) error {
	b.t.Helper()
	swap := func() {
		if err := unix.Renameat2(unix.AT_FDCWD, b.path(x), unix.AT_FDCWD, b.path(y), unix.RENAME_EXCHANGE); err != nil {
			b.t.Error(err)
		}
	}
	var swapping sync.WaitGroup
	swapping.Go(func() {
		for range rand.IntN(30_000) {
			runtime.Gosched() // on purpose: an attacker is not slower than the write
		}
		swap()
	})
	err := f()
	swapping.Wait()
	swap()
	return err
}
