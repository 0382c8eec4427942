package proof

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// TestTable has a folder for each manifest, as testdata/table has them. The comment of a file names what is changed, one
// "changed: NAME" for each, and who imports what, as "import: IMPORTER IMPORTED". The file steps has what runs.
func TestTable(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "table", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	used := map[string]bool{}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := tableSteps(t, archive, used)
			want := &archive.Files[len(archive.Files)-1]
			if want.Name != "steps" {
				t.Fatalf("the last file is %s", want.Name)
			}
			if *update {
				want.Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(want.Data), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	for _, r := range table {
		for _, m := range r.manifests {
			if !used[m] {
				t.Errorf("no folder of testdata/table has a manifest %s", m)
			}
		}
	}
}

// tableSteps returns what runs in a folder of these files, a line for each step.
func tableSteps(t *testing.T, archive *txtar.Archive, used map[string]bool) string {
	t.Helper()
	root := t.TempDir()
	for _, f := range archive.Files[:len(archive.Files)-1] {
		name := filepath.Join(root, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		text := strings.TrimSuffix(strings.ReplaceAll(string(f.Data), "<BOM>", "\ufeff"), "\n")
		if strings.Contains(string(archive.Comment), "\ncrlf\n") {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, r := range table {
			for _, m := range r.manifests {
				used[m] = used[m] || matches([]string{m}, f.Name)
			}
		}
	}
	var changed []string
	importers := map[string][]string{}
	for line := range strings.Lines(string(archive.Comment)) {
		if name, ok := strings.CutPrefix(line, "changed: "); ok {
			changed = append(changed, strings.TrimSpace(name))
		} else if names, ok := strings.CutPrefix(line, "import: "); ok {
			importer, imported, _ := strings.Cut(strings.TrimSpace(names), " ")
			importers[imported] = append(importers[imported], importer)
		}
	}
	f, err := newFolder(root, nil, changed)
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	f.importers = func(path string) []string { return importers[path] }
	lines := map[string]bool{}
	for _, s := range f.steps(nil, true) {
		kind := "compile"
		if s.Tests {
			kind = "test"
		}
		lines[kind+" "+s.Source+" ("+s.Dir+"): "+strings.ReplaceAll(strings.Join(s.Command, " "), "\n", "\n\t")+"\n"] = true
	}
	return strings.Join(slices.Sorted(maps.Keys(lines)), "")
}
