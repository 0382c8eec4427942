package display

import "testing"

func TestEscape(t *testing.T) {
	for text, want := range map[string]string{
		"plain\ttext\nof lines\r\n":        "plain\ttext\nof lines\r\n",
		"\x1b[2J\a\b\x7f\u009b":            `\x1b[2J\x07\x08\x7f\u009b`,
		"hidden\rshown":                    `hidden\x0dshown`,
		"if \u202ex\u202c { \u2066y\u2069": `if \u202ex\u202c { \u2066y\u2069`,
		"größe 日本語 \xff\xfe \x00":          "größe 日本語 \xff\xfe " + `\x00`,
		"\u200f\u200e\u061c":               `\u200f\u200e\u061c`,
		"ad\u200bmin\u2060\ufeff\u00ad":    `ad\u200bmin\u2060\ufeff\u00ad`,
		"tag \U000e0041":                   `tag \U000e0041`,
	} {
		if got := Escape(text); got != want {
			t.Errorf("%q is shown as %q; want %q", text, got, want)
		}
	}
}

func TestNameHasOneLine(t *testing.T) {
	if got, want := Name("a\r\nb\tc\u2028d\u202e"), `a\r\nb\tc\u2028d\u202e`; got != want {
		t.Errorf("it is shown as %q; want %q", got, want)
	}
}
