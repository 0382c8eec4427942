package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func walk(t *testing.T, w *Workspace, root string) []Entry {
	t.Helper()
	var entries []Entry
	if err := w.Walk(t.Context(), root, func(e Entry) error { entries = append(entries, e); return nil }); err != nil {
		t.Fatal(err)
	}
	return entries
}

func rels(entries []Entry) []string {
	var names []string
	for _, e := range entries {
		names = append(names, e.Rel)
	}
	return names
}

// ignoreTests are checked against git itself where they have only its files.
var ignoreTests = []struct {
	name  string
	files string // space-separated
	rules map[string]string
	opts  Options
	want  string // what is visited, less the rule files
}{
	{
		name: "names, folders, anchors", files: "a.log b/a.log build/x src/build/y src/build.go todo src/todo doc/x.txt doc/y.txt",
		rules: map[string]string{".gitignore": "*.log\nbuild/\n/todo\ndoc/*.txt\n"},
		want:  "src/build.go src/todo",
	}, {
		name: "negation", files: "a.log keep.log b/keep.log",
		rules: map[string]string{".gitignore": "*.log\n!keep.log\n"},
		want:  "b/keep.log keep.log",
	}, {
		name: "an ignored folder can't be entered again", files: "out/keep x",
		rules: map[string]string{".gitignore": "out\n!out/keep\n"},
		want:  "x",
	}, {
		name: "everything but", files: "a.go b.txt src/a.go src/deep/a.go src/b.txt",
		rules: map[string]string{".gitignore": "*\n!*/\n!*.go\n"},
		want:  "a.go src/a.go src/deep/a.go",
	}, {
		name: "a folder brought back is not its content", files: "src/a.go lib/b.go",
		rules: map[string]string{".gitignore": "*\n!src\n"},
		want:  "",
	}, {
		name: "nested", files: "a.txt sub/a.txt sub/b.txt sub/deep/b.txt b.txt",
		rules: map[string]string{".gitignore": "a.txt\n", "sub/.gitignore": "!a.txt\n/b.txt\n"},
		want:  "b.txt sub/a.txt sub/deep/b.txt",
	}, {
		name: "double stars", files: "x/a/y x/b/c/a/y x/y a/b/c/d",
		rules: map[string]string{".gitignore": "x/**/y\n**/c/d\n"},
		want:  "",
	}, {
		name: "spaces, comments, CRLF, classes, escapes", files: "a1 ab #x t !b",
		rules: map[string]string{".gitignore": "# a comment\r\na[0-9]\r\n\\#x\r\nt   \r\n\\!b\r\n\r\n"},
		want:  "ab",
	}, {
		name: "the stronger file wins", files: "a b c d sub/a",
		rules: map[string]string{".gitignore": "a\nb\nc\n", ".ignore": "!a\n!b\nd\n", ".plokeignore": "b\n!d\n", "sub/.gitignore": "a\n"},
		want:  "a d sub/a",
	}, {
		name: "the repository's own excludes are the weakest", files: "a b",
		rules: map[string]string{".git/info/exclude": "a\nb\n", ".gitignore": "!b\n"},
		want:  "b",
	}, {
		name: "options win", files: "a b sub/c",
		rules: map[string]string{".gitignore": "a\n", ".plokeignore": "!b\n"},
		opts:  Options{Exclude: []string{"b", "!a", "sub/"}},
		want:  "a",
	}, {
		name: "version control, and nothing else that is hidden", files: ".git/config .hg/x .svn/x sub/.git .github/w.yml",
		want: ".github/w.yml",
	},
}

