package workspace

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// ruleFiles are the texts of ignore files by path, and index.exclude by the name exclude.
type ruleFiles map[string]string

// ignoreTests maps a name to files, the ignore rules, and the files that Walk visits
// besides the ignore files. The expectations for .gitignore were compared with git.
var ignoreTests = map[string]struct {
	files string
	rules ruleFiles
	want  string
}{
	"names, folders, anchors": {"a.log b/a.log build/x src/build/y src/build.go todo src/todo doc/x.txt doc/y.txt",
		ruleFiles{".gitignore": "*.log\nbuild/\n/todo\ndoc/*.txt\n"}, "src/build.go src/todo"},
	"negation": {"a.log keep.log b/keep.log", ruleFiles{".gitignore": "*.log\n!keep.log\n"}, "b/keep.log keep.log"},
	"an ignored folder can't be entered again": {"out/keep x", ruleFiles{".gitignore": "out\n!out/keep\n"}, "x"},
	"everything but": {"a.go b.txt src/a.go src/deep/a.go src/b.txt",
		ruleFiles{".gitignore": "*\n!*/\n!*.go\n"}, "a.go src/a.go src/deep/a.go"},
	"a folder brought back is not its content": {"src/a.go lib/b.go", ruleFiles{".gitignore": "*\n!src\n"}, ""},
	"nested": {"a.txt sub/a.txt sub/b.txt sub/deep/b.txt b.txt",
		ruleFiles{".gitignore": "a.txt\n", "sub/.gitignore": "!a.txt\n/b.txt\n"}, "b.txt sub/a.txt sub/deep/b.txt"},
	"double stars": {"x/a/y x/b/c/a/y x/y a/b/c/d", ruleFiles{".gitignore": "x/**/y\n**/c/d\n"}, ""},
	"spaces, comments, CRLF, classes, escapes": {"a1 ab #x t !b",
		ruleFiles{".gitignore": "# a comment\r\na[0-9]\r\n\\#x\r\nt   \r\n\\!b\r\n\r\n"}, "ab"},
	"byte order marks": {"a b c d",
		ruleFiles{".gitignore": "\uFEFFa\n", ".ignore": "\uFEFF# b\n/c\n", ".git/info/exclude": "\uFEFFd\r\n"}, "b"},
	"precedence of the ignore files": {"a b c d sub/a",
		ruleFiles{".gitignore": "a\nb\nc\n", ".ignore": "!a\n!b\nd\n", ".plokeignore": "b\n!d\n", "sub/.gitignore": "a\n"}, "a d sub/a"},
	"the repository's own excludes are the weakest": {"a b", ruleFiles{".git/info/exclude": "a\nb\n", ".gitignore": "!b\n"}, "b"},
	"options take precedence":                       {"a b sub/c", ruleFiles{".gitignore": "a\n", ".plokeignore": "!b\n", "exclude": "b\n!a\nsub/"}, "a"},
	"version control, but no other hidden files":    {".git/config .hg/x .svn/x sub/.git .github/w.yml", nil, ".github/w.yml"},
}

// TestIgnore checks that Walk, Skipped and List agree.
func TestIgnore(t *testing.T) {
	for name, tt := range ignoreTests {
		t.Run(name, func(t *testing.T) {
			files := make(map[string]string)
			for f := range strings.FieldsSeq(tt.files) {
				files[f] = ""
			}
			maps.Copy(files, tt.rules)
			delete(files, "exclude")
			opts := Options{Exclude: strings.Fields(tt.rules["exclude"])}
			dir := tree(t, files)
			visited := make(map[string]bool)
			var got []string
			for _, rel := range rels(walk(t, open(t, opts, dir), dir)) {
				visited[rel] = true
				if tt.rules[rel] == "" {
					got = append(got, rel)
				}
			}
			if diff := cmp.Diff(strings.Fields(tt.want), got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("Walk visits (-want +got):\n%s", diff)
			}
			checkSkippedAndList(t, open(t, opts, dir), dir, files, visited)
		})
	}
}

// checkSkippedAndList compares Skipped and List of a workspace that has not walked with
// the files that Walk visits.
func checkSkippedAndList(t *testing.T, w *Workspace, dir string, files map[string]string, visited map[string]bool) {
	t.Helper()
	for f := range files {
		if skip := w.Skipped(filepath.Join(dir, f)); (skip == "") != visited[f] {
			t.Errorf("Skipped(%s) = %q, but Walk visits it: %v", f, skip, visited[f])
		}
	}
	entries, err := w.List(t.Context(), dir, 99)
	if err != nil {
		t.Fatal(err)
	}
	listed := make(map[string]bool)
	for _, e := range entries {
		if !e.Dir {
			listed[e.Rel] = true
		}
	}
	if diff := cmp.Diff(visited, listed); diff != "" {
		t.Errorf("List differs from Walk (-Walk +List):\n%s", diff)
	}
}

func TestOuterRules(t *testing.T) {
	dir := tree(t, map[string]string{
		".git/HEAD": "", ".gitignore": "*.log\n/tmp/\n", "app/.gitignore": "gen/\n",
		"app/cmd/x.go": "", "app/cmd/x.log": "", "app/cmd/gen/y.go": "",
		"tmp/scratch/a.go": "", "tmp/scratch/a.log": "",
	})
	root := filepath.Join(dir, "app/cmd")
	if diff := cmp.Diff([]string{"x.go"}, rels(walk(t, open(t, Options{}, root), root))); diff != "" {
		t.Errorf("a root inside a repository:\n%s", diff)
	}
	root = filepath.Join(dir, "tmp/scratch")
	if diff := cmp.Diff([]string{"a.go", "a.log"}, rels(walk(t, open(t, Options{}, root), root))); diff != "" {
		t.Errorf("a root that the repository ignores:\n%s", diff)
	}
}
