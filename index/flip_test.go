package index_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/index"
	"ploke-lsp/internal/testbed"
)

// cache is a project with everything that an index folder can hold: symbols, postings,
// commits and vectors.
type cache struct {
	*project
	embedder *embedder
	files    map[string][]byte // of the closed index, by name
	notices  []string
	want     string // answers
}

func newCache(t *testing.T) *cache {
	t.Helper()
	files := map[string]string{}
	for rel, text := range sample {
		files[rel] = text
	}
	for n := range 12 {
		files[fmt.Sprintf("lib/part%d.go",
			n)] = fmt.Sprintf("package lib\n\n// Part%d halts the server.\nfunc Part%d() { Shutdown(); Part%d() }\n%s", n, n, (n+1)%12,
			strings.Repeat(fmt.Sprintf("// word%d filler%d\n", n, n*n), 20))
	}
	var large strings.Builder // whose symbols take several pages
	for n := range 150 {
		fmt.Fprintf(&large, "\n// Large%d is large.\nfunc Large%d() { Large%d() }\n", n, n, n+1)
	}
	files["lib/large.go"] = "package lib\n" + large.String()
	p := open(t, files)
	for _, args := range [][]string{{"init", "--quiet"}, {"add", "."}, {"commit", "--quiet", "-m", "Mend the drain of connections"}} {
		cmd := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@b.c"}, args...)...)
		cmd.Dir = p.root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	c := &cache{project: p, embedder: newEmbedder("a model")}
	c.close()
	c.start()
	c.rebuild()
	c.want = c.mustAnswer()
	c.close()
	c.files = c.read()
	return c
}

// start opens the index, as a new process does.
func (c *cache) start() {
	c.t.Helper()
	options := c.options()
	c.notices = nil
	options.Notice = func(text string) { c.notices = append(c.notices, text) }
	x, err := index.Open(c.t.Context(), c.ws, options)
	if err != nil {
		c.t.Fatal(err)
	}
	c.index = x
	c.useEmbedder(c.embedder)
}

func (c *cache) close() {
	c.t.Helper()
	if err := c.index.Close(); err != nil {
		c.t.Error(err)
	}
}

// rebuild does what follows damage: an update, and the making of vectors.
func (c *cache) rebuild() {
	c.t.Helper()
	c.update()
	c.index.Settle()
	c.embed()
}

func (c *cache) read() map[string][]byte {
	c.t.Helper()
	entries, err := os.ReadDir(c.state)
	if err != nil {
		c.t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(c.state, e.Name()))
		if err != nil {
			c.t.Fatal(err)
		}
		files[e.Name()] = data
	}
	return files
}

// restore puts the files of the closed index back.
func (c *cache) restore() {
	c.t.Helper()
	if err := os.RemoveAll(c.state); err != nil {
		c.t.Fatal(err)
	}
	if err := os.Mkdir(c.state, 0o700); err != nil {
		c.t.Fatal(err)
	}
	for name, data := range c.files {
		if err := os.WriteFile(filepath.Join(c.state, name), data, 0o600); err != nil {
			c.t.Fatal(err)
		}
	}
}

// answer describes answers that depend on everything that the index holds.
func (c *cache) answer() (string, error) {
	var b strings.Builder
	ctx := c.t.Context()
	for _, text := range []string{"shut the server down gracefully", "drain of connections word3"} {
		found, err := c.index.Search(ctx, index.Query{Text: text})
		if err != nil {
			return "", err
		}
		for _, h := range found.Hits {
			fmt.Fprintf(&b, "%s %s %d-%d %.6f %v\n", h.Rel, h.Canon, h.StartLine, h.EndLine, h.Score, slices.Sorted(maps.Keys(h.Signals)))
		}
		fmt.Fprintln(&b, found.WithoutVectors)
	}
	for _, name := range []string{"Part7", "Shutdwn"} {
		found, nearest, err := c.index.Lookup(ctx, index.LookupQuery{Name: name})
		if err != nil {
			return "", err
		}
		fmt.Fprintln(&b, describe(found), places(nearest))
		for _, u := range found {
			edges, err := c.index.Overlay(nil).Incoming(ctx, u)
			if err != nil {
				return "", err
			}
			for _, e := range edges {
				fmt.Fprintln(&b, e.Reference, describe([]index.Unit{*e.Target}), e.Confidence)
			}
		}
	}
	outline, err := c.index.Outline(ctx, c.path("server/server.go"))
	if err != nil {
		return "", err
	}
	fmt.Fprintln(&b, describe(outline))
	return b.String(), nil
}

