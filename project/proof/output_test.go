package proof

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"ploke-lsp/edits/evidence"
)

var update = flag.Bool("update", false, "write what is read from the outputs")

// readers are those of the table, by the names of the tools.
func readers(t *testing.T) map[string]reader {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module m\n", "src/test/java/com/x/AppTest.java": "\n"} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := newFolder(root, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.close)
	p := &part{folder: f, dir: "."}
	return map[string]reader{"vet": readVet, "gotest": p.readGoTest(), "cargo": readCargo, "ruff": readRuff, "eslint": readESLint,
		"jest": readJest, "vitest": readJest, "script": readScript, "rspec": readRSpec, "pytest": readPytest, "mvn": p.readMaven(),
		"phpunit": reading(phpunitFormats, phpunitBlocks), "minitest": reading(rubyTestFormats, minitestBlocks, testUnitBlocks),
		"mix": reading(mixFormats, mixBlocks), "dotnet": reading(dotnetFormats, dotnetBlocks), "ctest": reading(cFormats, ctestBlocks),
		"c":       lines(cFormats),
		"pyright": lines(pyrightFormats), "tsc": lines(tscFormats), "javac": lines(javaFormats), "mypy": lines(mypyFormats),
		"python": lines(pythonFormats),
		"ruby":   lines(rubyFormats), "php": lines(phpFormats), "any": lines(anyFormats)}
}

// TestOutput reads what the tools print, as testdata/output has it: the name of a file begins with that of its reader.
func TestOutput(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "output", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	all := readers(t)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			tool, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".txtar"), "-")
			read := all[tool]
			if read == nil || len(archive.Files) != 2 {
				t.Fatalf("%d parts; reader %q", len(archive.Files), tool)
			}
			r, err := read(string(archive.Files[0].Data))
			if err != nil {
				t.Fatal(err)
			}
			got := words(r)
			if *update {
				archive.Files[1].Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(archive.Files[1].Data), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, cut := range []int{len(archive.Files[0].Data) / 3, len(archive.Files[0].Data) / 2} { // as by a crash
				if _, err := read(string(archive.Files[0].Data[:cut])); err != nil {
					t.Errorf("cut after %d bytes: %v", cut, err)
				}
			}
			if crlf, err := read(strings.ReplaceAll(string(archive.Files[0].Data), "\n", "\r\n")); err != nil || words(crlf) != got {
				t.Errorf("with CRLF: %v\n%s", err, cmp.Diff(got, words(crlf)))
			}
		})
	}
}

// words writes what was read in lines.
func words(r report) string {
	var b strings.Builder
	for _, p := range r.problems {
		fmt.Fprintf(&b, "%s:%d:%d", p.file, p.line, p.column)
		if p.endLine > 0 {
			fmt.Fprintf(&b, "-%d:%d", p.endLine, p.endColum)
		}
		fmt.Fprintf(&b, ": %s", p.message)
		if p.code != "" {
			fmt.Fprintf(&b, " [%s]", p.code)
		}
		if p.warning {
			b.WriteString(" (warning)")
		}
		b.WriteString("\n")
	}
	if r.tests != (evidence.Tests{}) {
		fmt.Fprintf(&b, "%d passed, %d failed\n", r.tests.Passed, r.tests.Failed)
	}
	if r.failed {
		b.WriteString("it says that it has found something\n")
	}
	if r.nothing || r.noFiles() {
		b.WriteString("it has looked at nothing\n")
	}
	if r.noTests() {
		b.WriteString("no tests\n")
	}
	return b.String()
}
