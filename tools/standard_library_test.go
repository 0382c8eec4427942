package tools_test

import (
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/workspace"
)

// Symbols of real code are replaced by the tool, staged, accepted and written. The file must
// contain the new code in the symbol's place, byte for byte, and the language's own parser must
// accept it.
func TestReplaceSymbolsOfTheStandardLibraries(t *testing.T) {
	testbed.Long(t)
	for name, library := range map[string]struct {
		dir              func(t *testing.T) string
		pattern, comment string
		parse            func(t *testing.T, results map[string][]byte)
	}{
		"go":     {goLibrary, "*/*.go", "// edited", parseGo},
		"python": {pythonLibrary, "*.py", "# edited", parsePython},
	} {
		t.Run(name, func(t *testing.T) {
			files, symbols := testbed.Count(10, 0), 5 // of each file
			w := newWorld(t, sampleOf(t, library.dir(t), library.pattern, files, symbols))
			random := rand.New(rand.NewPCG(1, 1))
			results := make(map[string][]byte)
			for _, file := range w.listed() {
				for range symbols {
					after := w.replaceSomeSymbol(file, library.comment, random)
					results[fmt.Sprintf("%d_%s", len(results), filepath.Base(file))] = after
				}
			}
			if len(results) != files*symbols {
				t.Errorf("%d symbols were replaced, want %d", len(results), files*symbols)
			}
			library.parse(t, results)
		})
	}
}

func goLibrary(*testing.T) string { return filepath.Join(runtime.GOROOT(), "src") }

func pythonLibrary(t *testing.T) string {
	out, err := exec.Command(testbed.Program(t, "python3"), "-c", "import sysconfig; print(sysconfig.get_path('stdlib'))").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// sampleOf returns files of a library, evenly distributed, with enough symbols to replace.
func sampleOf(t *testing.T, dir, pattern string, count, symbols int) map[string]string {
	paths, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil {
		t.Fatal(err)
	}
	var fit []string
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) < 100<<10 && workspace.Classify(text) == "" && len(longSymbols(t, path, text)) >= symbols {
			fit = append(fit, path)
		}
	}
	if len(fit) < count {
		t.Fatalf("%s has only %d files to choose from", dir, len(fit))
	}
	files := make(map[string]string)
	for i := range count {
		path := fit[i*len(fit)/count]
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[fmt.Sprintf("%02d/%s", i, filepath.Base(path))] = string(text)
	}
	return files
}

// listed returns the workspace's files.
func (w *world) listed() (files []string) {
	err := w.deps.Workspace.Walk(w.t.Context(), w.root, func(e workspace.Entry) error {
		files = append(files, e.Path)
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return files
}

// longSymbols returns the symbols of several lines that may have a comment behind the first
// line.
func longSymbols(t testing.TB, path string, text []byte) (long []syntax.Symbol) {
	file, err := syntax.Parse(syntax.Detect(path, text), text)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range file.Symbols {
		if first, _, several := strings.Cut(string(text[s.Start:s.End]), "\n"); several && !strings.HasSuffix(first, "\\") {
			long = append(long, s)
		}
	}
	return long
}

// replaceSomeSymbol adds a comment line to a symbol of the file, and returns the expected text.
func (w *world) replaceSomeSymbol(path, comment string, random *rand.Rand) []byte {
	w.t.Helper()
	before, err := os.ReadFile(path)
	if err != nil {
		w.t.Fatal(err)
	}
	symbols := longSymbols(w.t, path, before)
	s := symbols[random.IntN(len(symbols))]
	first, rest, _ := strings.Cut(string(before[s.Start:s.End]), "\n")
	body := strings.TrimLeft(rest, "\n")
	code := first + "\n" + indentAt([]byte(body), len(body)-len(strings.TrimLeft(body, " \t"))) + comment + "\n" + rest
	want := string(before[:s.Start]) + code + string(before[s.End:])
	base := indentAt(before, s.Start)
	switch form := random.IntN(3); {
	case form == 0: // as in the file
		code = base + code
	case form == 1 && carriesAll(code, base): // without indentation
		code = strings.ReplaceAll(code, "\n"+base, "\n")
	}
	w.turn = fmt.Sprint("turn ", random.Uint64())
	args, err := json.Marshal(map[string]any{"reason": "test", "edits": []any{edit{"mode": "canonical", "file": path,
		"canon": s.Canon, "kind": s.Kind, "expected_hash": workspace.Hash(before[s.Start:s.End]), "code": code}}})
	if err != nil {
		w.t.Fatal(err)
	}
	result := w.call("apply_code_edit", string(args))
	if !result.OK || !strings.Contains(string(result.Content), `"syntax_errors":[]`) {
		w.t.Errorf("%s, %s: %s", path, s.Canon, result.Content)
		return before
	}
	w.accept()
	after, err := os.ReadFile(path)
	if err != nil {
		w.t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(after)); diff != "" {
		w.t.Errorf("%s, %s (-want +got):\n%s", path, s.Canon, diff)
	}
	return after
}

// indentAt returns the indentation of an offset's line.
func indentAt(text []byte, offset int) string {
	line := string(text[strings.LastIndexByte(string(text[:offset]), '\n')+1 : offset])
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// carriesAll reports whether all lines after the first have the indentation.
func carriesAll(code, base string) bool {
	_, rest, _ := strings.Cut(code, "\n")
	for line := range strings.Lines(rest) {
		if strings.TrimRight(line, "\r\n") != "" && (!strings.HasPrefix(line, base) || strings.TrimSpace(line) == "") {
			return false
		}
	}
	return true
}

func parseGo(t *testing.T, results map[string][]byte) {
	for name, text := range results {
		if _, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func parsePython(t *testing.T, results map[string][]byte) {
	dir := t.TempDir()
	for name, text := range results {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const script = "import ast, pathlib, sys\nfor f in pathlib.Path(sys.argv[1]).iterdir(): ast.parse(f.read_bytes(), str(f))"
	if out, err := exec.Command("python3", "-W", "ignore", "-c", script, dir).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