// describe describes units without their lines, which are there only if they were read.
func describe(units []index.Unit) (all []string) {
	for _, u := range units {
		u.Lines = ""
		all = append(all, fmt.Sprintf("%+v", u))
	}
	return all
}

func (c *cache) mustAnswer() string {
	c.t.Helper()
	answer, err := c.answer()
	if err != nil {
		c.t.Fatal(err)
	}
	return answer
}

// check requires that a damaged index answers as before, or notices the damage once. Then
// it answers as before once it is rebuilt, which is checked if rebuild is true.
func (c *cache) check(what string, rebuild bool) (noticed bool) {
	c.t.Helper()
	answer, err := c.answer()
	if err != nil && !errors.Is(err, index.ErrDamaged) {
		c.t.Errorf("%s: %v", what, err)
	}
	if err == nil && len(c.notices) == 0 {
		if answer != c.want {
			c.t.Errorf("%s: wrong answers, and no notice (-want +got)\n%s", what, cmp.Diff(c.want, answer))
		}
		return false
	}
	if !rebuild {
		return true
	}
	c.rebuild()
	if answer, err := c.answer(); err != nil || answer != c.want {
		c.t.Errorf("%s: after rebuilding: %v (-want +got)\n%s", what, err, cmp.Diff(c.want, answer))
	}
	if len(c.notices) != 1 {
		c.t.Errorf("%s: the notices are %q", what, c.notices)
	}
	return true
}

// flip flips a random bit of a file of the closed index.
func (c *cache) flip(name string) (what string) {
	c.t.Helper()
	changed := slices.Clone(c.files[name])
	bit := rand.IntN(8 * len(changed))
	changed[bit/8] ^= 1 << (bit % 8)
	if err := os.WriteFile(filepath.Join(c.state, name), changed, 0o600); err != nil {
		c.t.Fatal(err)
	}
	return fmt.Sprintf("bit %d of %s", bit, name)
}

// names returns the names of the files that are not empty.
func (c *cache) names() (names []string) {
	for name, data := range c.files {
		if len(data) > 0 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// TestFlippedBits flips a bit of an index folder, again and again. Each time the index gives
// the right answers, or says so once and gives the right answers after it is rebuilt.
func TestFlippedBits(t *testing.T) {
	const parts, rebuildEvery = 2, 20
	flips := testbed.Count(600, 60)
	for part := range parts {
		t.Run(fmt.Sprint("part ", part), func(t *testing.T) {
			t.Parallel()
			c := newCache(t)
			names, noticed := c.names(), map[string]int{}
			names = slices.DeleteFunc(names, func(name string) bool {
				// SQLite builds the first again; the others answer nothing, see TestScannedAt
				return strings.HasSuffix(name, "-shm") || name == "scanned" || name == "index.writer"
			})
			for n := range flips / parts {
				c.restore()
				name := names[n%len(names)]
				what := c.flip(name)
				c.start()
				if c.check(what, n/len(names)%rebuildEvery == 0) {
					noticed[name]++
				}
				c.close()
				if t.Failed() {
					break
				}
			}
			for _, name := range names {
				if noticed[name] == 0 {
					t.Errorf("no damage to %s was noticed", name)
				}
			}
			if len(names) != 3 {
				t.Errorf("the files are %q", names)
			}
			c.restore()
			c.start() // for the cleanup
		})
	}
}

// TestFlippedBitsOfALog flips bits of the log that a killed process has left. It holds the
// last generation, which may be lost, but an update finds what is missing.
func TestFlippedBitsOfALog(t *testing.T) {
	testbed.Long(t)
	c := newCache(t)
	c.restore()
	c.start()
	c.write("lib/part3.go", "package lib\n\nfunc Part3() { Part4() }\n")
	c.write("lib/late.go", "package lib\n\nfunc Late() { Part7() }\n")
	c.must(c.index.Refresh(t.Context(), []string{c.path("lib/part3.go"), c.path("lib/late.go")}))
	c.embed()
	c.files = c.read() // as a killed process leaves it
	c.want = c.mustAnswer()
	c.close()
	if len(c.files["index.db-wal"]) == 0 {
		t.Fatal("there is no log")
	}
	for range testbed.Count(60, 0) {
		c.restore()
		what := c.flip("index.db-wal")
		c.start()
		c.rebuild()
		if answer, err := c.answer(); err != nil || answer != c.want || len(c.notices) > 1 {
			t.Errorf("%s: %v; the right answers: %v; the notices are %q", what, err, answer == c.want, c.notices)
		}
		c.close()
	}
	c.start() // for the cleanup
}
