package display

import (
	"regexp"
	"strings"
	"testing"
)

func TestMessage(t *testing.T) {
	for text, want := range map[string]string{
		"![x](http://e/p)":                    "! [x] (http://e/p)",
		"![](http://e/p)":                     "! [] (http://e/p)",
		"![x][r] [y][r]\n[r]: http://e/p":     "! [x][r] [y][r]\n[r] : http://e/p",
		"![r]\n\n[r]:\nhttp://e/p":            "! [r]\n\n[r] :\nhttp://e/p",
		"[run](command:x) [b]](vscode://y)":   "[run] (command:x) [b]] (vscode://y)",
		"[x](http://e \"t\")":                 "[x] (http://e \"t\")",
		`[x\](command:x) \![y](z) \<img>`:     `[x\] (command:x) \! [y] (z) \< img>`,
		"<img src=x> <SVG/onload=x></p>":      "< img src=x> < SVG/onload=x>< /p>",
		"<!-- x --> <?x?> <![CDATA[x]]>":      "< !-- x --> < ?x?> < ! [CDATA[x]]>",
		"<command:x> <javascript:y> <a@b.c>":  "< command:x> < javascript:y> < a@b.c>",
		"a < b, <- ch, x[0], m[k] = 1; f(x)!": "a < b, <- ch, x[0], m[k] = 1; f(x)!",
		"größe \x1b[2J <":                     `größe \x1b[2J <`,
		"":                                    "",
		"!":                                   "!",
	} {
		if got := Message(text); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
		if got := Message(Message(text)); got != want {
			t.Errorf("%q is shown as %q the second time", text, got)
		}
	}
}

// live is what notifications and Markdown make a link, a picture or an element of.
var live = regexp.MustCompile(`!\[|\](\(|:)|<[a-zA-Z/!?]`)

func FuzzMessage(f *testing.F) {
	f.Add("![x](y) <b> [r]: <command:x>")
	f.Fuzz(func(t *testing.T, text string) {
		got := Message(text)
		if live.MatchString(got) {
			t.Errorf("%q is shown as %q", text, got)
		}
		if strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(Escape(text), " ", "") {
			t.Errorf("%q lacks something of %q", got, text)
		}
	})
}
