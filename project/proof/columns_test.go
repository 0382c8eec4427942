package proof

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"ploke-lsp/edits/evidence"
	"ploke-lsp/internal/testbed"
)

// columnsCase is a file of testdata/columns: files with characters before a problem that tools count differently, what a
// tool says of them, and what is at the places that are read from that. Its comment has "run: COMMAND" if the tests'
// machine has the tool, and "needs: PROGRAM".
type columnsCase struct {
	archive *txtar.Archive
	read    reader
	folder  *folder
}

func (c *columnsCase) part(name string) *txtar.File {
	i := slices.IndexFunc(c.archive.Files, func(f txtar.File) bool { return f.Name == name })
	return &c.archive.Files[i]
}

// says returns the value of a line of the comment, "" if there is none.
func (c *columnsCase) says(name string) string {
	for line := range strings.Lines(string(c.archive.Comment)) {
		if value, ok := strings.CutPrefix(line, name+": "); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

var unprintable = strings.NewReplacer("<BOM>", "\ufeff", "<CR>", "\r", "<LS>", "\u2028")

func columnsCases(t *testing.T) map[string]*columnsCase {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "columns", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	all, cases := readers(t), map[string]*columnsCase{}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tool, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".txtar"), "-")
		c := &columnsCase{archive: archive, read: all[tool]}
		root := t.TempDir()
		for _, f := range archive.Files {
			name := filepath.Join(root, filepath.FromSlash(f.Name))
			err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(unprintable.Replace(string(f.Data))), 0o644))
			if err != nil {
				t.Fatal(err)
			}
		}
		if c.folder, err = newFolder(root, nil, nil); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.folder.close)
		cases[file] = c
	}
	return cases
}

// places returns the places of the problems in an output, in order, with the text that is there.
func (c *columnsCase) places(t *testing.T, output string) string {
	t.Helper()
	r, err := c.read(output)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, p := range r.problems {
		p.file = strings.TrimPrefix(p.file, "/w/")
		at := p.evidence(c.folder, &Step{Dir: "."})
		if at.Path == "" {
			t.Fatalf("no place: %+v", p)
		}
		line := fmt.Sprintf("%s:%d:%d", path.Base(p.file), at.Line, at.Column)
		if at.Column > 0 {
			line += fmt.Sprintf(" %q", textAt(c.folder.read(relative(c.folder.root, at.Path)), at))
		}
		lines = append(lines, line+"\n")
	}
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "")
}

// textAt returns the text of a problem, or if it has no end, the word there.
func textAt(text string, p evidence.Problem) string {
	lines := strings.SplitAfter(text, "\n")
	at := lines[p.Line-1][p.Column-1:]
	if p.EndLine == p.Line {
		return at[:p.EndColumn-p.Column]
	}
	if end := strings.IndexFunc(at, func(r rune) bool { return !unicode.IsLetter(r) && r != '_' }); end > 0 {
		return at[:end]
	}
	return at[:1]
}

