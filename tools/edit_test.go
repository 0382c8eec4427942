package tools_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/workspace"
)

// edit is one edit of a call, without the file.
type edit map[string]any

const goText = `package p

// S is a server.
type S struct {
	a int // first
}

// Run runs.
func (s *S) Run() {
	s.a++
}

func Stop() {}

const c = 1
`

const pyText = `class A:
    def one(self):
        return 1

    # Two.
    @cached
    def two(self):
        return 2


class B:
    pass
`

const tsText = `export class A {
  one(): number {
    return 1;
  }
}

interface B {}
function c() { one(); }
`

// TestEdits checks where an edit goes, and the resulting text.
func TestEdits(t *testing.T) {
	for _, test := range []struct {
		name, file, text string
		edit             edit
		old, new         string // of the text: what the edit replaces, and the replacement
	}{
		{"replace a function", "a.go", goText, edit{"canon": "S::Run", "code": "func (s *S) Run() {\n\ts.a--\n}\n"}, "s.a++", "s.a--"},
		{"replace it with its doc", "a.go", goText, edit{"canon": "S::Run", "code": "// Run walks.\nfunc (s *S) Run() {\n\ts.a++\n}"}, "Run runs", "Run walks"},
		{"replace in lines with carriage returns", "a.go", crlf(goText), edit{"canon": "S::Run", "code": "func (s *S) Run() {\n\ts.a--\n}\n"}, "s.a++", "s.a--"},
		{"kind tells apart", "a.go", goText, edit{"canon": "c", "kind": "constant", "code": "const c = 2"}, "c = 1", "c = 2"},
		{"replace a method as in the file", "a.py", pyText, edit{"canon": "A::one", "code": "    def one(self):\n        return 11\n"}, "return 1\n", "return 11\n"},
		{"replace a method without indentation", "a.py", pyText, edit{"canon": "A::one", "code": "def one(self):\n    if 1:\n        return 11"}, "return 1\n", "if 1:\n            return 11\n"},
		{"replace a method without its first line's", "a.py", pyText, edit{"canon": "A::one", "code": "def one(self):\n        return 11"}, "return 1\n", "return 11\n"},
		{"replace a method in braces without its first line's", "a.ts", tsText, edit{"canon": "A::one", "code": "one(): number {\n    return 11;\n  }"}, "return 1;", "return 11;"},
		{"replace a method in braces without indentation", "a.ts", tsText, edit{"canon": "A::one", "code": "one(): number {\n  return 11;\n}"}, "return 1;", "return 11;"},

		{"before", "a.go", goText, edit{"canon": "S::Run", "at": "before", "code": "func New() *S { return nil }"}, "// Run runs", "func New() *S { return nil }\n\n// Run runs"},
		{"after", "a.go", goText, edit{"canon": "S::Run", "at": "after", "code": "func New() *S {\n\treturn nil\n}\n"}, "func Stop", "func New() *S {\n\treturn nil\n}\n\nfunc Stop"},
		{"after a field", "a.go", goText, edit{"canon": "S::a", "at": "after", "code": "b int"}, "// first\n", "// first\n\tb int\n"},
		{"before a method in its class", "a.py", pyText, edit{"canon": "A::two", "at": "before", "code": "def x(self):\n    pass"}, "    # Two.", "    def x(self):\n        pass\n\n    # Two."},
		{"last in a class", "a.py", pyText, edit{"canon": "A", "at": "last", "code": "def x(self):\n    pass"}, "return 2\n", "return 2\n\n    def x(self):\n        pass\n"},
		{"last in a class without members", "a.py", pyText, edit{"canon": "B", "at": "last", "code": "x = 1"}, "pass\n", "pass\n    x = 1\n"},
		{"first in a class", "a.ts", tsText, edit{"canon": "A", "at": "first", "code": "zero() {}"}, "A {\n", "A {\n  zero() {}\n\n"},
		{"first in an empty body", "a.ts", tsText, edit{"canon": "B", "at": "first", "code": "x: string;"}, "B {}", "B {\n  x: string;\n}"},
		{"last in a body on one line", "a.ts", tsText, edit{"canon": "c", "at": "last", "code": "two();"}, "one(); }", "one();\n  two();\n}"},
		{"first in a function's body", "a.go", goText, edit{"canon": "S::Run", "at": "first", "code": "s.lock()"}, "Run() {\n", "Run() {\n\ts.lock()\n"},
		{"last in a function's body", "a.go", goText, edit{"canon": "S::Run", "at": "last", "code": "s.a--"}, "s.a++\n", "s.a++\n\ts.a--\n"},
		{"last in a type with methods elsewhere", "a.go", goText, edit{"canon": "S", "at": "last", "code": "b int"}, "// first\n", "// first\n\tb int\n"},
		{"last in the file", "a.go", goText, edit{"at": "last", "code": "var x = 1"}, "const c = 1\n", "const c = 1\n\nvar x = 1\n"},
		{"first in the file", "a.go", goText, edit{"at": "first", "code": "var x = 1"}, "// S is", "var x = 1\n\n// S is"},

		{"delete with the doc", "a.go", goText, edit{"canon": "S::Run", "at": "delete"}, "// Run runs.\nfunc (s *S) Run() {\n\ts.a++\n}\n\n", ""},
		{"delete the last", "a.go", goText, edit{"canon": "c", "at": "delete"}, "\nconst c = 1\n", ""},
		{"delete between two gaps", "a.py", "a = 1\n\n\ndef f():\n    pass\n\n\ndef g():\n    pass\n", edit{"canon": "f", "at": "delete"}, "def f():\n    pass\n\n\n", ""},
		{"delete between a short and a long gap", "a.py", "class A:\n    def f(self):\n        pass\n\n    def g(self):\n        pass\n\n\nb = 1\n",
			edit{"canon": "A::g", "at": "delete"}, "    def g(self):\n        pass\n\n", ""},
		{"delete the first of a block", "a.ts", "class A {\n  f() {}\n\n  g() {}\n}\n", edit{"canon": "A::f", "at": "delete"}, "  f() {}\n\n", ""},
		{"delete the last of a block", "a.ts", "class A {\n  f() {}\n\n  g() {}\n}\n", edit{"canon": "A::g", "at": "delete"}, "\n  g() {}\n", ""},
		{"delete the last of a block that ends with a word", "a.rb", "class A\n  def f\n  end\n\n  def g\n  end\nend\n",
			edit{"canon": "A::g", "at": "delete"}, "\n  def g\n  end\n", ""},
		{"delete the first of a file", "a.js", "function f() {}\n\nfunction g() {}\n", edit{"canon": "f", "at": "delete"}, "function f() {}\n\n", ""},
		{"delete with decorator and comment", "a.py", pyText, edit{"canon": "A::two", "at": "delete"}, "    # Two.\n    @cached\n    def two(self):\n        return 2\n\n", ""},
		{"delete what shares its line", "a.go", "package p\n\nfunc a() {}; func b() {}\n", edit{"canon": "b", "at": "delete"}, " func b() {}", " "},

		{"before on one line", "a.go", "package p\n\ntype V interface{ Visit() }\n", edit{"canon": "V::Visit", "at": "before", "code": "Enter()"}, "{ Visit()", "{ Enter(); Visit()"},
		{"after on one line", "a.go", "package p\n\ntype V interface{ Visit() }\n", edit{"canon": "V::Visit", "at": "after", "code": "Leave()\n"}, "Visit()", "Visit(); Leave()"},
		{"before in a list on one line", "a.ts", "enum E { A, B }\n", edit{"canon": "E::B", "at": "before", "code": "X,"}, "A, B", "A, X, B"},
		{"last in a list on one line", "a.ts", "enum E { A, B }\n", edit{"canon": "E", "at": "last", "code": "X"}, "A, B", "A, B, X"},
		{"first in a list", "a.ts", "enum E {\n  A,\n  B\n}\n", edit{"canon": "E", "at": "first", "code": "X"}, "  A,\n", "  X,\n  A,\n"},
		{"last in a list", "a.rs", "struct S {\n    a: i32, // a\n    b: i32 // b\n}\n", edit{"canon": "S", "at": "last", "code": "c: i32,"}, "b: i32 // b\n", "b: i32, // b\n    c: i32\n"},
		{"last in a list with a comma at its end", "a.rs", "struct S {\n    a: i32,\n}\n", edit{"canon": "S::a", "at": "after", "code": "c: i32"}, "a: i32,\n", "a: i32,\n    c: i32,\n"},
		{"delete the last of a list", "a.rs", "struct S {\n    a: i32, // a\n    b: i32 // b\n}\n", edit{"canon": "S::b", "at": "delete"}, "a: i32, // a\n    b: i32 // b\n", "a: i32 // a\n"},
		{"delete the first of a list on one line", "a.js", "// How many.\nexport const A = 10, B = 11;\n", edit{"canon": "A", "at": "delete"}, "A = 10, ", ""},
		{"replace with the separator that stands there", "a.ts", "enum E { A, B }\n", edit{"canon": "E::A", "code": "X,"}, "A, B", "X, B"},
		{"after the constants of an enum with members", "A.java", "enum S {\n  A,\n  B; // last\n\n  int code;\n}\n", edit{"canon": "S::B", "at": "after", "code": "C"}, "B; //", "B, C; //"},
		{"around a typedef", "a.c", "typedef struct list {\n  int x;\n} list_t;\n", edit{"canon": "list", "at": "before", "code": "struct q { int a; };"}, "typedef", "struct q { int a; };\n\ntypedef"},
		{"first in a class that has an end", "a.rb", "class A\n  include X\nend\n", edit{"canon": "A", "at": "first", "code": "def x\n  {a: 1}\nend"}, "class A\n", "class A\n  def x\n    {a: 1}\n  end\n"},
		{"last in a function that has an end", "a.lua", "function f()\n  g{1}\nend\n", edit{"canon": "f", "at": "last", "code": "h()"}, "g{1}\n", "g{1}\n  h()\n"},
		{"last in a section", "a.md", "# A\n\nText.\n\n# B\n", edit{"canon": "A", "at": "last", "code": "More."}, "Text.\n", "Text.\n\nMore.\n"},
		{"last in a mapping", "a.yaml", "a:\n  b: {x: 1}\nc: 1\n", edit{"canon": "a", "at": "last", "code": "d: 2"}, "b: {x: 1}\n", "b: {x: 1}\n  d: 2\n"},
		{"last in a function with functions", "a.py", "def f():\n    def g():\n        pass\n    return g\n", edit{"canon": "f", "at": "last", "code": "x = 1"}, "return g\n", "return g\n    x = 1\n"},
		{"first in a function with a docstring", "a.py", "def f():\n    \"\"\"F.\"\"\"\n    return 1\n", edit{"canon": "f", "at": "first", "code": "x = 1"}, "    return", "    x = 1\n    return"},
		{"first in a function on one line", "a.py", "def f(): return 1\n", edit{"canon": "f", "at": "first", "code": "x = 1"}, " return 1", "\n    x = 1\n    return 1"},
		{"first in a method with an anonymous class", "A.java", "class A {\n    void f() {\n        g(new B() { void h() {} });\n    }\n}\n", edit{"canon": "A::f", "at": "first", "code": "i();"}, "f() {\n", "f() {\n        i();\n"},
		{"a method among the constants of an enum", "A.java", "enum S {\n  A,\n  B;\n\n  int code;\n}\n", edit{"canon": "S", "at": "first", "code": "int f() { return 1; }"}, "  int code", "  int f() { return 1; }\n  int code"},
		{"a constant behind the methods of an enum", "A.java", "enum S {\n  A,\n  B;\n\n  int code;\n}\n", edit{"canon": "S", "at": "last", "code": "C"}, "B;", "B, C;"},
		{"one more of a list", "a.js", "// How many.\nconst A = 1, B = 2;\n", edit{"canon": "A", "at": "after", "code": "C = 3"}, "A = 1, ", "A = 1, C = 3, "},
		{"a statement before one of a list", "a.js", "// How many.\nconst A = 1, B = 2;\n", edit{"canon": "A", "at": "before", "code": "const C = 3;"}, "// How", "const C = 3;\n// How"},
		{"a statement after one of a list", "a.js", "// How many.\nconst A = 1, B = 2;\n", edit{"canon": "A", "at": "after", "code": "const C = 3;"}, "B = 2;\n", "B = 2;\nconst C = 3;\n"},
		{"with a comment behind its comma", "a.rs", "struct S {\n    a: i32, // a\n}\n", edit{"canon": "S::a", "at": "before", "code": "c: i32 // see \"http://c\""}, "    a", "    c: i32, // see \"http://c\"\n    a"},
		{"with a comment in a list on one line", "a.ts", "enum E { A, B }\n", edit{"canon": "E::A", "at": "after", "code": "X, // x"}, "A, B", "A, X // x\n, B"},
		{"a function after a struct", "a.c", "struct s {\n    int x;\n};\n", edit{"canon": "s", "at": "after", "code": "int f(void)\n{\n    return 1;\n}"}, "};\n", "};\n\nint f(void)\n{\n    return 1;\n}\n"},
		{"a struct after one with a variable", "a.c", "struct s { int x; } a;\n", edit{"canon": "s", "at": "after", "code": "struct t { int y; }"}, "} a;\n", "} a;\n\nstruct t { int y; };\n"},
		{"a constructor after one", "a.ml", "type t =\n  | A  (** a *)\n  | B of int\n", edit{"canon": "t::A", "at": "after", "code": "| C (** c *)"}, "  | B", "  | C (** c *)\n  | B"},
		{"a constructor before the first", "a.ml", "type t = A | B\n", edit{"canon": "t", "at": "first", "code": "C"}, "= A", "= C | A"},
		{"delete the first constructor", "a.ml", "type t = A | B\n", edit{"canon": "t::A", "at": "delete"}, "A | B", "B"},
		{"a function behind a chain", "a.ml", "let rec f x = g x\nand g x = f x\n", edit{"canon": "f", "at": "after", "code": "let h x = x"}, "f x\n", "f x\n\nlet h x = x\n"},
		{"one more of a chain", "a.ml", "let rec f x = g x\nand g x = h x\n", edit{"canon": "f", "at": "after", "code": "and h x = x"}, "\nand g", "\n\nand h x = x\nand g"},
		{"delete the head of a chain", "a.ml", "(** F. *)\nlet rec f x = g x\n(** G. *)\nand g x = x\n", edit{"canon": "f", "at": "delete"}, "(** F. *)\nlet rec f x = g x\n(** G. *)\nand", "(** G. *)\nlet rec"},
		{"a function in a function", "a.ml", "let f x =\n  let g y = y in\n  g x\n", edit{"canon": "f::g", "at": "after", "code": "let h y = g y"}, "y in\n", "y in\n\n  let h y = g y in\n"},
		{"before a document", "a.yaml", "kind: A\nmetadata:\n  name: a\n---\nkind: B\nmetadata:\n  name: b\n", edit{"canon": "B/b", "at": "before", "code": "kind: C\nmetadata:\n  name: c"}, "kind: B", "kind: C\nmetadata:\n  name: c\n---\nkind: B"},
		{"before an item with its name behind", "a.yaml", "- image: a\n  name: x\n- image: b\n  name: y\n", edit{"canon": "y", "at": "before", "code": "- image: c\n  name: z"}, "- image: b", "- image: c\n  name: z\n\n- image: b"},
		{"one more variable of an instruction", "Dockerfile", "FROM scratch AS a\nENV A=1 \\\n    B=2\n", edit{"canon": "a::A", "at": "after", "code": "C=3"}, "A=1", "A=1 C=3"},
		{"an instruction after that of a variable", "Dockerfile", "FROM scratch AS a\nENV A=1 \\\n    B=2\n", edit{"canon": "a::A", "at": "after", "code": "ARG C"}, "B=2", "B=2\nARG C"},
		{"delete a variable of an instruction", "Dockerfile", "FROM scratch AS a\nENV A=1 \\\n    B=2\n", edit{"canon": "a::B", "at": "delete"}, " \\\n    B=2", ""},
		{"with a comment of the language", "a.rb", "# Old.\ndef f\nend\n", edit{"canon": "f", "code": "# New.\ndef f\nend"}, "# Old.", "# New."},
		{"with an attribute that documents", "a.ex", "defmodule M do\n  @doc \"Old.\"\n  def f, do: 1\nend\n", edit{"canon": "M::f", "code": "@doc \"New.\"\ndef f, do: 1"}, "Old.", "New."},
		{"a head of several lines without indentation", "a.py", "class A:\n    def f(self,\n          x):\n        return x\n", edit{"canon": "A::f", "code": "def f(self,\n      x):\n    return -x\n"}, "return x", "return -x"},
		{"a decorated method as in the file but its first line", "a.py", pyText, edit{"canon": "A::two", "code": "@cached\n    def two(self):\n        return 22"}, "return 2\n", "return 22\n"},
		{"lines less indented than the first", "a.cs", "class A {\n    void F() {\n#if X\n        G();\n#endif\n    }\n}\n", edit{"canon": "A::F", "code": "    void F() {\n#if X\n        H();\n#endif\n    }"}, "G();", "H();"},
		{"a directive at the start of a line", "a.cs", "class A {\n    void F() {\n#if X\n        G();\n#endif\n    }\n}\n", edit{"canon": "A::F", "code": "void F() {\n#if X\n        H();\n#endif\n    }"}, "G();", "H();"},

		{"exact", "a.go", goText, edit{"old": "s.a++", "new": "s.a--"}, "s.a++", "s.a--"},
		{"exact, a part of a word", "a.go", goText, edit{"old": "top()", "new": "tart()"}, "top()", "tart()"},
		{"deleted exactly", "a.go", goText, edit{"old": "\ts.a++\n", "new": ""}, "\ts.a++\n", ""},
		{"spaces for tabs", "a.go", goText, edit{"old": "func (s *S) Run() {\n    s.a++\n}\n", "new": "func (s *S) Run() {\n    if s.a < 9 {\n        s.a++\n    }\n}\n"},
			"\ts.a++\n", "\tif s.a < 9 {\n\t\ts.a++\n\t}\n"},
		{"no indentation", "a.py", pyText, edit{"old": "def one(self):\n    return 1\n", "new": "def one(self):\n    if 1:\n        return 1\n"},
			"        return 1\n", "        if 1:\n            return 1\n"},
		{"other line breaks", "a.go", goText, edit{"old": "func (s *S)\n  Run() { s.a++ }", "new": "func (s *S) Run() { s.a-- }"},
			"func (s *S) Run() {\n\ts.a++\n}", "func (s *S) Run() { s.a-- }"},
		{"carriage returns", "a.go", crlf(goText), edit{"old": "Run() {\n\ts.a++\n}", "new": "Run() {\n\ts.a++\n\ts.a--\n}"}, "s.a++\r\n", "s.a++\r\n\ts.a--\r\n"},
		{"deleted with other white space", "a.go", goText, edit{"old": "    s.a++\n", "new": ""}, "\ts.a++\n", ""},

		{"bytes", "a.go", goText, edit{"start_byte": 8, "end_byte": 9, "replacement": "q"}, "package p", "package q"},
		{"nothing, at the beginning", "a.go", goText, edit{"start_byte": 0, "end_byte": 0, "replacement": "// x\n"}, "package p", "// x\npackage p"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if strings.Count(test.text, "\r") > 0 {
				test.old, test.new = crlf(test.old), crlf(test.new)
			}
			if strings.Count(test.text, test.old) != 1 {
				t.Fatalf("the test's old text is not unique: %q", test.old)
			}
			w := newWorld(t, map[string]string{test.file: test.text})
			test.edit["file"] = test.file
			test.edit["mode"] = modeOf(test.edit)
			if test.edit["mode"] == "splice" {
				test.edit["expected_file_hash"] = workspace.Hash([]byte(test.text))
			}
			args, err := json.Marshal(map[string]any{"reason": "test", "edits": []any{test.edit}})
			if err != nil {
				t.Fatal(err)
			}
			if result := w.call("apply_code_edit", string(args)); !result.OK {
				t.Fatalf("%s", result.Content)
			} else if !strings.Contains(string(result.Content), `"syntax_errors":[]`) {
				t.Errorf("new syntax errors: %s", result.Content)
			}
			if diff := cmp.Diff(strings.Replace(test.text, test.old, test.new, 1), w.read(test.file)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Calls may change the same file at the same time.
func TestEditsAtTheSameTime(t *testing.T) {
	const calls = 8
	text, want := "package a\n", "package a\n"
	for i := range calls {
		text += fmt.Sprintf("\nfunc f%d() int { return 1 }\n", i)
		want += fmt.Sprintf("\nfunc f%d() int { return 2 }\n", i)
	}
	w := newWorld(t, map[string]string{"a.go": text})
	tool, _ := w.set.Get("apply_code_edit")
	var group sync.WaitGroup
	for i := range calls {
		group.Go(func() {
			args := fmt.Sprintf(`{"reason":"r","edits":[{"mode":"canonical","file":"a.go",`+
				`"canon":"f%d","code":"func f%d() int { return 2 }"}]}`, i, i)
			if result, err := tool.Run(t.Context(), w, json.RawMessage(args)); err != nil || !result.OK {
				t.Errorf("call %d: %v %s", i, err, result.Content)
			}
		})
	}
	group.Wait()
	if diff := cmp.Diff(want, w.read("a.go")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if proposals, err := w.deps.Edits.Proposals.List(t.Context(), ""); err != nil || len(proposals) != 1 {
		t.Errorf("%d proposals, want one for the turn (%v)", len(proposals), err)
	}
}

func modeOf(e edit) string {
	switch {
	case e["old"] != nil:
		return "replace"
	case e["start_byte"] != nil:
		return "splice"
	}
	return "canonical"
}

func crlf(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
}

// TestAnEditOfANamesakeShowsItsHash changes one of two functions of the same name, and one that has its name alone. Only an
// edit of the first needs its hash.
func TestAnEditOfANamesakeShowsItsHash(t *testing.T) {
	const text = "package p\n\nfunc init() { a() }\n\nfunc init() { b() }\n\nfunc one() { c() }\n"
	for old, want := range map[string]bool{"b()": true, "c()": false} {
		w := newWorld(t, map[string]string{"a.go": text})
		result := w.call("apply_code_edit", `{"reason":"test","edits":[{"mode":"replace","file":"a.go","old":"`+old+`","new":"d()"}]}`)
		var shown struct {
			Edits []struct {
				Symbol struct{ Canon, Hash string }
			}
		}
		if err := json.Unmarshal(result.Content, &shown); err != nil || len(shown.Edits) != 1 || (shown.Edits[0].Symbol.Hash != "") != want {
			t.Errorf("%s: %v, %s", old, err, result.Content)
		}
	}
}
