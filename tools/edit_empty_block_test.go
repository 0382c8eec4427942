package tools_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDeletedBlocks deletes everything in a block that must not be empty.
func TestDeletedBlocks(t *testing.T) {
	for _, test := range []struct {
		name, file, text string
		deletes          string // canons
		want             string
	}{
		{"the only method", "a.py", "class A:\n    def f(self):\n        return 1\n", "A::f", "class A:\n    pass\n"},
		{"with carriage returns", "a.py", "class A:\r\n    def f(self):\r\n        return 1\r\nx = 1\r\n", "A::f", "class A:\r\n    pass\r\nx = 1\r\n"},
		{"without a newline at the end", "a.py", "class A:\n    def f(self): return 1", "A::f", "class A:\n    pass"},
		{"with a comment and a decorator", "a.py", "class A:  # A\n\n    # F.\n    @cached\n    def f(self):\n        return 1\n\n\nx = 1\n", "A::f", "class A:  # A\n\n    pass\n\n\nx = 1\n"},
		{"a comment is left", "a.py", "class A:\n    # A.\n\n    x = 1\n    # B.\ny = 1\n", "A::x", "class A:\n    # A.\n\n    pass\n    # B.\ny = 1\n"},
		{"a docstring is left", "a.py", "class A:\n    \"\"\"A.\"\"\"\n    x = 1\n", "A::x", "class A:\n    \"\"\"A.\"\"\"\n"},
		{"a statement is left", "a.py", "class A:\n    x = 1\n    print()\n", "A::x", "class A:\n    print()\n"},
		{"a head of several lines", "a.py", "def f(\n    a,\n):\n\tdef g():\n\t\treturn a\n", "f::g", "def f(\n    a,\n):\n\tpass\n"},
		{"on the head's line", "a.py", "class A: x = 1  # One.\ny = 1\n", "A::x", "class A: pass  # One.\ny = 1\n"},
		{"on the head's line, at the end", "a.py", "class A: x = 1", "A::x", "class A: pass"},
		{"one of two on the head's line", "a.py", "class A: x = 1; y = 1\n", "A::x", "class A: y = 1\n"},
		{"a branch", "a.py", "if A:\n    def f(): pass\nelse:\n    def g(): pass\n", "f", "if A:\n    pass\nelse:\n    def g(): pass\n"},
		{"both of two", "a.py", "class A:\n    def f(self): return 1\n\n    def g(self): return 1\n\nx = 1\n", "A::g A::f", "class A:\n    pass\n\nx = 1\n"},
		{"two of three", "a.py", "class A:\n    x = 1\n    y = 1\n    z = 1\n", "A::x A::z", "class A:\n    y = 1\n"},
		{"all of two blocks", "a.py", "class A:\n    x = 1\nclass B:\n    y = 1\n", "A::x B::y", "class A:\n    pass\nclass B:\n    pass\n"},
		{"of the file", "a.py", "x = 1\n", "x", ""},
		{"by indentation in Scala", "a.scala", "class A:\n  def f = 1\n\nobject B\n", "A::f", "refused"},
		{"by braces in Scala", "a.scala", "class A {\n  def f = 1\n}\n", "A::f", "class A {\n}\n"},
		{"by braces", "a.ts", "class A {\n  f() {}\n}\n", "A::f", "class A {\n}\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, map[string]string{test.file: test.text})
			var list []any
			for canon := range strings.FieldsSeq(test.deletes) {
				list = append(list, edit{"mode": "canonical", "file": test.file, "canon": canon, "at": "delete"})
			}
			args, err := json.Marshal(map[string]any{"reason": "test", "edits": list})
			if err != nil {
				t.Fatal(err)
			}
			result := w.call("apply_code_edit", string(args))
			if refused := test.want == "refused"; refused == result.OK {
				t.Fatalf("%s", result.Content)
			} else if refused {
				return
			}
			if diff := cmp.Diff(test.want, w.read(test.file)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestReplacedBlock deletes everything in a block, and puts something else there or behind it.
func TestReplacedBlock(t *testing.T) {
	for before, want := range map[string]string{
		"A::x": "class A:\n    y = 1\nz = 1\n",
		"z":    "class A:\n    pass\ny = 1\nz = 1\n",
	} {
		w := newWorld(t, map[string]string{"a.py": "class A:\n    x = 1\nz = 1\n"})
		w.call("apply_code_edit", `{"reason":"r","edits":[{"mode":"canonical","file":"a.py","canon":"`+before+`","at":"before","code":"y = 1"},
			{"mode":"canonical","file":"a.py","canon":"A::x","at":"delete"}]}`)
		if got := w.read("a.py"); got != want {
			t.Errorf("with y before %s it reads\n%s", before, got)
		}
	}
}
