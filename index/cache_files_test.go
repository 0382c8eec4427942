package index_test

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	_ "github.com/mattn/go-sqlite3" // databases without checksums

	"ploke-lsp/index"
	"ploke-lsp/internal/testbed"
)

// file returns the path of a file of the index.
func (c *cache) file(name string) string { return filepath.Join(c.state, name) }

func (c *cache) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

// replace replaces a file by another one, as an editor does.
func (c *cache) replace(name string, data []byte) {
	c.t.Helper()
	c.must(os.RemoveAll(c.file(name)))
	c.must(os.WriteFile(c.file(name), data, 0o600))
}

// damages returns everything that can happen to the files of an index, besides flipped bits.
// other are the files of another workspace.
func (c *cache) damages(other map[string][]byte) map[string]func() {
	all := map[string]func(){}
	for _, name := range c.names() {
		data := c.files[name]
		all[name+" is empty"] = func() { c.must(os.Truncate(c.file(name), 0)) }
		all[name+" is cut"] = func() { c.must(os.Truncate(c.file(name), int64(len(data)/2))) }
		all[name+" is cut by a page"] = func() { c.must(os.Truncate(c.file(name), max(0, int64(len(data))-4096))) }
		all[name+" is longer"] = func() { c.replace(name, append(slices.Clone(data), data...)) }
		all[name+" is garbage"] = func() { c.replace(name, []byte(strings.Repeat("garbage", len(data)/7+1))) }
		all[name+" is deleted"] = func() { c.must(os.Remove(c.file(name))) }
		all[name+" is a folder"] = func() {
			c.must(os.Remove(c.file(name)))
			c.must(os.MkdirAll(filepath.Join(c.file(name), "with", "more"), 0o700))
		}
		all[name+" can't be read"] = func() { c.must(os.Chmod(c.file(name), 0)) }
		for theirs, data := range other {
			if filepath.Ext(theirs) == filepath.Ext(name) {
				all[name+" is another workspace's"] = func() { c.replace(name, data) }
			}
		}
		for _, second := range c.names() {
			if name < second {
				all[name+" is swapped with "+second] = func() {
					c.replace(name, c.files[second])
					c.replace(second, data)
				}
			}
		}
	}
	all["everything is deleted"] = func() { c.must(os.RemoveAll(c.state)) }
	all["everything is another workspace's"] = func() {
		for _, name := range c.names() {
			c.must(os.RemoveAll(c.file(name)))
		}
		for name, data := range other {
			c.replace(name, data)
		}
	}
	return all
}

// newCaches returns an index folder, and the files of that of another workspace, whose files
// have the same names but other texts.
func newCaches(t *testing.T) (c *cache, other map[string][]byte) {
	t.Helper()
	o := newCache(t)
	o.start()
	o.write("parse.py", "def other():\n    pass\n")
	o.rebuild()
	o.close()
	other = o.read()
	o.start() // for the cleanup
	return newCache(t), other
}

// settled requires that an update and nothing else is needed for right answers, with at
// most one notice.
func (c *cache) settled(what string) {
	c.t.Helper()
	if answer, err := c.answer(); err != nil && !errors.Is(err, index.ErrDamaged) {
		c.t.Errorf("%s: %v", what, err)
	} else if err == nil && answer != c.want && len(c.notices) == 0 && !strings.Contains(what, "deleted") {
		c.t.Errorf("%s: wrong answers, and no notice", what)
	}
	c.rebuild()
	if answer, err := c.answer(); err != nil || answer != c.want {
		c.t.Errorf("%s: after an update: %v, the right answers: %v", what, err, answer == c.want)
	}
	if len(c.notices) > 1 && !strings.Contains(what, ".vec") { // damage to the index and to vectors is told apart
		c.t.Errorf("%s: the notices are %q", what, c.notices)
	}
}

// TestFilesAreCutSwappedOrReplaced does everything that can happen to the files of a closed
// index.
func TestFilesAreCutSwappedOrReplaced(t *testing.T) {
	c, other := newCaches(t)
	for what, damage := range c.damages(other) {
		c.restore()
		damage()
		c.start()
		c.settled(what)
		c.close()
	}
	c.start() // for the cleanup
}

// TestFilesAreCutSwappedOrReplacedInUse does the same to the files of an open index. It
// leaves out index.db-shm, which is the memory that SQLite's processes share.
func TestFilesAreCutSwappedOrReplacedInUse(t *testing.T) {
	c, other := newCaches(t)
	damages := c.damages(other)
	for _, what := range slices.Sorted(maps.Keys(damages)) {
		if strings.Contains(what, "shm") {
			continue
		}
		c.restore()
		c.start()
		damages[what]()
		c.settled(what)
		c.close()
		c.start()
		c.settled(what + ", reopened")
		c.close()
	}
	c.start() // for the cleanup
}

// TestRebuildAlwaysWorks rebuilds over everything that can be in an index folder.
func TestRebuildAlwaysWorks(t *testing.T) {
	c, other := newCaches(t)
	for what, damage := range c.damages(other) {
		c.restore()
		damage()
		c.start()
		if _, err := c.index.Rebuild(t.Context(), nil); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		c.settled(what)
		c.close()
	}
	c.restore()
	for _, name := range []string{"index.db-wal", "index.db-shm", "index.db-journal", "index.lock", "postings-2.seg", "postings-x.seg"} {
		c.must(os.RemoveAll(c.file(name)))
		c.must(os.Mkdir(c.file(name), 0o700))
	}
	c.start()
	if _, err := c.index.Rebuild(t.Context(), nil); err != nil {
		t.Error(err)
	}
	c.settled("folders everywhere")
}