// TestColumns reads where tools say that a problem is.
func TestColumns(t *testing.T) {
	for file, c := range columnsCases(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			want := c.part("want")
			got := c.places(t, string(c.part("output").Data))
			if *update {
				want.Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(c.archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(want.Data), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestColumnsOfTheToolsHere runs the tools that there are.
func TestColumnsOfTheToolsHere(t *testing.T) {
	for file, c := range columnsCases(t) {
		command := c.says("run")
		if command == "" {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			testbed.Program(t, c.says("needs"))
			if strings.Contains(command, "$TOOLS") {
				var err error
				if os.Getenv("PLOKE_TEST_CHECK_TOOLS") == "" {
					err = errors.New("PLOKE_TEST_CHECK_TOOLS is not set")
				}
				testbed.Need(t, "what scripts/install-check-tools.sh installs", err)
			}
			cmd := exec.Command("sh", "-c", command)
			cmd.Dir = c.folder.root
			cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "GOWORK=off", "GOFLAGS=-mod=mod",
				"CARGO_TARGET_DIR="+t.TempDir(), "TOOLS="+os.Getenv("PLOKE_TEST_CHECK_TOOLS"))
			output, err := cmd.CombinedOutput() // a tool that finds something may fail
			if diff := cmp.Diff(string(c.part("want").Data), c.places(t, string(output))); diff != "" {
				t.Errorf("%v (-want +got):\n%s\n%s", err, diff, output)
			}
		})
	}
}

// TestEachWayToCountIsTried with a tool.
func TestEachWayToCountIsTried(t *testing.T) {
	tried := map[counting]bool{"dotnet": true} // which can't be had here
	for _, c := range columnsCases(t) {
		r, err := c.read(string(c.part("output").Data))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range r.problems {
			tried[p.by] = true
		}
	}
	for by := range maps.Keys(countings) {
		if !tried[by] {
			t.Errorf("no output of testdata/columns is counted by %q", by)
		}
	}
}

// TestAPlaceThatIsNotSure has no column.
func TestAPlaceThatIsNotSure(t *testing.T) {
	for _, tt := range []struct {
		by           counting
		text         string
		line, column int
		want         string
	}{
		{"any", "plain x", 1, 7, "1:7"},
		{"any", "\tplain x", 1, 8, "1:8"},
		{"any", "é x", 1, 3, "1:0"},
		{"any", "x é", 1, 2, "1:2"},
		{compiler, "\tx", 1, 2, "1:0"},
		{compiler, "x\t", 1, 2, "1:2"},
		{"go", "é x", 1, 2, "1:0"},               // in a character
		{"go", "x", 1, 2, "1:2"},                 // behind the last one
		{"go", "x", 1, 3, "1:0"},                 // behind the end
		{"go", "x\ny", 1, 3, "1:0"},              // in the next line
		{"go", "x", 2, 1, "2:0"},                 // in no line
		{"go", "x\n", 2, 1, "2:1"},               // in the empty last one
		{"script", "caf\xe9 x", 1, 6, "1:0"},     // in Latin 1
		{"script", "c\x00x\x00", 1, 3, "1:0"},    // in UTF-16
		{"script", "caf\xe9 x", 1, 4, "1:4"},     //
		{"script", "a\u2028b\r\nc", 3, 1, "2:1"}, //
		{"script", "a\u2028b", 2, 0, "1:0"},      // of the whole line
		{"rust", "\ufeffab", 1, 2, "1:2"},        // the mark is not counted
		{"go", "\ufeffab", 1, 5, "1:2"},          // it is
		{"go", "\ufeffab\ncd", 2, 2, "2:2"},      //
		{gcc, "e\u0301x", 1, 2, "1:4"},           // behind a mark on the character before
		{"maven", "1234567\tx", 1, 9, "1:9"},     // a tab of one column
		{"", "é x", 1, 3, "1:3"},                 //
		{"script", "x", 0, 0, "0:0"},             //
	} {
		line, column := tt.by.place(tt.text, tt.line, tt.column)
		if got := fmt.Sprintf("%d:%d", line, column); got != tt.want {
			t.Errorf("%s, %q, %d:%d: %s, want %s", tt.by, tt.text, tt.line, tt.column, got, tt.want)
		}
	}
}

// TestAnEndThatIsNotSure is none: a half of a place is no range.
func TestAnEndThatIsNotSure(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "a.go"), []byte("é x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := newFolder(root, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	for _, tt := range []struct {
		column, end int
		want        string
	}{{1, 3, "1:1-1:3"}, {1, 2, "1:1-0:0"}, {2, 3, "1:0-0:0"}, {1, 0, "1:1-0:0"}} {
		p := found{file: "a.go", line: 1, column: tt.column, endLine: 1, endColum: tt.end, by: "go"}.evidence(f, &Step{Dir: "."})
		if got := fmt.Sprintf("%d:%d-%d:%d", p.Line, p.Column, p.EndLine, p.EndColumn); got != tt.want {
			t.Errorf("%d to %d: %s, want %s", tt.column, tt.end, got, tt.want)
		}
	}
}
