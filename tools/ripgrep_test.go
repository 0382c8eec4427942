//go:build !race

package tools_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/workspace"
)

// searched are patterns as people and models write them. The words below are inserted into
// searchedForms.
var searched = []string{
	`if err != nil \{`, `errors\.New\("`, `fmt\.Errorf\(.*%w`, `func \(\w+ \*?Server\) \w+`, `^package \w+$`, `^func Test\w+\(t \*testing\.T\) \{$`,
	`TODO|FIXME|XXX`, `(?i)deprecated`, `(?i)todo\(\w+\)`, `(?i:bug|issue) ?#?\d+`, `https?://[^\s"')]+`, `\b0x[0-9a-fA-F]{8}\b`, `\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}`,
	`[A-Z][A-Z0-9_]{15,}`, `\w+\.Close\(\)$`, `defer \w+\.Unlock\(\)`, `go func\(\) \{`, `select \{$`, `case <-\w+:`, `chan<- \w+`,
	`interface\{\}`, `\[\]byte\(nil\)`, `map\[string\]\[\]\w+`, `func\(\w+, \w+ \w+\) \w+ \{`, `return nil, (?:err|fmt\.Errorf)`,
	`^\s*//go:(?:build|noescape|linkname)`, `^//go:build .*(?:linux|darwin)`, `\+build`, `^import \(`, `"[a-z]+/[a-z]+"$`,
	`^\t+\}$`, `^\}$`, `^$`, `[ \t]+$`, `;$`, `,$`, `^\s+$`, `\t{6,}\S`, `[ -~]{200,}`, `^[!-~]{1,3}$`,
	`\bi\+\+`, `a\|b`, `\$\{?\w+\}?`, `<[a-z]+>`, `\\n"`, "`[^`]+`", `'\\?\w'`, `\(\)\(\)`, `[a-z]\d[a-z]`, `(?i)mutex|atomic`,
	`\bfoo\b`, `\Bfoo\B`, `foo|bar|baz`, `(foo|bar)+`, `fo{2,}`, `[fb]oo?`, `x*y`, `(?s)a[ -~]b`, `(?U)a.+b`, `\bT\[\w+\]`,
	`[[:upper:]][[:digit:]]+`, `[ -@]q[ -t]`, `\x41\x42`, `[!-~]{120,}`, `(?i)MASK`, `-\w+=\w+`, `\.go:\d+`, `1e[+-]?\d+`, `=\s*&\w+\{\}`, `\.\.\.\)`,
}

var (
	searchedWords = []string{"Handler", "context", "err", "Reader", "unsafe", "len", "mutex", "syscall", "string", "xyzzy", "Copyright", "uint64", "nil"}
	searchedForms = []string{`%s`, `\b%s\b`, `(?i)%s`, `^.*%s\(`, `%s$`, `\w%s`, `%s\.\w+\(`, `[A-Z]\w*%s`, `//.*%s`, `%s[^\w\s]+\w`}
)

// searchedCharacters are patterns that count characters beyond ASCII. With --no-unicode ripgrep
// counts their bytes.
var searchedCharacters = []string{`.{200,}`, `^.{1,3}$`, `'\\?.'`, `[—–]\s`, `é|ü|世界`, `[^a-z]q[^u]`, `a.b`, `\x{4e16}.`, `\p{Greek}`, `(?i)straße|strasse`, `(?i)ſ`}

// searchedTrees are parts of Go's source: the first has much assembly and C, the second long
// lines of numbers, the third txtar scripts and lines that end in a carriage return. A pattern is
// looked for in one of them, and in all of them with [testbed.Soak]: that takes minutes.
var searchedTrees = []string{"runtime", "crypto", "cmd/go"}

