package display

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestMarkdown(t *testing.T) {
	for _, tt := range []struct{ what, text, want string }{
		{"prose", "Call **f**, see [x](https://a.b/c?d#e) or [y](main.go#L10); a < b, <- ch, x[0]: 1, [1], 5 ! [no]", ""},
		{"destinations", "[x](a/b.go:10) [y](main.go:10-12) [z](#top) [m](mailto:a@b.c) [f](file:///x/y.go#L3) [e]()", ""},
		{"a definition", "[a]: https://b.c\n", ""},
		{"code", "`![x](http://e)` ``<img src=x> ` `` `Vec<T>` `vec![1]` `[x](command:y)`", ""},
		{"a fence", "```html\n<img src=x>\n![x](y)\n    ```\n```\n", ""},
		{"other fences", "~~~~ md\n```\n![x](y)\n~~~\n~~~~\n", ""},
		{"fences in lists", "1. a\n   ```go\n   x<T>\n   ```\n2. b\n   - c\n\n     ```\n     ![x](y)\n     ```\n", ""},
		{"a fence after a marker", "- ```\n  <b>\n  ```\n", ""},
		{"a fence in a quotation", "> ```\n> <b>\n> ```\n", ""},
		{"a picture", "![x](http://e/p)", `\![x](http://e/p)`},
		{"a picture with a title", `![x](http://e "t")`, `\![x]\(http://e "t")`},
		{"a picture by name", "![x][r] ![r]\n\n[r]: //e/p", "\\![x][r] \\![r]\n\n[r]\\: //e/p"},
		{"a picture in a link", "[![x](http://e)](http://f)", `[\![x](http://e)](http://f)`},
		{"nested brackets", "![a [b] c](http://e)", `\![a [b] c](http://e)`},
		{"data", "![x](data:image/svg+xml,<svg>) [x](data:text/html,a)", `\![x]\(data:image/svg+xml,&lt;svg>) [x]\(data:text/html,a)`},
		{"an escaped picture", `\![x](http://e) \\![x](http://e)`, `\![x](http://e) \\\![x](http://e)`},
		{"elements", "<img src=x> <SVG/onload=x></p><!-- x --><?x?><![CDATA[x]]>", "&lt;img src=x> &lt;SVG/onload=x>&lt;/p>&lt;!-- x -->&lt;?x?>&lt;\\![CDATA[x]]>"},
		{"a broken element", "<img\nsrc=x\n>", "&lt;img\nsrc=x\n>"},
		{"an autolink", "<command:x> <javascript:y>", "&lt;command:x> &lt;javascript:y>"},
		{"commands", "[x](command:y) [x]( command:y) [x](COMMAND:y) [x](javascript:y) [x](vscode://y) [x](//e)", `[x]\(command:y) [x]\( command:y) [x]\(COMMAND:y) [x]\(javascript:y) [x]\(vscode://y) [x]\(//e)`},
		{"hidden commands", "[x](comm&#97;nd:y) [x](java&Tab;script:y) [x](command\\:y) [x](<command:y>) [x](&#x63;ommand&colon;y)", `[x]\(comm&#97;nd:y) [x]\(java&Tab;script:y) [x]\(command\:y) [x]\(&lt;command:y>) [x]\(&#x63;ommand&colon;y)`},
		{"a host's file", "[x](file://host/share) [x](\\\\host\\share)", `[x]\(file://host/share) [x](\\host\share)`},
		{"a destination on the next line", "[x](\ncommand:y)\n[r]:\ncommand:z", "[x]\\(\ncommand:y)\n[r]\\:\ncommand:z"},
		{"a lone backquote", "a ` b\nc ` ![x](y) `\n", "a \\` b\nc ` ![x](y) `\n"},
		{"a backquote in a destination", "[x](` ) ![y](z) `", "[x]\\(` ) ![y](z) `"},
		{"a backquote in an address", "http://a` ![x](y) `", "http://a\\` \\![x](y) \\`"},
		{"a backslash in an address", "http://a.b/\\<b>", "http://a.b/\\&lt;b>"},
		{"code in a table", "| ` | ![x](y) ` |", "| \\` | \\![x](y) \\` |"},
		{"indented code is a paragraph for some", "a\n    ```\n    ![x](y)\n", "a\n    \\`\\`\\`\n    \\![x](y)\n"},
		{"a list that has ended", "- ```\n  a\n![x](y)\n", "- ```\n  a\n  ```\n\\![x](y)\n"},
		{"a quotation that has ended", "> ```\n> a\n![x](y)", "> ```\n> a\n\\![x](y)"},
		{"a fence that goes on", "~~~\n<b>", "~~~\n<b>\n~~~"},
		{"the head of a table", "~~~a|b\n|---|---|\n<b>", "\\~~~a|b\n|---|---|\n&lt;b>"},
		{"carriage returns", "a `\r\r![x](y)\r\rb`\r\n", "a \\`\n\n\\![x](y)\n\nb\\`\r\n"},
	} {
		t.Run(tt.what, func(t *testing.T) {
			want := tt.want
			if want == "" {
				want = tt.text
			}
			if got := SafeMarkdown(tt.text); got != want {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

// TestMarkdownInPieces cuts random texts at random places: the pieces do not count.
func TestMarkdownInPieces(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var b strings.Builder
		for range random.IntN(25) {
			b.WriteString(fragments[random.IntN(len(fragments))])
		}
		checkPieces(t, b.String(), func(n int) int { return 1 + random.IntN(min(n, 1+random.IntN(9))) })
	}
}

var fragments = []string{"![x](http://e)", "<img ", ">", "[x](command:y)", "[x](<command:y>)", "[r]: command:z", "`", "``", "```", "```go", "~~~", "\n", "\n\n",
	"\r", "  ", "    ", "\t", "> ", "- ", "* ", "1. ", "5. ", "a", "|", "\\", "!", "[", "](", ")", "]:", "<", "http://a", "a.b/", "@"}

func checkPieces(t *testing.T, text string, length func(most int) int) {
	t.Helper()
	var m Markdown
	var got strings.Builder
	for rest := text; rest != ""; {
		n := length(len(rest))
		got.WriteString(m.Write(rest[:n]))
		rest = rest[n:]
	}
	got.WriteString(m.Close())
	if want := SafeMarkdown(text); got.String() != want {
		t.Fatalf("%q in pieces is %q, and whole %q", text, got.String(), want)
	}
}

func FuzzMarkdown(f *testing.F) {
	f.Add("![x](y) `<b>`\n- ```\n  a", byte(3))
	f.Fuzz(func(t *testing.T, text string, length byte) {
		checkPieces(t, text, func(most int) int { return min(most, 1+int(length)) })
	})
}

// TestMarkdownIsBounded reads long lines that end nothing.
func TestMarkdownIsBounded(t *testing.T) {
	for _, text := range []string{"`", "[", "](", "<a", "> ", "- ", "\\", "!", "a ` ", "``` ", "[x](http://a "} {
		SafeMarkdown(strings.Repeat(text, 1<<15/len(text)))
	}
}
