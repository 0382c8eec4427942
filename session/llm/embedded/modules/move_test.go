package modules_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/session/llm/embedded/modules"
)

// TestImportsOfWhatMoves asks which imports a declaration needs in its new file.
func TestImportsOfWhatMoves(t *testing.T) {
	tests := []struct {
		name           string
		m              modules.Moved
		lines, missing []string
	}{
		{"Python", modules.Moved{Name: "f", Text: "def f(a: Any) -> Union[T, os.PathLike]:\n    \"\"\"Or None.\"\"\"\n    return own(a, LIMIT)\n", From: "p/a.py", To: "p/b.py",
			Before: "import os, sys\nfrom typing import (\n    Any,\n    Union,\n    None,\n)\nfrom .models import T\nLIMIT = 1\ndef own(): pass\n", Target: "from typing import Any\n"},
			[]string{"from .models import T", "from typing import Union", "import os", "from .a import LIMIT", "from .a import own"}, nil},
		{"a circle in Python", modules.Moved{Name: "f", Text: "def f(): return own()\n", From: "p/a.py", To: "p/b.py",
			Before: "from .b import x\ndef own(): pass\n",
			Loads:  modules.NewGraph([]modules.Place{{File: "p/a.py", Text: "from .b import x"}})}, nil, []string{"own"}},
		{"another folder in Python", modules.Moved{Name: "f", Text: "def f(): return T\n", From: "p/a.py", To: "q/b.py",
			Before: "from .models import T\n"}, nil, []string{"T"}},
		{"Rust", modules.Moved{Name: "f", Text: "pub fn f(r: Range<Bound>) { shown(); hidden() }\n", From: "src/a.rs", To: "src/b/mod.rs",
			Before: "use std::ops::{Bound, Range};\npub fn shown() {}\nfn hidden() {}\n", Target: "use std::ops::Range;\n"},
			[]string{"use std::ops::Bound;", "use crate::a::shown;"}, []string{"hidden"}},
		{"TypeScript", modules.Moved{Name: "f", Text: "export function f(): T { return g(h) }\n", From: "src/a.ts", To: "src/x/b.ts",
			Before: "import type { T } from 'lib';\nimport { h } from './h';\nexport const g = 1\n"},
			[]string{"import type { T } from 'lib';", "import { g } from '../a';"}, []string{"h"}},
		{"Java", modules.Moved{Name: "F", Text: "class F { List<A> a; }\n", From: "p/A.java", To: "p/B.java",
			Before: "import java.util.List;\nimport java.util.Set;\nclass A {}\n"}, []string{"import java.util.List;"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lines, missing := tt.m.Imports()
			if d := cmp.Diff(tt.lines, lines) + cmp.Diff(tt.missing, missing); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestImportersOfWhatMoves rewrites lines that import what moves.
func TestImportersOfWhatMoves(t *testing.T) {
	python := modules.Moved{Name: "f", From: "p/a.py", To: "p/b.py", Loads: modules.NewGraph([]modules.Place{{File: "p/b.py", Text: "from .c import x"}})}
	rust := modules.Moved{Name: "f", From: "c/src/a.rs", To: "c/src/b/mod.rs"}
	script := modules.Moved{Name: "f", From: "src/a.ts", To: "src/b.ts"}
	for _, tt := range []struct {
		m          modules.Moved
		file, line string
		want       []string
	}{
		{python, "p/c.py", "from .a import f", []string{"from .b import f"}},
		{python, "p/c.py", "from .a import e, f as g", []string{"from .a import e", "from .b import f as g"}},
		{python, "t/c.py", "    from p.a import f", []string{"    from p.b import f"}},
		{python, "p/c.py", "from .a import (", nil},
		{python, "t/c.py", "from other import f", nil},
		{rust, "c/src/x.rs", "pub use crate::a::f;", []string{"pub use crate::b::f;"}},
		{rust, "c/src/x.rs", "use crate::a::{e, f as g};", []string{"use crate::a::e;", "use crate::b::f as g;"}},
		{rust, "c/src/x.rs", "use crate::z::f;", nil},
		{rust, "d/src/x.rs", "use crate::a::f;", nil},
		{script, "src/x/y.ts", `import { e, f } from "../a"`, []string{`import { e } from "../a"`, `import { f } from "../b"`}},
		{script, "src/y.ts", "import type { f } from './a.ts';", []string{"import type { f } from './b.ts';"}},
		{script, "src/y.ts", "import { f } from './z';", nil},
	} {
		got, ok := tt.m.Reimported(tt.file, tt.line)
		if d := cmp.Diff(tt.want, got); d != "" || ok != (tt.want != nil) {
			t.Errorf("%s: %s", tt.line, d)
		}
	}
	if !python.Circle("p/c.py") || python.Circle("p/d.py") || rust.Circle("c/src/c.rs") {
		t.Error("circles")
	}
}

// TestPlaceOfWhatMoves puts it before tests, and its imports where others are.
func TestPlaceOfWhatMoves(t *testing.T) {
	for _, tt := range []struct {
		file, target string
		line         int
		text         string
	}{
		{"a.py", "import x\n", 1, "import x\n\n\nM"},
		{"a.py", "x\nif __name__ == '__main__':\n    x()\n", 2, "M\n\n\nif __name__ == '__main__':"},
		{"a.rs", "fn x() {}\n\n#[cfg(test)]\nmod tests {}\n", 3, "M\n\n#[cfg(test)]"},
		{"a.go", "package a\n", 1, "package a\n\nM"},
		{"a.go", "", 0, ""},
	} {
		if line, text := (modules.Moved{To: tt.file, Text: "M\n", Target: tt.target}).Placed(); line != tt.line || text != tt.text {
			t.Errorf("%s %q: %d %q", tt.file, tt.target, line, text)
		}
	}
	got := modules.WithImports("a.py", "from a import b\nfrom c import (\n    d,\n)\nx = 1\n", []string{"from a import e", "from c import f", "import g"})
	want := map[int]string{1: "from a import b, e", 4: ")\nfrom c import f\nimport g"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestImportsOfWhatMovesThere drops what moves from the lines that import it in its new file.
func TestImportsOfWhatMovesThere(t *testing.T) {
	for _, tt := range []struct {
		to, line, kept string
		ok             bool
	}{
		{"p/b.py", "from .a import f", "", true},
		{"p/b.py", "    from .a import e, f, g", "    from .a import e, g", true},
		{"p/b.py", "    f,", "", true},
		{"p/b.py", "from .a import f as g", "", false},
		{"p/b.py", "from .a import (e, f)", "", false},
		{"p/b.py", "from .a import e", "", false},
		{"src/b.rs", "use crate::a::f;", "", true},
		{"src/b.rs", "use crate::a::{e, f};", "use crate::a::{e};", true},
		{"src/b.rs", "use crate::a;", "", false},
		{"src/b.ts", "import { f } from './a';", "", true},
		{"src/b.ts", "import type { e, f } from './a.js'", "import type { e } from './a.js'", true},
		{"src/b.ts", "import f from './a';", "", false},
		{"p/B.java", "import p.A;", "", false},
	} {
		if kept, ok := (modules.Moved{Name: "f", To: tt.to}).Dropped(tt.line); kept != tt.kept || ok != tt.ok {
			t.Errorf("%s: %q, %v", tt.line, kept, ok)
		}
	}
}

// TestUnneededImports names what the old file imports for what moved alone.
func TestUnneededImports(t *testing.T) {
	m := modules.Moved{Name: "f", Text: "def f(a: Any): return os.x(re, told)\n", From: "p/a.py",
		Before: "import os, sys\nimport re\nfrom x import (\n    Any,\n    told,\n)\n__all__ = ['told']\n\ndef g(): return re.sub()\n"}
	if d := cmp.Diff([]string{"Any", "os"}, m.Unneeded()); d != "" {
		t.Error(d)
	}
}
