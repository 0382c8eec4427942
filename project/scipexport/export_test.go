package scipexport_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"ploke-lsp/index"
	"ploke-lsp/internal/scip"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/project/scipexport"
)

// folder is a folder with its index.
type folder struct {
	ws    *workspace.Workspace
	index *index.Index
	root  string
}

func open(t *testing.T, root string) *folder {
	t.Helper()
	root, err := filepath.Abs(root)
	if err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	if err != nil {
		t.Fatal(err)
	}
	f := &folder{root: root}
	if f.ws, err = workspace.New([]string{root}, workspace.Options{}); err != nil {
		t.Fatal(err)
	}
	state := t.TempDir()
	if f.index, err = index.Open(t.Context(), f.ws, index.Options{Dir: func(string) string { return state }}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.index.Close() })
	if _, err := f.index.Update(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return f
}

// export returns the file that is written.
func (f *folder) export(t *testing.T) ([]byte, *scipexport.Stats) {
	t.Helper()
	var out bytes.Buffer
	stats, err := scipexport.Write(t.Context(), scipexport.Options{Workspace: f.ws, Index: f.index, Root: f.root,
		Version: "test", Progress: func(done, total int) {
			if done < 0 || done >= total {
				t.Errorf("%d of %d is done", done, total)
			}
		}}, &out)
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), stats
}

// graph is what a file, or an index, says: lines that name places by file and bytes.
type graph struct{ declared, referred, implemented []string }

func at(path string, start, end int) string { return fmt.Sprintf("%s:%d-%d", path, start, end) }

func (g *graph) sorted() *graph {
	for _, lines := range []*[]string{&g.declared, &g.referred, &g.implemented} {
		slices.Sort(*lines)
		*lines = slices.Compact(*lines)
	}
	return g
}