// search_text finds the same lines in Go's own source as ripgrep, with the same beginning and
// end of the match. With --no-unicode \w, \b and the like mean ASCII, as in RE2; with --crlf a
// line may end in a carriage return. The race detector makes the test take minutes.
func TestSearchFindsWhatRipgrepFinds(t *testing.T) {
	testbed.Program(t, "rg")
	var worlds []*world
	var files [][]string
	for _, tree := range searchedTrees {
		w := &world{t: t, root: filepath.Join(runtime.GOROOT(), "src", filepath.FromSlash(tree))}
		w.openUnindexed()
		worlds, files = append(worlds, w), append(files, w.texts())
	}
	patterns := searched
	for _, word := range searchedWords {
		for _, form := range searchedForms {
			patterns = append(patterns, fmt.Sprintf(form, word))
		}
	}
	if len(patterns) != 200 {
		t.Errorf("%d patterns, want 200", len(patterns))
	}
	trees := min(testbed.Count(1, 1), len(worlds))
	compare := func(first int, pattern string, options ...string) {
		t.Run(pattern, func(t *testing.T) {
			t.Parallel()
			for n := range trees {
				i := (first + n) % len(worlds)
				own := *worlds[i]
				own.t = t
				own.compareToRipgrep(pattern, files[i], options...)
			}
		})
	}
	for n, pattern := range patterns {
		compare(n, pattern, "--no-unicode")
	}
	for n, pattern := range searchedCharacters {
		compare(n, pattern)
	}
}

// compareToRipgrep compares the number of lines, and the first five hundred, whose files may come
// in another order.
func (w *world) compareToRipgrep(pattern string, files []string, options ...string) {
	w.t.Helper()
	args, err := json.Marshal(map[string]any{"pattern": pattern, "limit": 500})
	if err != nil {
		w.t.Fatal(err)
	}
	var got struct {
		Matches []foundLine
		Omitted int
	}
	if err := json.Unmarshal(w.call("search_text", string(args)).Content, &got); err != nil {
		w.t.Fatal(err)
	}
	all, byFile := w.ripgrep(pattern, files, options)
	if all != len(got.Matches)+got.Omitted {
		w.t.Errorf("%s: %d lines, ripgrep finds %d", pattern, len(got.Matches)+got.Omitted, all)
	}
	var want []foundLine
	for _, m := range got.Matches { // of a file, the first lines are shown
		if lines := byFile[m.File]; len(lines) > 0 {
			want = append(want, lines[0])
			byFile[m.File] = lines[1:]
		}
	}
	if diff := cmp.Diff(want, got.Matches, cmpopts.EquateEmpty()); diff != "" || len(got.Matches) != min(500, all) {
		w.t.Errorf("%s (-ripgrep +search_text):\n%.1500s", pattern, diff)
	}
}

// foundLine is a line with the first match in it.
type foundLine struct {
	File      string
	Line      int
	StartByte int `json:"start_byte"`
	EndByte   int `json:"end_byte"`
}

// texts returns the files that are searched, in the order of the walk.
func (w *world) texts() []string {
	w.t.Helper()
	var files []string
	err := w.deps.Workspace.Walk(w.t.Context(), w.root, func(e workspace.Entry) error {
		if e.Skip != "" {
			return nil
		}
		f, err := w.deps.Workspace.Read(w.t.Context(), e.Path)
		if err == nil && workspace.Classify(f.Text) == "" {
			files = append(files, e.Path)
		}
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return files
}

// ripgrep returns the number of lines that rg finds in files, and these lines by file.
func (w *world) ripgrep(pattern string, files, options []string) (count int, byFile map[string][]foundLine) {
	w.t.Helper()
	args := append(options, "--no-config", "--crlf", "--text", "--only-matching", "--no-heading", "--with-filename",
		"--line-number", "--byte-offset", "--null", "--regexp", pattern, "--")
	rg := exec.Command("rg", append(args, files...)...)
	var stderr strings.Builder
	rg.Stderr = &stderr
	out, err := rg.Output()
	if err != nil && rg.ProcessState.ExitCode() != 1 {
		w.t.Errorf("rg %s: %v %s", pattern, err, stderr.String())
	}
	byFile = make(map[string][]foundLine)
	for row := range bytes.Lines(out) {
		path, rest, ok := bytes.Cut(row, []byte{0})
		fields := bytes.SplitN(bytes.TrimRight(rest, "\r\n"), []byte(":"), 3)
		if !ok || len(fields) != 3 {
			w.t.Fatalf("rg %s printed %q", pattern, row)
		}
		f := foundLine{File: string(path), Line: number(w.t, fields[0]), StartByte: number(w.t, fields[1])}
		f.EndByte = f.StartByte + len(fields[2])
		lines := byFile[f.File]
		if n := len(lines); n == 0 || lines[n-1].Line != f.Line {
			byFile[f.File] = append(lines, f)
			count++
		}
	}
	return count, byFile
}

func number(t testing.TB, digits []byte) int {
	t.Helper()
	n, err := strconv.Atoi(string(digits))
	if err != nil {
		t.Fatal(err)
	}
	return n
}