// TestFilesArePrivate checks that only the user may read the files of an index.
func TestFilesArePrivate(t *testing.T) {
	c := newCache(t)
	c.must(os.RemoveAll(c.state))
	c.start()
	c.rebuild()
	c.must(filepath.WalkDir(c.state, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the mode %v", d.Name(), info.Mode())
		}
		return err
	}))
	if len(c.read()) < 6 {
		t.Errorf("there are %v", slices.Sorted(maps.Keys(c.read())))
	}
}

// TestSegmentIsOverwrittenInUse writes the segment of another workspace into the file of a
// segment that is mapped, and whose blocks have been compared with their checksums.
func TestSegmentIsOverwrittenInUse(t *testing.T) {
	c, other := newCaches(t)
	c.start()
	defer c.close()
	if answer, err := c.answer(); err != nil || answer != c.want {
		t.Fatalf("before the damage: %v", err)
	}
	for name, data := range other {
		if filepath.Ext(name) == ".seg" {
			c.must(os.WriteFile(c.file(name), append(data, c.files[name]...), 0o600))
		}
	}
	c.rebuild()
	if answer, err := c.answer(); err != nil || answer != c.want {
		t.Errorf("after an update: %v, the right answers: %v", err, answer == c.want)
	}
}

// TestOlderIsRebuiltSilently opens the databases of older programs: with checksums, and from
// before them.
func TestOlderIsRebuiltSilently(t *testing.T) {
	c := newCache(t)
	for name, make := range map[string]func(){
		"with checksums": func() { setVersion(t, c.project, 1) },
		"without checksums": func() {
			c.must(os.Remove(c.file("index.db")))
			db, err := sql.Open("sqlite3", c.file("index.db"))
			c.must(err)
			_, err = db.Exec("CREATE TABLE files (id INTEGER); PRAGMA user_version = 7")
			c.must(errors.Join(err, db.Close()))
		},
	} {
		t.Run(name, func(t *testing.T) {
			c.restore()
			make()
			c.start()
			c.settled("an index in an older format is deleted") // there is no notice to expect
			if len(c.notices) != 0 {
				t.Errorf("the notices are %q", c.notices)
			}
			c.close()
		})
	}
	c.start() // for the cleanup
}

// TestAnotherProcessRebuilds damages the index of two processes. One rebuilds it, the other
// answers rightly and does not read the files again.
func TestAnotherProcessRebuilds(t *testing.T) {
	c := newCache(t)
	c.start()
	defer c.close()
	var notices []string
	options := c.options()
	options.Notice = func(text string) { notices = append(notices, text) }
	other, err := index.Open(t.Context(), c.ws, options)
	c.must(err)
	defer func() { c.index = other }() // for the cleanup
	segments, err := filepath.Glob(c.file("postings-*.seg"))
	c.must(err)
	c.must(os.Truncate(segments[0], 0))
	c.settled("a segment is empty")
	if len(c.notices) != 1 {
		t.Errorf("the notices are %q", c.notices)
	}
	stats, err := other.Update(t.Context(), nil)
	if err != nil || stats.ParsedFiles != 0 || len(notices) != 0 {
		t.Errorf("the other process: %+v, %v; the notices are %q", stats, err, notices)
	}
	found, _, err := other.Lookup(t.Context(), index.LookupQuery{Name: "Part7"})
	if err != nil || len(found) != 1 {
		t.Errorf("the other process finds %v, %v", found, err)
	}
}

// TestDamagedWhileShared damages files again and again, while three processes search and
// index. Each query succeeds, or fails with ErrDamaged. In the end all answers are right.
func TestDamagedWhileShared(t *testing.T) {
	c, other := newCaches(t)
	c.restore()
	c.start()
	defer c.close()
	var all []*index.Index
	for range 3 {
		x, err := index.Open(t.Context(), c.ws, c.options())
		c.must(err)
		defer x.Close()
		all = append(all, x)
	}
	done := make(chan struct{})
	var running sync.WaitGroup
	for n, x := range all {
		running.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				_, err := x.Search(t.Context(), index.Query{Text: "shut the server down"})
				if err != nil && !errors.Is(err, index.ErrDamaged) && !strings.Contains(err.Error(), "closed") {
					t.Errorf("searching: %v", err)
				}
				if n > 0 {
					x.Update(t.Context(), nil) // may fail if the index is damaged again meanwhile
				}
			}
		})
	}
	for range testbed.Count(60, 10) {
		paths, err := filepath.Glob(filepath.Join(c.state, "[ipv]*.[dsv][be][gc]*"))
		c.must(err)
		if len(paths) == 0 {
			continue
		}
		path := paths[rand.IntN(len(paths))] // which another process may just remove
		switch rand.IntN(5) {
		case 0:
			os.Truncate(path, 0)
		case 1:
			os.WriteFile(path, slices.Concat(slices.Collect(maps.Values(other))...), 0o600)
		case 2:
			os.RemoveAll(path)
		case 3:
			os.Rename(path, paths[rand.IntN(len(paths))])
		case 4: // in one step: SQLite takes an index.db-shm without its database for its own, and cuts what others of this process map
			gone := c.state + "-gone"
			os.Rename(c.state, gone)
			os.RemoveAll(gone)
		}
		all[0].Update(t.Context(), nil)
	}
	close(done)
	running.Wait()
	for n, x := range all {
		if _, err := x.Update(t.Context(), nil); err != nil {
			t.Errorf("process %d: %v", n, err)
		}
	}
	for n, x := range all {
		found, _, err := x.Lookup(t.Context(), index.LookupQuery{Name: "Part7"})
		if err != nil || fmt.Sprint(places(found)) != "[lib/part7.go Part7]" {
			t.Errorf("process %d finds %v, %v", n, places(found), err)
		}
	}
}
