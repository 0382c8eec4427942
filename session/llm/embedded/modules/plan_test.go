package modules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/session/llm/embedded/modules"
)

// TestUnfit says why a declaration can't be in another file.
func TestUnfit(t *testing.T) {
	for _, tt := range []struct {
		name string
		m    modules.Moved
		want string // in the reason; "" for none
	}{
		{"one package", modules.Moved{Name: "f", From: "p/a.go", To: "p/b.go", Before: "package p\n", Target: "package p\n"}, ""},
		{"another folder", modules.Moved{Name: "f", From: "p/a.go", To: "q/b.go", Before: "package p\n", Target: "package p\n"}, "different packages"},
		{"another clause", modules.Moved{Name: "f", From: "p/a.go", To: "p/b_test.go", Before: "package p\n", Target: "package p_test\n"}, "different packages"},
		{"a test", modules.Moved{Name: "f", From: "p/a.go", To: "p/b_test.go", Before: "package p\n", Target: "package p\n"}, "for tests alone"},
		{"a system", modules.Moved{Name: "f", From: "p/a.go", To: "p/b_linux.go", Before: "package p\n", Target: "package p\n"}, "same systems"},
		{"a constraint", modules.Moved{Name: "f", From: "p/a.go", To: "p/b.go", Before: "package p\n", Target: "//go:build !x\n\npackage p\n"}, "same systems"},
		{"no system", modules.Moved{Name: "f", From: "p/a.go", To: "p/b_unix.go", Before: "package p\n", Target: "package p\n"}, ""},
		{"public Java", modules.Moved{Name: "B", Text: "/** B. */\n@X\npublic final class B {}\n", From: "p/B.java", To: "p/A.java"}, "file of its name"},
		{"Java", modules.Moved{Name: "B", Text: "class B {\n  public void f() {}\n}\n", From: "p/B.java", To: "p/A.java"}, ""},
		{"PHP", modules.Moved{Name: "B", Text: "final class B\n{\n}\n", From: "p/B.php", To: "p/A.php", Before: "<?php\nnamespace P;\n", Target: "<?php\nnamespace P;\n"},
			"by the name of its file"},
		{"a function of PHP", modules.Moved{Name: "f", Text: "function f() {}\n", From: "p/B.php", To: "p/A.php"}, "files that are loaded"},
		{"default", modules.Moved{Name: "f", Text: "export default function f() {}\n", From: "a.ts", To: "b.ts"}, "by default"},
		{"default below", modules.Moved{Name: "f", Text: "function f() {}\n", From: "a.ts", To: "b.ts", Before: "\nexport default f\n"}, "by default"},
		{"no module", modules.Moved{Name: "f", Text: "function f() {}\n", From: "a.js", To: "b.js", Before: "module.exports = { f }\n"}, "import and export"},
		{"another default", modules.Moved{Name: "f", Text: "export function f() {}\n", From: "a.ts", To: "b.ts", Before: "export default g\n"}, ""},
		{"Rust", modules.Moved{Name: "S", Text: "struct S(u8);\n", From: "src/a.rs", To: "src/b.rs", Before: "impl S {\n}\n"}, "impl blocks"},
	} {
		got := tt.m.Unfit()
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}

// TestOffered exports what moves, if what stays needs it.
func TestOffered(t *testing.T) {
	for _, tt := range []struct{ from, text, before, want string }{
		{"a.ts", "/** f. */\nasync function f() {}\n", "f()\n", "/** f. */\nexport async function f() {}\n"},
		{"a.ts", "const f = 1\n", "export { f }\n", "export const f = 1\n"},
		{"a.ts", "function f() {}\n", "g()\n", "function f() {}\n"},
		{"a.ts", "export function f() {}\n", "f()\n", "export function f() {}\n"},
		{"src/a.rs", "/// f.\nfn f() {}\n", "f();\n", "/// f.\npub(crate) fn f() {}\n"},
		{"src/a.rs", "pub fn f() {}\n", "f();\n", "pub fn f() {}\n"},
		{"a.py", "def f(): pass\n", "f()\n", "def f(): pass\n"},
	} {
		m := modules.Moved{Name: "f", From: tt.from, To: "x" + tt.from, Text: tt.text, Before: tt.before}
		if d := cmp.Diff(tt.want, m.Offered()); d != "" {
			t.Errorf("%s: %s", tt.from, d)
		}
	}
}

// TestGraph follows what modules of Python load.
func TestGraph(t *testing.T) {
	g := modules.NewGraph([]modules.Place{
		{File: "src/p/a.py", Text: "from .b import x"}, {File: "src/p/b.py", Text: "from p import c"},
		{File: "src/p/c.py", Text: "import p.q.d as e  # comment"}, {File: "src/p/q/d.py", Text: "from ..z import ("},
		{File: "lib/r/z.py", Text: "import os"},
	})
	for _, tt := range []struct {
		from, to string
		want     bool
	}{
		{"src/p/a.py", "src/p/z.py", true}, {"src/p/z.py", "src/p/a.py", false}, {"src/p/c.py", "src/p/q/d.py", true},
		{"src/p/b.py", "src/p/a.py", false},
	} {
		if g.Reaches(tt.from, tt.to) != tt.want {
			t.Errorf("%s to %s: not %v", tt.from, tt.to, tt.want)
		}
	}
	if d := cmp.Diff(`^(?:from (?:\.|p\b|t\b)|import (?:\.|p\b|t\b))`, modules.PythonLoads("src/p/a.py", "t/b.py")); d != "" {
		t.Error(d)
	}
}

// TestImportsOfGo puts imports in order, and finds those that nothing needs.
func TestImportsOfGo(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		imports    []string
		want       map[int]string
	}{
		{"in order", "package a\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\n\t\"x.y/z\"\n)\n", []string{`"io"`, `"a.b/c"`, `"path"`},
			map[int]string{5: "\t\"io\"\n\t\"os\"\n\t\"path\"", 7: "\t\"a.b/c\"\n\t\"x.y/z\""}},
		{"first of the standard library", "package a\n\nimport (\n\t\"x.y/z\"\n)\n", []string{`"io"`}, map[int]string{3: "import (\n\t\"io\"\n"}},
		{"first of others", "package a\n\nimport (\n\t\"io\"\n)\n", []string{`z "x.y/z"`}, map[int]string{5: "\n\tz \"x.y/z\"\n)"}},
		{"alone", "package a\n\nimport \"io\"\n", []string{`"fmt"`}, map[int]string{3: "import \"io\"\nimport \"fmt\""}},
		{"none", "// Package a.\npackage a\n\nvar b = []string{\n\t\"fmt\",\n}\n", []string{`"io"`}, map[int]string{2: "package a\n\nimport \"io\""}},
	} {
		if d := cmp.Diff(tt.want, modules.WithImports("a.go", tt.text, tt.imports)); d != "" {
			t.Errorf("%s: %s", tt.name, d)
		}
	}
	text := "package p\n\nimport (\n\t\"errors\"\n\t\"fmt\"\n\t\"os\"\n\t_ \"x/y\"\n)\n\nvar a = []string{\n\t\"os\",\n}\n\n" +
		"func g() error { return errors.New(\"fmt.x\") }\n"
	m := modules.Moved{Name: "f", From: "p/a.go", To: "p/b.go", Text: "func f() { fmt.Println(os.Args) } // errors.\n", Before: text}
	if d := cmp.Diff([]int{5, 6}, m.UnneededLines(text)); d != "" {
		t.Error(d)
	}
	if lines, missing := m.Imports(); !slices.Equal(lines, []string{`"fmt"`, `"os"`}) || missing != nil {
		t.Errorf("imports %q, missing %q", lines, missing)
	}
}

