package history

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"ploke-lsp/internal/process"
	"ploke-lsp/internal/testbed"
)

// setBounds sets what git may take in this test.
func setBounds(t *testing.T, b process.Bounds) {
	before := bounds
	bounds = b
	t.Cleanup(func() { bounds = before })
}

// TestATreeOfManyFilesIsGivenUp reads a commit whose few objects stand for 10,000,000,000 files.
func TestATreeOfManyFilesIsGivenUp(t *testing.T) {
	r := newRepository(t)
	r.write("x", "blob")
	entry := "100644 blob " + strings.TrimSpace(r.git("hash-object", "-w", "blob"))
	for range 10 {
		var entries strings.Builder
		for n := range 10 {
			fmt.Fprintf(&entries, "%s\t%d\n", entry, n)
		}
		r.write(entries.String(), "entries")
		entry = "040000 tree " + strings.TrimSpace(r.git("-c", "alias.make=!cd $PWD/${GIT_PREFIX:-.} && git mktree <entries", "make"))
	}
	commit := strings.TrimSpace(r.git("commit-tree", "-m", "Many", strings.Fields(entry)[2]))
	r.git("update-ref", "HEAD", commit)
	for name, b := range map[string]process.Bounds{
		"time":   {Time: 100 * time.Millisecond, Output: 1 << 40, Memory: 1 << 40},
		"memory": {Time: time.Minute, Output: 1 << 40, Memory: 24 << 20},
	} {
		if name == "memory" && runtime.GOOS != "linux" {
			continue
		}
		setBounds(t, b)
		var limit *process.LimitError
		if _, err := Read(t.Context(), r.dir, []string{commit}); !errors.As(err, &limit) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestALongMessageCostsLittle reads a commit whose subject is long.
func TestALongMessageCostsLittle(t *testing.T) {
	r := newRepository(t)
	const size = 8 << 20
	r.write(strings.Repeat("word ", size/5), "message")
	r.git("commit", "--quiet", "--allow-empty", "--file", "message")
	r.commit("Next", "a.go")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	commits := read(t, r.dir)
	runtime.ReadMemStats(&after)
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > size/4 {
		t.Errorf("%d bytes were allocated for a message of %d", bytes, size)
	}
	if len(commits) != 2 || len(commits[1].Subject) != maxPart || commits[0].Subject != "Next" {
		t.Errorf("%d commits", len(commits))
	}
}

// TestWhatIsKeptIsBounded parses commits with long paths, of which one is endless.
func TestWhatIsKeptIsBounded(t *testing.T) {
	in, out := io.Pipe()
	go func() {
		long := strings.Repeat("p", maxPart+100)
		for n := range 100 {
			fmt.Fprintf(out, "%s%d\x00Subject\x00", header, n)
			for range maxFiles {
				fmt.Fprintf(out, "M\x00%s\x00", long)
			}
		}
		out.CloseWithError(io.ErrUnexpectedEOF)
	}()
	p := newParser(in, "")
	kept := 0
	commits := p.commits()
	for _, c := range commits {
		for _, path := range c.Files {
			kept += len(path)
		}
	}
	if kept > maxKept || kept < maxKept/2 || len(commits) != 100 || !errors.Is(p.err, io.ErrUnexpectedEOF) {
		t.Errorf("%d commits with paths of %d bytes, %v", len(commits), kept, p.err)
	}
}

// TestAPipeInARepositoryIsGivenUp has a pipe in the place of each of git's files.
func TestAPipeInARepositoryIsGivenUp(t *testing.T) {
	for _, name := range []string{"HEAD", "config", "refs/heads/main", "packed-refs"} {
		r := newRepository(t)
		r.commit("First", "a.go")
		path := filepath.Join(r.dir, ".git", name)
		_ = os.Remove(path)
		testbed.Need(t, "named pipes in folders", testbed.NamedPipe(path))
		setBounds(t, process.Bounds{Time: 100 * time.Millisecond, Output: 1 << 20, Memory: 1 << 30})
		var limit *process.LimitError
		if ids, err := List(context.WithoutCancel(t.Context()), r.dir); err == nil && len(ids) > 0 || err != nil && !errors.As(err, &limit) {
			t.Errorf("%s: %q, %v", name, ids, err)
		}
	}
}
