package syntax_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"ploke-lsp/internal/syntax"
)

var update = flag.Bool("update", false, "rewrite the golden listings")

// TestGolden parses each fixture and compares all symbols, references, imports and problems.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			input := archive.Files[0]
			f, err := syntax.Parse(syntax.Detect(input.Name, input.Data), input.Data)
			if err != nil {
				t.Fatal(err)
			}
			checkBounds(t, f, input.Data)
			got := listing(f, input.Data)
			if *update {
				archive.Files = []txtar.File{input, {Name: "golden", Data: []byte(got)}}
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if len(archive.Files) < 2 {
				t.Fatal("no golden listing, run with -update")
			}
			if diff := cmp.Diff(string(archive.Files[1].Data), got); diff != "" {
				t.Errorf("listing differs (-want +got):\n%s", diff)
			}
		})
	}
}

// listing shows each symbol as "range kind canon | signature | doc", then the references, the
// types of first results, the imports and the problems. A range is START-END, each LINE:COLUMN, without the end; columns
// count bytes from 1.
func listing(f *syntax.File, text []byte) string {
	var b strings.Builder
	for _, s := range f.Symbols {
		fmt.Fprintf(&b, "%d:%d-%d:%d %s %s", s.StartLine, column(text, s.Start), s.EndLine, column(text, s.End), s.Kind, s.Canon)
		if s.Detail != "" {
			fmt.Fprintf(&b, " (%s)", s.Detail)
		}
		fmt.Fprintf(&b, " | %s | %s\n", s.Signature(text), strings.ReplaceAll(s.Doc(text), "\n", "⏎"))
	}
	for _, r := range f.Refs {
		b.WriteString(listedRef(r, f.Symbols))
	}
	for _, at := range f.ResultTypes {
		end := at + bytes.IndexAny(text[at:], " \n,){[")
		fmt.Fprintf(&b, "%d returns %s\n", 1+bytes.Count(text[:at], []byte{'\n'}), text[at:end])
	}
	for _, i := range f.Imports {
		b.WriteString(listedImport(i))
	}
	for _, p := range f.Problems {
		fmt.Fprintf(&b, "problem %d: %s\n", p.Line, p.Message)
	}
	return b.String()
}

func column(text []byte, at int) int { return at - bytes.LastIndexByte(text[:at], '\n') }

// listedRef shows a reference as "line kind qualifier.name on receiver from canon".
func listedRef(r syntax.Ref, symbols []syntax.Symbol) string {
	name, from := r.Name, "-"
	if r.Qualifier != "" {
		name = r.Qualifier + "." + name
	}
	if r.Receiver != "" {
		name += " on " + r.Receiver
	}
	if r.From >= 0 {
		from = symbols[r.From].Canon
	}
	return fmt.Sprintf("%d %s %s from %s\n", r.Line, r.Kind, name, from)
}

// listedImport shows an import as "line imports path {member} as local".
func listedImport(i syntax.Import) string {
	line := fmt.Sprintf("%d imports %s", i.Line, i.Path)
	if i.Member != "" {
		line += " {" + i.Member + "}"
	}
	if i.Local != "" {
		line += " as " + i.Local
	}
	return line + "\n"
}