// TestImportsWithoutOthers puts the first imports of a file below its head.
func TestImportsWithoutOthers(t *testing.T) {
	for _, tt := range []struct {
		file, text string
		want       map[int]string
	}{
		{"a.py", "\"\"\"About\na.\n\"\"\"\nx = 1\n", map[int]string{3: "\"\"\"\n\nI"}},
		{"a.py", "x = 1\n", map[int]string{1: "I\n\nx = 1"}},
		{"a.ts", "/**\n * The module.\n */\n\n/** x. */\nexport const x = 1\n", map[int]string{3: " */\n\nI"}},
		{"a.ts", "/** x. */\nexport const x = 1\n", map[int]string{1: "I\n\n/** x. */"}},
		{"a.rs", "//! About.\n\nfn x() {}\n", map[int]string{1: "//! About.\n\nI"}},
		{"A.java", "package a;\n\nclass A {}\n", map[int]string{1: "package a;\n\nI"}},
	} {
		if d := cmp.Diff(tt.want, modules.WithImports(tt.file, tt.text, []string{"I"})); d != "" {
			t.Errorf("%s %q: %s", tt.file, tt.text, d)
		}
	}
}

// TestPlan collects the changes with which a function moves.
func TestPlan(t *testing.T) {
	use := func(file string, line int, text string) modules.Use {
		return modules.Use{Place: modules.Place{File: "/w/" + file, Line: line, Text: text}, Path: file,
			Import: strings.HasPrefix(text, "use ") || strings.HasPrefix(text, "import ")}
	}
	for _, tt := range []struct {
		name    string
		m       modules.Moved
		uses    []modules.Use
		changes []modules.Change
		broken  []string
	}{
		{"TypeScript", modules.Moved{Name: "f", Text: "function f(): T { return g }\n", From: "src/a.ts", To: "src/b.ts",
			Before: "import type { T } from './t.js'\nexport const g = 1\nf()\n", Target: "import { z } from \"./z.js\"\n"},
			[]modules.Use{use("src/c.ts", 1, "import { f } from './a.js'")},
			[]modules.Change{
				{File: "/w/src/b.ts", Line: 1, Old: "import { z } from \"./z.js\"",
					New: "import { z } from \"./z.js\"\nimport type { T } from './t.js'\nimport { g } from \"./a.js\""},
				{File: "/w/src/a.ts", Line: 1, Old: "import type { T } from './t.js'", New: "import type { T } from './t.js'\nimport { f } from \"./b.js\""},
				{File: "/w/src/c.ts", Line: 1, Old: "import { f } from './a.js'", New: "import { f } from './b.js'"},
			}, nil},
		{"Rust", modules.Moved{Name: "f", Text: "pub fn f() { x.read(); }\n", From: "src/a.rs", To: "src/d/b.rs",
			Before: "use std::io::{Read, Write};\n", Target: "use std::fmt;\n"},
			[]modules.Use{use("src/c.rs", 3, "    a::f(b::a::f, aa::f);"), use("src/d/e.rs", 4, "use crate::a::f;"), use("src/g.rs", 5, "f()")},
			[]modules.Change{
				{File: "/w/src/d/b.rs", Line: 1, Old: "use std::fmt;", New: "use std::fmt;\nuse std::io::Read;"},
				{File: "/w/src/c.rs", Line: 3, Old: "    a::f(b::a::f, aa::f);", New: "    crate::d::b::f(crate::d::b::f, aa::f);"},
				{File: "/w/src/d/e.rs", Line: 4, Old: "use crate::a::f;", New: "use crate::d::b::f;"},
			}, []string{"src/c.rs:3 if `crate::d::b` is private", "src/g.rs:5"}},
		{"a circle in Python", modules.Moved{Name: "f", Text: "def f(): pass\n", From: "p/a.py", To: "p/__init__.py", Before: "f()\n", Target: "x = 1\n",
			Loads: modules.NewGraph([]modules.Place{{File: "p/__init__.py", Text: "from .b import c"}, {File: "p/b.py", Text: "from .a import d"}})},
			nil, nil, []string{"p/a.py and p/__init__.py would load each other"}},
		{"a package of Python", modules.Moved{Name: "f", Text: "def f(): pass\n", From: "p/a.py", To: "p/__init__.py", Before: "f()\n", Target: "x = 1\n"},
			nil, []modules.Change{{File: "/w/p/a.py", Line: 1, Old: "f()", New: "from . import f\n\nf()"}}, nil},
	} {
		got := modules.NewPlan(tt.m, "/w/"+tt.m.From, "/w/"+tt.m.To, tt.m.Before, tt.uses)
		if d := cmp.Diff(tt.changes, got.Changes) + cmp.Diff(tt.broken, got.Broken); d != "" {
			t.Errorf("%s: %s", tt.name, d)
		}
	}
}
