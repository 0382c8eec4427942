package edits

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"ploke-lsp/edits/rooted"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/workspace"
)

// newDiskFixture is newFixture in a folder that everybody can reach, on a file system with
// extended attributes and access control lists.
func newDiskFixture(t *testing.T, files map[string]string) *fixture {
	t.Helper()
	var failed error
	for _, parent := range []string{"/var/tmp", os.TempDir()} {
		dir, err := os.MkdirTemp(parent, "ploke-edits-")
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		t.Cleanup(func() { os.RemoveAll(dir) })
		err = errors.Join(os.Chmod(dir, 0o755), os.Mkdir(dir+"/ws", 0o777), os.Mkdir(dir+"/state", 0o777),
			os.Chmod(dir+"/ws", 0o777), os.Chmod(dir+"/state", 0o777), unix.Setxattr(dir, "user.x", []byte("x"), 0),
			unix.Setxattr(dir, aclName, acl(7, 5, 5), 0))
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		b := &fixture{t: t, dir: dir + "/ws", db: dir + "/state/state.db"}
		for name, text := range files {
			b.write(name, text)
		}
		b.start()
		return b
	}
	testbed.Need(t, "a file system with extended attributes and access control lists", failed)
	return nil
}

const aclName, defaultACL = "system.posix_acl_access", "system.posix_acl_default"

// acl returns an access control list, as the kernel stores it, that also lets user 4242 read.
func acl(owner, group, other uint16) []byte {
	list := binary.LittleEndian.AppendUint32(nil, 2)
	for _, e := range [][3]uint32{{1, uint32(owner), ^uint32(0)}, {2, 4, 4242}, {4, uint32(group), ^uint32(0)}, {0x10, 5, ^uint32(0)}, {0x20, uint32(other), ^uint32(0)}} {
		list = binary.LittleEndian.AppendUint16(list, uint16(e[0]))
		list = binary.LittleEndian.AppendUint16(list, uint16(e[1]))
		list = binary.LittleEndian.AppendUint32(list, e[2])
	}
	return list
}

func (b *fixture) attributes(name string) *rooted.Attributes {
	b.t.Helper()
	a, err := rooted.AttributesAt(b.path(name))
	if err != nil {
		b.t.Fatal(err)
	}
	return a
}

// dress gives a file an owner, where that is allowed, a mode with special bits, and more.
func (b *fixture) dress(name string) *rooted.Attributes {
	b.t.Helper()
	path := b.path(name)
	mode := 0o751 | fs.ModeSticky
	if os.Geteuid() == 0 {
		mode |= fs.ModeSetuid
		if err := os.Chown(path, 1234, 2345); err != nil {
			b.t.Fatal(err)
		}
	}
	err := errors.Join(unix.Setxattr(path, "user.origin", []byte("here\x00there"), 0), unix.Setxattr(path, aclName, acl(7, 5, 1), 0),
		os.Chmod(path, mode))
	if err != nil {
		b.t.Fatal(err)
	}
	return b.attributes(name)
}

// TestAFileKeepsWhatItHasBesideItsText accepts, undoes and redoes each kind of change. The folder
// gives new files an access control list, which the files must not get.
func TestAFileKeepsWhatItHasBesideItsText(t *testing.T) {
	for name, tt := range map[string]struct {
		ops   func(b *fixture) []Operation
		after string // the name of the file; "" if it is gone
	}{
		"edited":             {func(b *fixture) []Operation { return []Operation{b.replaceOnce("", "a.txt", "2", "two")} }, "a.txt"},
		"renamed":            {func(*fixture) []Operation { return []Operation{{Op: OpRename, Path: "a.txt", To: "sub/b.txt"}} }, "sub/b.txt"},
		"deleted":            {func(*fixture) []Operation { return []Operation{{Op: OpDelete, Path: "a.txt"}} }, ""},
		"edited and renamed": {nil, "b.txt"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, dressed := range []bool{true, false} {
				b := newDiskFixture(t, map[string]string{"a.txt": lines, "sub/x": ""})
				for _, dir := range []string{"", "sub"} {
					if err := unix.Setxattr(b.path(dir), defaultACL, acl(7, 7, 7), 0); err != nil {
						t.Fatal(err)
					}
				}
				want := b.attributes("a.txt")
				if dressed {
					want = b.dress("a.txt")
				}
				var p *Proposal
				if tt.ops != nil {
					p = b.stage("turn", tt.ops(b)...)
				} else {
					b.stage("turn", Operation{Op: OpRename, Path: "a.txt", To: "b.txt"})
					p = b.stage("turn", b.replaceOnce("turn", "b.txt", "2", "two"))
				}
				check := func(what, name string) {
					t.Helper()
					if name == "" {
						return
					}
					if diff := cmp.Diff(want, b.attributes(name)); diff != "" {
						t.Errorf("%s, dressed %v (-want +got):\n%s", what, dressed, diff)
					}
				}
				p = b.apply(p, Selection{})
				check("accepted", tt.after)
				b.start()
				p = b.undo(p)
				check("undone", "a.txt")
				b.redo(p)
				check("redone", tt.after)
			}
		})
	}
}