// TestIgnore checks Walk, and that Skipped and List decide alike.
func TestIgnore(t *testing.T) {
	for _, tt := range ignoreTests {
		t.Run(tt.name, func(t *testing.T) {
			files := make(map[string]string)
			for f := range strings.FieldsSeq(tt.files) {
				files[f] = ""
			}
			for f, text := range tt.rules {
				files[f] = text
			}
			dir := tree(t, files)
			visited := make(map[string]bool)
			var got []string
			for _, rel := range rels(walk(t, open(t, tt.opts, dir), dir)) {
				visited[rel] = true
				if tt.rules[rel] == "" {
					got = append(got, rel)
				}
			}
			if diff := cmp.Diff(strings.Fields(tt.want), got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("Walk visits (-want +got):\n%s", diff)
			}
			cold := open(t, tt.opts, dir) // has not walked
			for f := range files {
				if skip := cold.Skipped(filepath.Join(dir, f)); (skip == "") != visited[f] {
					t.Errorf("Skipped(%s) = %q, but Walk visits it: %v", f, skip, visited[f])
				}
			}
			listed, err := cold.List(t.Context(), dir, 99)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range listed {
				if !e.Dir && !visited[e.Rel] {
					t.Errorf("List has %s, Walk does not", e.Rel)
				}
				delete(visited, e.Rel)
			}
			if len(visited) > 0 {
				t.Errorf("List lacks %v", visited)
			}
		})
	}
}

func TestRulesAroundTheRoot(t *testing.T) {
	dir := tree(t, map[string]string{
		".git/HEAD": "", ".gitignore": "*.log\n/tmp/\n", "app/.gitignore": "gen/\n",
		"app/cmd/x.go": "", "app/cmd/x.log": "", "app/cmd/gen/y.go": "",
		"tmp/scratch/a.go": "", "tmp/scratch/a.log": "",
	})
	root := filepath.Join(dir, "app/cmd")
	if diff := cmp.Diff([]string{"x.go"}, rels(walk(t, open(t, Options{}, root), root))); diff != "" {
		t.Errorf("a folder inside of a repository:\n%s", diff)
	}
	root = filepath.Join(dir, "tmp/scratch")
	if diff := cmp.Diff([]string{"a.go", "a.log"}, rels(walk(t, open(t, Options{}, root), root))); diff != "" {
		t.Errorf("an ignored folder that was opened on purpose:\n%s", diff)
	}
}

func TestWalkReasons(t *testing.T) {
	dir := tree(t, map[string]string{
		"a.go": "package a", "big.txt": strings.Repeat("x", 101), "closed.txt": "x", "locked/x": "",
		".env": "", ".env.local": "", ".env.example": "", ".ENV": "", "id_rsa": "", "id_rsa.pub": "",
		"tls/server.key": "", "tls/CA.PEM": "", "keynote.go": "", "z/z": "",
	})
	for name, mode := range map[string]os.FileMode{"closed.txt": 0, "locked": 0} {
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { os.Chmod(filepath.Join(dir, "locked"), 0o755) })
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"link.go": "a.go", "loop": ".", "gone": "nowhere"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	w := open(t, Options{MaxFileBytes: 100}, dir)
	got := make(map[string]Skip)
	var order []string
	for _, e := range walk(t, w, dir) {
		got[e.Rel] = e.Skip
		order = append(order, e.Rel)
		if e.Path != filepath.Join(dir, e.Rel) {
			t.Errorf("Path %q for Rel %q", e.Path, e.Rel)
		}
		if e.Rel == "a.go" && (e.Size != 9 || e.ModTime.IsZero()) {
			t.Errorf("a.go: %+v", e)
		}
	}
	want := map[string]Skip{
		"a.go": "", "big.txt": TooLarge, "closed.txt": Unreadable, "pipe": Unreadable,
		".env": Secret, ".env.local": Secret, ".env.example": "", ".ENV": Secret, "id_rsa": Secret, "id_rsa.pub": "",
		"tls/server.key": Secret, "tls/CA.PEM": Secret, "keynote.go": "", "z/z": "",
		"link.go": Symlink, "loop": Symlink, "gone": Symlink,
		"locked": Unreadable,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("reasons (-want +got):\n%s", diff)
	}
	var again []string
	for _, e := range walk(t, w, dir) {
		again = append(again, e.Rel)
	}
	if diff := cmp.Diff(order, again); diff != "" {
		t.Errorf("two walks differ:\n%s", diff)
	}
	if skip := w.Skipped(filepath.Join(dir, "link.go")); skip != Symlink {
		t.Errorf("Skipped(link.go) = %q", skip)
	}
}