// read reads a file. Each symbol must be declared once.
func (f *folder) read(t *testing.T, data []byte) *graph {
	t.Helper()
	g, declared := &graph{}, map[string]string{}
	type reference struct{ from, symbol string }
	var references, implements []reference
	reader := scip.NewReader(bytes.NewReader(data))
	for {
		part, err := reader.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if part.Kind == scip.MetadataPart {
			continue
		}
		d, err := scip.ParseDocument(part.Data)
		if err != nil {
			t.Fatal(err)
		}
		file, err := f.ws.Read(t.Context(), filepath.Join(f.root, filepath.FromSlash(d.Path)))
		if err != nil {
			t.Fatal(err)
		}
		lines := scip.NewLines(file.Text)
		err = d.Occurrences(func(o scip.Occurrence) error {
			start, end, ok := lines.Bytes(o.Range, d.Encoding)
			where, symbol := at(d.Path, start, end), string(o.Symbol)
			switch {
			case !ok:
				t.Errorf("%s has no %+v", d.Path, o.Range)
			case o.Roles&scip.Definition == 0:
				references = append(references, reference{where, symbol})
			case declared[symbol] != "":
				t.Errorf("%s is declared at %s and %s", symbol, declared[symbol], where)
			default:
				declared[symbol] = where
				g.declared = append(g.declared, where)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		err = d.Relationships(func(symbol []byte, r scip.Relationship) error {
			if !r.Implementation || r.Reference || r.Definition {
				t.Errorf("%s is related in another way: %+v", symbol, r)
			}
			implements = append(implements, reference{string(symbol), string(r.Symbol)})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range references {
		g.referred = append(g.referred, r.from+" "+declared[r.symbol])
	}
	for _, r := range implements {
		g.implemented = append(g.implemented, declared[r.from]+" "+declared[r.symbol])
	}
	return g.sorted()
}

// indexed is what the index itself says.
func (f *folder) indexed(t *testing.T) *graph {
	t.Helper()
	g, overlay := &graph{}, f.index.Overlay(nil)
	named := func(u index.Unit) string { return at(u.Rel, u.NameStart, u.NameEnd) }
	err := f.ws.Walk(t.Context(), f.root, func(e workspace.Entry) error {
		if e.Dir || e.Skip != "" {
			return nil
		}
		units, err := f.index.Outline(t.Context(), e.Path)
		if err != nil || len(units) == 0 {
			return err
		}
		for _, u := range units {
			g.declared = append(g.declared, named(u))
			heirs, err := overlay.Implementers(t.Context(), u)
			if err != nil {
				return err
			}
			least := index.LeastConfidence(heirs)
			for _, heir := range heirs {
				if heir.Target != nil && heir.Confidence >= least && named(*heir.Target) != named(u) {
					g.implemented = append(g.implemented, named(*heir.Target)+" "+named(u))
				}
			}
		}
		edges, err := overlay.Outgoing(t.Context(), index.Unit{Path: e.Path, Kind: syntax.KindFile})
		for _, edge := range edges {
			if edge.Target != nil && edge.Confidence >= 0.15 {
				g.referred = append(g.referred, at(edge.Rel, edge.StartByte, edge.EndByte)+" "+named(*edge.Target))
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return g.sorted()
}

// differ reports the lines that only one of two lists has.
func differ(t *testing.T, what string, got, want []string) {
	t.Helper()
	if len(want) == 0 {
		t.Errorf("there are no %s", what)
	}
	for _, line := range got {
		if _, found := slices.BinarySearch(want, line); !found {
			t.Errorf("%s: %s is not in the index", what, line)
		}
	}
	for _, line := range want {
		if _, found := slices.BinarySearch(got, line); !found {
			t.Errorf("%s: %s is not in the file", what, line)
		}
	}
}

// TestWhatIsWrittenIsTheIndex reads files back that were written of code in several languages, and of our own: they say
// what the index says, and nothing else.
func TestWhatIsWrittenIsTheIndex(t *testing.T) {
	several := t.TempDir()
	archive, err := txtar.ParseFile("testdata/several.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		path := filepath.Join(several, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, root := range map[string]string{"several languages": several, "our own": "../compiler"} {
		t.Run(name, func(t *testing.T) {
			f := open(t, root)
			data, stats := f.export(t)
			got, want := f.read(t, data), f.indexed(t)
			differ(t, "declarations", got.declared, want.declared)
			differ(t, "references", got.referred, want.referred)
			differ(t, "implementations", got.implemented, want.implemented)
			if again, _ := f.export(t); !bytes.Equal(data, again) {
				t.Error("it was written differently once more")
			}
			if stats.Documents == 0 || stats.Symbols < len(got.declared) || stats.Occurrences < len(got.referred) || stats.LeftOut != 0 {
				t.Errorf("%+v was counted", stats)
			}
		})
	}
}

// TestOtherEncodings are left out: the columns of such a file are not those of its text.
func TestOtherEncodings(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.go": "package a\n\nfunc A() {}\n", "b.go": "\xef\xbb\xbfpackage a\n\nfunc B() {}\n",
		"c.go": "\xff\xfep\x00a\x00c\x00k\x00a\x00g\x00e\x00 \x00a\x00\n\x00f\x00u\x00n\x00c\x00 \x00C\x00(\x00)\x00{\x00}\x00"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f := open(t, dir)
	data, stats := f.export(t)
	if g := f.read(t, data); stats.LeftOut != 2 || strings.Join(g.declared, " ") != "a.go:16-17" {
		t.Errorf("%+v: %v is declared", stats, g.declared)
	}
}

// TestAnEndedExport is not whole, and says so.
func TestAnEndedExport(t *testing.T) {
	f := open(t, "../scipexport")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := scipexport.Write(ended, scipexport.Options{Workspace: f.ws, Index: f.index, Root: f.root,
		Progress: func(int, int) {}}, io.Discard)
	if err == nil {
		t.Error("there is no error")
	}
	full := &limited{left: 100}
	_, err = scipexport.Write(t.Context(), scipexport.Options{Workspace: f.ws, Index: f.index, Root: f.root,
		Progress: func(int, int) {}}, full)
	if err != io.ErrShortWrite {
		t.Errorf("the error is %v", err)
	}
}

// limited is a disk that becomes full.
type limited struct{ left int }

func (l *limited) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}
