package syntax

import (
	"bytes"
	"testing"
)

// TestQualifier reads qualifiers in broken and odd text.
func TestQualifier(t *testing.T) {
	for _, c := range []struct{ language, text, want string }{
		{"go", "x.y.f", "y"}, {"go", "x.\n\tf", "x"}, {"go", "x().f", ""}, {"go", "a[i].f", ""}, {"go", "f", ""},
		{"go", "...f", ""}, {"go", "1.f", ""}, {"kotlin", "x\n  ?.f", "x"}, {"kotlin", "x -> f", ""}, {"swift", "case .f", ""},
		{"kotlin", "x!!.f", "x"}, {"ruby", "@x&.f", "x"}, {"ruby", "1..f", ""}, {"ruby", "a ::f", ""}, {"rust", "Vec::<A<u8>>::f", "Vec"},
		{"rust", "g().await.f", ""}, {"rust", "0..f", ""}, {"rust", "-> f", ""}, {"cpp", "A<int>::f", "A"}, {"cpp", "p->f", "p"},
		{"cpp", "::f", ""}, {"php", "$x->f", "x"}, {"php", "'a' . f", ""}, {"php", `A\B\f`, "B"}, {"lua", "x:f", "x"}, {"lua", "x .. f", ""},
		{"java", "x -> f", ""}, {"java", "A::f", "A"}, {"javascript", "$el.f", "$el"},
	} {
		b := &builder{tree: &tree{grammar: grammars[c.language](), text: []byte(c.text)}}
		got := ""
		if end := b.separator(len(c.text) - 1); end > 0 {
			got = string(bytes.TrimPrefix(b.nameBefore(end), b.sigil))
		}
		if got != c.want {
			t.Errorf("%s: what stands before f in %q is %q, want %q", c.language, c.text, got, c.want)
		}
	}
}
