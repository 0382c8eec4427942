package scipindex

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"ploke-lsp/internal/scip"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/project/compiler"
)

// gigabyte is how many bytes the index of the benchmark has.
const gigabyte = 1 << 30

// BenchmarkGigabyte reads an index of 1 GB, and asks it for a symbol of 200 documents. It reports the memory of the
// process after that, which it does not give back before, and that of the table.
func BenchmarkGigabyte(b *testing.B) {
	dir, err := filepath.EvalSymlinks(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(b.TempDir(), "index-big.scip")
	writeGigabyte(b, path, dir)
	ws, err := workspace.New([]string{dir}, workspace.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		files := New(Options{Workspace: ws, Paths: func() []string { return []string{path} }})
		t, err := files.table(b.Context(), path)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(t.bytes)/1e6, "MB-of-table")
		b.ReportMetric(float64(len(t.documents)), "documents")
		file, err := ws.Read(b.Context(), filepath.Join(dir, "src/f0.ts"))
		if err != nil {
			b.Fatal(err)
		}
		a, err := files.References(b.Context(), compiler.Question{Path: file.Path, Offset: 6, Hash: file.Hash})
		if err != nil || len(a.Places) != 199 {
			b.Fatalf("%v: %d places", err, len(a.Places))
		}
		b.ReportMetric(float64(a.Took.Milliseconds()), "ms-of-question")
		files.Close()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.Sys-m.HeapReleased)/1e6, "MB-of-process")
}

// writeGigabyte writes an index whose documents are like those of scip-typescript, 41 KB each. 200 of them exist.
func writeGigabyte(b *testing.B, path, dir string) {
	out, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer out.Close()
	buffered := bufio.NewWriterSize(out, 1<<20)
	w, err := scip.NewWriter(buffered, scip.Metadata{Tool: "scip-typescript", Version: "0.4.0", Root: "file://" + dir})
	if err != nil {
		b.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "src"), 0o755); err != nil {
		b.Fatal(err)
	}
	const lines = 500
	text := bytes.Repeat([]byte("const value = other;\n"), lines)
	for i, size := 0, 0; size < gigabyte; i++ {
		d := scip.NewDocument{Path: fmt.Sprintf("src/f%d.ts", i), Language: "TypeScript", Encoding: scip.UTF16}
		if i < 200 {
			if err := os.WriteFile(filepath.Join(dir, d.Path), text, 0o644); err != nil {
				b.Fatal(err)
			}
		}
		prefix := fmt.Sprintf("scip-typescript npm shop 1.0.0 src/folder%d/`f%d.ts`/", i/10, i)
		for line := range int32(lines) {
			declared := fmt.Sprintf("%svalue%d.", prefix, line)
			used := fmt.Sprintf("%svalue%d.", prefix, line/3)
			if line == 0 && i < 200 { // declared in the first one, used in the others
				declared = "scip-typescript npm shop 1.0.0 src/shared."
			}
			role := scip.Definition
			if line == 0 && 0 < i && i < 200 {
				role = 0
			}
			d.Occurrences = append(d.Occurrences,
				scip.NewOccurrence{Occurrence: scip.Occurrence{Range: scip.Range{StartLine: line, StartChar: 6, EndLine: line, EndChar: 11},
					Symbol: []byte(declared), Roles: role}},
				scip.NewOccurrence{Occurrence: scip.Occurrence{Range: scip.Range{StartLine: line, StartChar: 14, EndLine: line, EndChar: 19},
					Symbol: []byte(used)}})
			size += len(declared) + len(used) + 26
		}
		if err := w.Document(d); err != nil {
			b.Fatal(err)
		}
	}
	if err := buffered.Flush(); err != nil {
		b.Fatal(err)
	}
}
