package syntax_test

import (
	"testing"

	"ploke-lsp/internal/syntax"
)

// TestEmptyBlocks: a Python block without a statement is a problem, though the grammar accepts
// it.
func TestEmptyBlocks(t *testing.T) {
	for text, want := range map[string]int{
		"def f():\n    pass\n":                       0,
		"def f(): ...\n":                             0,
		"def f():\n    # later\n    return\n":        0,
		"def f():\n\ndef g():\n    return 1\n":       1,
		"def f():\n    # later\n\nx = 1\n":           1,
		"class A:\n    def f(self):\n\n    x = 1\n":  1,
		"if x:\n    y()\nelse:\n":                    1,
		"match x:\n    case 1:\n    case 2: y()\n":   1,
		"try:\n    a()\nexcept E:\n\nfinally: b()\n": 1,
	} {
		f, err := syntax.Parse("python", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if f.ProblemCount != want {
			t.Errorf("%q: %+v", text, f.Problems)
		}
	}
}