// TestRollBackBringsTheFileItselfBack fails after all files were replaced.
func TestRollBackBringsTheFileItselfBack(t *testing.T) {
	b := newDiskFixture(t, map[string]string{"a.txt": lines, "gone.txt": lines, "old.txt": lines, "z.txt": "z\n"})
	names := []string{"a.txt", "gone.txt", "old.txt"}
	before := map[string]os.FileInfo{}
	want := map[string]*rooted.Attributes{}
	for _, name := range names {
		want[name] = b.dress(name)
		before[name], _ = os.Stat(b.path(name))
	}
	p := b.stage("turn", b.replaceOnce("", "a.txt", "2", "two"), Operation{Op: OpDelete, Path: "gone.txt"},
		Operation{Op: OpRename, Path: "old.txt", To: "new.txt"}, b.replaceOnce("", "z.txt", "z", "Z"))
	plan := b.accept(p, Selection{})
	b.writer.onReplace = func(file rooted.Path, checked bool) {
		if file.Name == "z.txt" && !checked {
			b.write("z.txt", "theirs\n")
		}
	}
	if err := b.WriteToDisk(t.Context(), plan); err == nil {
		t.Fatal("it was written")
	}
	b.checkNothingLeft()
	for _, name := range names {
		now, err := os.Stat(b.path(name))
		if err != nil || !os.SameFile(before[name], now) {
			t.Errorf("%s is another file, %v", name, err)
		}
		if diff := cmp.Diff(want[name], b.attributes(name)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestAFileWithSeveralNamesKeepsThem edits and renames a file that has a second name outside.
func TestAFileWithSeveralNamesKeepsThem(t *testing.T) {
	b := newDiskFixture(t, map[string]string{"a.txt": lines})
	want := b.dress("a.txt")
	other := filepath.Join(filepath.Dir(b.db), "other.txt")
	if err := os.Link(b.path("a.txt"), other); err != nil {
		t.Fatal(err)
	}
	check := func(what, name, text string) {
		t.Helper()
		x, err1 := os.Stat(b.path(name))
		y, err2 := os.Stat(other)
		data, err3 := os.ReadFile(other)
		if err := errors.Join(err1, err2, err3); err != nil || !os.SameFile(x, y) || string(data) != text {
			t.Errorf("%s: same file: %v, text %q, %v", what, os.SameFile(x, y), data, err)
		}
		if diff := cmp.Diff(want, b.attributes(name)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
		b.checkNothingLeft()
	}
	longer, shorter := strings.Replace(lines, "2", "twenty-two\nand more", 1), strings.Replace(lines, "2\n", "", 1)
	for _, text := range []string{longer, shorter} {
		p := b.stage("", Operation{Op: OpEdit, Path: "a.txt", BaseHash: workspace.Hash([]byte(lines)), Edits: []Edit{{0, len(lines), text}}})
		p = b.apply(p, Selection{})
		check("edited", "a.txt", text)
		p = b.undo(p)
		check("undone", "a.txt", lines)
		b.undo(b.redo(p))
	}
	p := b.apply(b.stage("", Operation{Op: OpRename, Path: "a.txt", To: "b.txt"}), Selection{})
	check("renamed", "b.txt", lines)
	b.undo(p)
	check("renamed and undone", "a.txt", lines)
	b.stage("both", Operation{Op: OpRename, Path: "a.txt", To: "b.txt"})
	both := b.stage("both", b.replaceOnce("both", "b.txt", "2", "two"))
	for what, p := range map[string]*Proposal{"deleted": b.stage("", Operation{Op: OpDelete, Path: "a.txt"}), "renamed and edited": both} {
		plan := b.accept(p, Selection{})
		err := b.WriteToDisk(t.Context(), plan)
		if err == nil || !strings.Contains(err.Error(), "a.txt has several names (hard links)") {
			t.Errorf("%s: %v", what, err)
		}
		b.settle(plan, Outcome{Reason: fmt.Sprint(err)})
		check(what, "a.txt", lines)
	}
}

// TestAFileOfSomebodyElse edits files as a user who may write to them, but may not give them
// away.
func TestAFileOfSomebodyElse(t *testing.T) {
	if os.Geteuid() != 0 {
		return // only the superuser can give files away
	}
	b := newDiskFixture(t, map[string]string{"shared.txt": lines, "foreign.txt": lines, "moved.txt": lines})
	err := errors.Join(os.Chmod(b.path("shared.txt"), 0o666), os.Chown(b.path("shared.txt"), 1234, 2345),
		os.Chown(b.path("foreign.txt"), 1234, 2345))
	if err != nil {
		t.Fatal(err)
	}
	want := b.attributes("shared.txt")
	edit, foreign := b.stage("1", b.replaceOnce("", "shared.txt", "2", "two")), b.stage("2", b.replaceOnce("", "foreign.txt", "2", "two"))
	del := b.stage("3", Operation{Op: OpDelete, Path: "shared.txt"})
	plan := b.accept(edit, Selection{})
	b.asUser(4711, func() { err = b.WriteToDisk(t.Context(), plan) })
	if err != nil || !strings.Contains(b.disk("shared.txt"), "two") {
		t.Errorf("editing: %v, %q", err, b.disk("shared.txt"))
	}
	b.undo(b.settle(plan, Outcome{Applied: true}))
	for name, p := range map[string]*Proposal{"foreign.txt": foreign, "shared.txt": del} {
		plan := b.accept(p, Selection{})
		b.asUser(4711, func() { err = b.WriteToDisk(t.Context(), plan) })
		if err == nil || !strings.Contains(err.Error(), "owner") || b.disk(name) != lines {
			t.Errorf("%s: %v", name, err)
		}
		b.settle(plan, Outcome{Reason: fmt.Sprint(err)})
	}
	if diff := cmp.Diff(want, b.attributes("shared.txt")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	b.checkNothingLeft()
}

// asUser calls f with a user's rights to files.
func (b *fixture) asUser(id int, f func()) {
	b.t.Helper()
	for _, path := range []string{b.db, b.db + "-wal", b.db + "-shm", filepath.Dir(b.db) + "/writing.lock"} {
		if err := os.Chmod(path, 0o666); err != nil && !errors.Is(err, fs.ErrNotExist) {
			b.t.Fatal(err)
		}
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	unix.SetfsgidRetGid(id)
	unix.SetfsuidRetUid(id)
	defer unix.SetfsgidRetGid(0)
	defer unix.SetfsuidRetUid(0)
	f()
}

// TestNobodyCanReadATemporaryFileEarly looks at the modes of the temporary files all the time. It writes until it has
// seen some.
func TestNobodyCanReadATemporaryFileEarly(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	b := newFixture(t, nil)
	text := strings.Repeat("secret\n", 20_000)
	const files = 20
	for i := range files {
		name := fmt.Sprintf("%d.txt", i)
		b.write(name, text)
		if err := os.Chmod(b.path(name), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	var watching sync.WaitGroup
	var wide, seen atomic.Uint32
	done := make(chan struct{})
	watching.Go(func() {
		for { // without a pause, to see files that are there for a moment
			for _, path := range b.leftovers() {
				if info, err := os.Lstat(path); err == nil {
					wide.Or(uint32(info.Mode().Perm() &^ 0o640))
					seen.Add(1)
				}
			}
			select {
			case <-done:
				return
			default:
			}
		}
	})
	stop := sync.OnceFunc(func() {
		close(done)
		watching.Wait()
	})
	defer stop()
	for round := 0; seen.Load() == 0 && !t.Failed(); round++ {
		var p *Proposal
		for i := range files {
			p = b.stage(fmt.Sprint("turn", round), Operation{Op: OpEdit, Path: fmt.Sprintf("%d.txt", i), BaseHash: workspace.Hash([]byte(text)), Edits: []Edit{{0, 0, "S"}}})
		}
		if err := b.WriteToDisk(t.Context(), b.accept(p, Selection{})); err != nil {
			t.Error(err)
		}
		text = "S" + text
	}
	stop()
	if wide.Load() != 0 {
		t.Errorf("of %d looks at a temporary file, some had the bits %o", seen.Load(), wide.Load())
	}
}