// TestWalkOrder walks more folders than are read ahead.
func TestWalkOrder(t *testing.T) {
	files := map[string]string{}
	for i := range 3 * maxAhead {
		files[fmt.Sprintf("%c/%d/%d.go", 'a'+i%7, i%10, i)] = ""
		files[fmt.Sprintf("%c/%d/%d/x", 'a'+i%7, i%10, i)] = ""
	}
	dir := tree(t, files)
	w := open(t, Options{}, dir)
	want := slices.SortedFunc(maps.Keys(files), func(a, b string) int {
		return slices.Compare(strings.Split(a, "/"), strings.Split(b, "/"))
	})
	if diff := cmp.Diff(want, rels(walk(t, w, dir))); diff != "" {
		t.Errorf("Walk visits (-want +got):\n%s", diff)
	}
	visits := 0
	err := w.Walk(t.Context(), dir, func(Entry) error {
		if visits++; visits == maxAhead {
			return fs.SkipAll
		}
		return nil
	})
	if err != fs.SkipAll || visits != maxAhead {
		t.Errorf("Walk = %v after %d visits", err, visits)
	}
}

func TestWalkSeesNewRules(t *testing.T) {
	dir := tree(t, map[string]string{"a.log": "", "sub/b.log": ""})
	w := open(t, Options{}, dir)
	if w.Skipped(dir+"/sub/b.log") != "" {
		t.Fatal("nothing is ignored yet")
	}
	write(t, dir+"/sub/.gitignore", "*.log\n")
	if diff := cmp.Diff([]string{"a.log", "sub/.gitignore"}, rels(walk(t, w, dir))); diff != "" {
		t.Error(diff)
	}
	if got := w.Skipped(dir + "/sub/b.log"); got != Ignored {
		t.Errorf("after the walk, Skipped = %q", got)
	}
	if err := os.Remove(dir + "/sub/.gitignore"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a.log", "sub/b.log"}, rels(walk(t, w, dir))); diff != "" {
		t.Error(diff)
	}
}

func TestWalkEnds(t *testing.T) {
	dir := tree(t, map[string]string{"a": "", "b": ""})
	w := open(t, Options{}, dir)
	enough := errors.New("enough")
	visits := 0
	err := w.Walk(t.Context(), dir, func(Entry) error { visits++; return enough })
	if err != enough || visits != 1 {
		t.Errorf("Walk = %v after %d visits", err, visits)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.Walk(ctx, dir, func(Entry) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("Walk with an ended context: %v", err)
	}
	if err := w.Walk(t.Context(), dir+"/sub", func(Entry) error { return nil }); err == nil {
		t.Error("Walk of what is no root")
	}
}

func TestList(t *testing.T) {
	dir := tree(t, map[string]string{"a.go": "", "sub/b.go": "", "sub/deep/c.go": "", ".gitignore": "ignored\n", "ignored/x": "", "sub/.env": ""})
	w := open(t, Options{}, dir)
	list := func(at string, depth int) []string {
		t.Helper()
		entries, err := w.List(t.Context(), at, depth)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, e := range entries {
			name := e.Rel
			if e.Dir {
				name += "/"
			}
			names = append(names, strings.TrimSpace(name+" "+string(e.Skip)))
		}
		return names
	}
	if diff := cmp.Diff([]string{".gitignore", "a.go", "sub/"}, list(".", 1)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"sub/.env secret", "sub/b.go", "sub/deep/", "sub/deep/c.go"}, list("sub", 2)); diff != "" {
		t.Error(diff)
	}
	for _, name := range []string{"ignored", "missing", "a.go", ".."} {
		if entries, err := w.List(t.Context(), name, 1); err == nil {
			t.Errorf("List(%s) = %v", name, entries)
		}
	}
}
