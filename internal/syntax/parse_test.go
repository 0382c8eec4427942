package syntax_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/syntax"
)

func TestOccurrences(t *testing.T) {
	for _, c := range []struct {
		language, text string
		lines          []int
	}{
		{"go", "package p\n\n// run\nfunc run() {\n\t_ = \"run\"\n\tx.run(runner)\n}\n\ntype T struct{ run int }\n", []int{4, 6, 9}},
		{"python", "def run():\n    'run'\n    # run\n    return f\"{run()} run\"\n", []int{1, 4}},
		{"typescript", "const run = { run: 1 };\nlet a = {run};\ntype run = run;\nx.run;\n`run ${run}`", []int{1, 1, 2, 3, 3, 4, 5}},
		{"rust", "fn run() { println!(\"run {}\", run); }\n", []int{1, 1}},
		{"ruby", "def run(x)\n  # run\n  puts \"run #{x.run}\"\nend\n", []int{1, 3}},
		{"php", "<?php\nfunction run($run) { // run\n  return 'run' . self::run();\n}\n", []int{2, 2, 3}},
		{"cpp", "namespace run { int run(); }\n// run\nint A::run() { return run::run() + \"run\"; }\n", []int{1, 1, 3, 3, 3}},
		{"java", "class run { void run() {\n// run\nthis.run(\"run\", run::run); } }\n", []int{1, 1, 3, 3, 3}},
		{"csharp", "class run { void run() {\n// run\nthis.run($\"run {run}\", run => run); } }\n", []int{1, 1, 3, 3, 3, 3}},
		{"kotlin", "class run { fun run() {\n// run\nthis.run(\"run $run ${run}\") } }\n", []int{1, 1, 3, 3, 3}},
		{"scala", "class run { def run() = {\n// run\nthis.run(s\"run $run ${run}\") } }\n", []int{1, 1, 3, 3, 3}},
		{"bash", "run() {\n  local run=1 # run\n  echo \"run $run\"\n}\nrun\n", []int{1, 2, 3, 5}},
		{"lua", "local function run()\n  -- run\n  return x.run(\"run\")\nend\n\nrun()\n", []int{1, 3, 6}},
		{"elixir", "defmodule A do\n  def run(x), do: \"run #{run(x)}\" # run\n  @run :run\nend\n", []int{2, 2, 3}},
		{"hcl", "run = var.run # run\nx = \"run ${local.run}\"\n", []int{1, 1, 2}},
		{"protobuf", "// run\nmessage run { run run = 1; }\n", []int{2, 2, 2}},
		{"sql", "-- run\ncreate table run (run text default 'run');\nselect 1 from run;\n", []int{2, 2, 3}},
		{"ocaml", "let run x = run x (* run *)\nlet y = A.run \"run\"\n", []int{1, 1, 2}},
		{"ocaml-interface", "(** run *)\nval run : run -> int\n", []int{2, 2}},
		{"c", "int run(void);\nstruct run { int run; } ;\n", []int{1, 2, 2}},
	} {
		spans, err := syntax.Occurrences(c.language, []byte(c.text), "run")
		if err != nil {
			t.Fatal(err)
		}
		var lines []int
		for _, s := range spans {
			lines = append(lines, s.Line)
			if c.text[s.Start:s.End] != "run" {
				t.Errorf("%s: the span on line %d reads %q", c.language, s.Line, c.text[s.Start:s.End])
			}
		}
		if diff := cmp.Diff(c.lines, lines); diff != "" {
			t.Errorf("%s: lines differ (-want +got):\n%s", c.language, diff)
		}
	}
}

func TestUnknownLanguage(t *testing.T) {
	if _, err := syntax.Parse("cobol", nil); err == nil {
		t.Error("no error for a language without a grammar")
	}
}

// TestAnyText parses text that is no program: nothing panics, and all offsets lie within the
// text.
func TestAnyText(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 1000)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	texts := []string{
		"", "\n", "\xff\xfe\xfd", "func \xc3\x28() {}", "\r\n\r\nclass A:\r\n  x = 1\r\n", string(noise),
		strings.Repeat("(", 500), strings.Repeat("{[\"'`", 50), "class class class :::", "fn fn(fn) -> {",
	}
	for _, language := range []string{"go", "python", "javascript", "typescript", "tsx", "rust", "c", "cpp",
		"java", "csharp", "kotlin", "scala", "ruby", "php", "bash", "lua", "swift", "elixir", "ocaml", "ocaml-interface", "hcl", "protobuf", "sql",
	} {
		for _, text := range texts {
			f, err := syntax.Parse(language, []byte(text))
			if err != nil {
				t.Errorf("%s: %v", language, err)
				continue
			}
			checkBounds(t, f, []byte(text))
		}
	}
}

func checkBounds(t *testing.T, f *syntax.File, text []byte) {
	t.Helper()
	lines := bytes.Count(text, []byte{'\n'}) + 1
	for i, s := range f.Symbols {
		s.Signature(text)
		s.Doc(text)
		if !(0 <= s.Start && s.Start <= s.NameStart && s.NameStart <= s.NameEnd && s.NameEnd <= s.End &&
			s.Start <= s.BodyStart && s.BodyStart <= s.End && s.End <= len(text) && s.DocStart <= s.DocEnd && s.DocEnd <= len(text)) ||
			s.Parent >= i || s.StartLine < 1 || s.EndLine < s.StartLine || s.EndLine > lines || s.Name == "" {
			t.Errorf("%s: symbol out of bounds: %+v", f.Language, s)
		} else if s.Parent >= 0 && (s.Start < f.Symbols[s.Parent].Start || s.End > f.Symbols[s.Parent].End) {
			t.Errorf("%s: symbol outside of its parent: %+v", f.Language, s)
		}
	}
	for _, r := range f.Refs {
		if r.Start < 0 || r.End > len(text) || r.From >= len(f.Symbols) || r.Name == "" {
			t.Errorf("%s: reference out of bounds: %+v", f.Language, r)
		}
	}
	for _, i := range f.Imports {
		if i.Start < 0 || i.End > len(text) || i.Start > i.End || i.Line < 1 || i.Member == "" && i.Path == "" {
			t.Errorf("%s: import out of bounds: %+v", f.Language, i)
		}
	}
	if len(f.Problems) > f.ProblemCount {
		t.Errorf("%s: %d problems of %d", f.Language, len(f.Problems), f.ProblemCount)
	}
}

func TestConcurrent(t *testing.T) {
	texts := map[string]string{"go": "package p\nfunc F() { g() }\n", "python": "def f():\n  g()\n", "rust": "fn f() { g(); }\n"}
	var group sync.WaitGroup
	for range 8 {
		for language, text := range texts {
			group.Go(func() {
				f, err := syntax.Parse(language, []byte(text))
				if err != nil || len(f.Symbols) != 1 || len(f.Refs) != 1 {
					t.Errorf("%s: %+v, %v", language, f, err)
				}
			})
		}
	}
	group.Wait()
}
