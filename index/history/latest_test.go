package history

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestLatest(t *testing.T) {
	r := newRepository(t)
	r.commit("Begin", "a.go", "sub/b.go")
	r.git("tag", "v1.0")
	r.commit("Go on: 世界", "sub/b.go")
	tests := []struct {
		name, dir, path string
		limit           int
		want            []string // subjects
	}{
		{"all", "", "", 9, []string{"Go on: 世界", "Begin"}},
		{"some", "", "", 1, []string{"Go on: 世界"}},
		{"a file", "", "a.go", 9, []string{"Begin"}},
		{"a folder", "", "sub", 9, []string{"Go on: 世界", "Begin"}},
		{"below the top", "sub", "b.go", 1, []string{"Go on: 世界"}},
		{"a pattern is a name", "", "*.go", 9, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			entries, err := Latest(t.Context(), filepath.Join(r.dir, tt.dir), tt.path, tt.limit)
			var got []string
			for _, e := range entries {
				got = append(got, e.Subject)
				if e.Author != "A" || len(e.ID) != 40 || e.Time.IsZero() {
					t.Errorf("an entry is %+v", e)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
				t.Errorf("(-want +got) %v\n%s", err, diff)
			}
		})
	}
	authors, counted, err := Authors(t.Context(), r.dir, "")
	for _, a := range authors {
		if len(a.First) != len("2006-01-02") || a.Last < a.First {
			t.Errorf("%s wrote from %q to %q", a.Name, a.First, a.Last)
		}
	}
	days := cmpopts.IgnoreFields(Author{}, "First", "Last")
	if diff := cmp.Diff([]Author{{Name: "A", Commits: 2}}, authors, days); diff != "" || counted != 2 || err != nil {
		t.Errorf("of %d commits (-want +got) %v\n%s", counted, err, diff)
	}
	tags, err := Tags(t.Context(), r.dir, 3)
	if err != nil || len(tags) != 1 || tags[0].Name != "v1.0" || len(tags[0].Day) != len("2006-01-02") {
		t.Errorf("the tags are %v, %v", tags, err)
	}
}

func TestUncommitted(t *testing.T) {
	r := newRepository(t)
	r.write("ignored.go\n", ".gitignore")
	r.commit("Begin", "same.go", "changed.go", "deleted.go", "lines.go", "touched.go", "sub/b.go")
	r.write("ignored", "ignored.go")
	r.write("other", "changed.go", "new.go", "sub/c.go", "staged.go")
	r.write("Begin\r\n", "lines.go")
	r.git("add", "staged.go")
	for _, name := range []string{"deleted.go", "touched.go"} {
		if err := os.Remove(filepath.Join(r.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	r.write("Begin", "touched.go")
	var want []Change
	for _, c := range []struct{ path, how string }{{"changed.go", "changed"}, {"deleted.go", "deleted"},
		{"lines.go", "changed"}, {"staged.go", "new"}, {"new.go", "new"}, {"sub/c.go", "new"}} {
		want = append(want, Change{Path: c.path, How: c.how})
	}
	check := func(what, dir string, unsaved map[string][]byte, want []Change) {
		t.Helper()
		got, err := Uncommitted(t.Context(), filepath.Join(r.dir, dir), unsaved)
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Change{})); diff != "" || err != nil {
			t.Errorf("%s (-want +got) %v\n%s", what, err, diff)
		}
	}
	check("all", "", nil, want)
	check("below a folder", "sub", nil, []Change{{Path: "c.go", How: "new"}})
	check("with what is unsaved", "sub", map[string][]byte{"b.go": []byte("typed"), "d.go": nil},
		[]Change{{Path: "b.go", How: "changed"}, {Path: "c.go", How: "new"}, {Path: "d.go", How: "new"}})
	check("a text that is typed as it was committed", "", map[string][]byte{"changed.go": []byte("Begin"), "sub/c.go": nil,
		"deleted.go": []byte("Begin")}, slices.DeleteFunc(slices.Clone(want), func(c Change) bool {
		return c.Path == "changed.go" || c.Path == "deleted.go"
	}))
	if got, err := Uncommitted(t.Context(), t.TempDir(), nil); got != nil || !errors.Is(err, ErrNoRepository) {
		t.Errorf("without a repository: %v, %v", got, err)
	}
}

// TestUncommittedBeforeTheFirstCommit has nothing to compare with, so each file is new.
func TestUncommittedBeforeTheFirstCommit(t *testing.T) {
	r := newRepository(t)
	r.write("Begin", "a.go", "b.go")
	r.git("add", "b.go")
	got, err := Uncommitted(t.Context(), r.dir, nil)
	if len(got) != 2 || got[0].How != "new" || got[1].How != "new" || err != nil {
		t.Errorf("%v, %v", got, err)
	}
}

// TestLineEndsAreNoChange checks out files with the line ends of Windows.
func TestLineEndsAreNoChange(t *testing.T) {
	r := newRepository(t)
	r.commit("Begin\n", "a.go")
	r.write("Begin\r\n", "a.go")
	if got, err := Uncommitted(t.Context(), r.dir, nil); len(got) > 0 || err != nil {
		t.Errorf("%v, %v", got, err)
	}
}

// TestUncommittedRunsNothing asks a repository that names programs for its filters.
func TestUncommittedRunsNothing(t *testing.T) {
	r := newRepository(t)
	r.commit("Begin", "a.go")
	ran := filepath.Join(t.TempDir(), "ran")
	program := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho \"$0 $*\" >> '"+ran+"'\ncat\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.write("* diff=evil filter=evil\n", ".gitattributes")
	for _, key := range []string{"filter.evil.clean", "filter.evil.process", "core.fsmonitor", "diff.evil.textconv", "gpg.program"} {
		r.git("config", key, program)
	}
	r.write("Other", "a.go")
	os.Remove(ran)
	if got, err := Uncommitted(t.Context(), r.dir, nil); len(got) != 2 || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	for _, ask := range []func() error{
		func() error { _, err := Latest(t.Context(), r.dir, "a.go", 9); return err },
		func() error { _, _, err := Authors(t.Context(), r.dir, ""); return err },
		func() error { _, err := Tags(t.Context(), r.dir, 9); return err },
	} {
		if err := ask(); err != nil {
			t.Error(err)
		}
	}
	if out, err := os.ReadFile(ran); err == nil {
		t.Errorf("it ran %s", out)
	}
	cmd := exec.Command("git", "status", "--porcelain")
	cmd.Dir = r.dir
	cmd.Run()
	if _, err := os.Stat(ran); err != nil {
		t.Errorf("the programs never run, so this test proves nothing: %v", err)
	}
}
