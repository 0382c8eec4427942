package terminal

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// readable writes the sequences of a terminal as words: <1> sets bold, </> resets, <a ADDRESS> begins a link.
func readable(text string) string {
	text = regexp.MustCompile("\x1b]8;;([^\x1b]+)\x1b\\\\").ReplaceAllString(text, "<a $1>")
	text = strings.ReplaceAll(text, "\x1b]8;;\x1b\\", "</a>")
	text = regexp.MustCompile("\x1b\\[([1-9][0-9;]*)m").ReplaceAllString(text, "<$1>")
	return strings.ReplaceAll(text, reset, "</>")
}

func shown(text string, columns int) string {
	m := Markdown{Columns: columns}
	return m.Write(text) + m.Close()
}

func TestMarkdown(t *testing.T) {
	for _, tt := range []struct {
		what, text string
		columns    int
		want       string
	}{
		{"prose", "Call f, then g.\nAnd *h*.\n", 0, "Call f, then g.\nAnd <3>h</>.\n"},
		{"emphasis", "**bold** *it* _it_ ***both*** ~~no~~ __b__", 0, "<1>bold</> <3>it</> <3>it</> <1;3>both</> <9>no</> <1>b</>"},
		{"marks that are no emphasis", "2 * 3 * 4, a_b_c, *p, ** x, ~5", 0, "2 * 3 * 4, a_b_c, *p, ** x, ~5"},
		{"an emphasis of several words", "**two words**", 0, "<1>two</> <1>words</>"},
		{"code in an emphasis", "**run `a*b` now**", 0, "<1>run</> <1;36>a*b</> <1>now</>"},
		{"code", "`x` ``a`b`` `` `c` `` `open", 0, "<36>x</> <36>a`b</> <36>`c`</> `open"},
		{"escapes", "\\*no\\* a\\b \\` &lt;b&gt; &amp; &x; R&D", 0, "*no* a\\b ` <b> & &x; R&D"},
		{"a link", "see [the file](https://a.b/c?d=1&amp;e).", 0, "see <a https://a.b/c?d=1&e><4>the</></a> <a https://a.b/c?d=1&e><4>file</></a>."},
		{"a citation", "[a.go:12](file:///w/a.go#L12)", 0, "<a file:///w/a.go#L12><4>a.go:12</></a>"},
		{"a link that a terminal can't open", "[x](a/b.go) [y](command:z) [z][r] [open", 0, "<4>x</> <4>y</> [z][r] [open"},
		{"an address", "at https://a.b/c. And http://d", 0, "at <a https://a.b/c><4>https://a.b/c</></a>. And <a http://d><4>http://d</></a>"},
		{"an address that would end the sequence", "[x](https://a/\x1b\\b\u202eé)", 0, "<a https://a/%1B\\b%E2%80%AE%C3%A9><4>x</></a>"},
		{"headings", "# One\n\n### Three `f`\n", 0, "<1;34>One</>\n\n<1;34>Three</> <1;34;36>f</>\n"},
		{"lists", "- one\n  - two\n* three\n10. ten\n", 0, "<36>• </>one\n  <36>• </>two\n<36>• </>three\n<36>10. </>ten\n"},
		{"a rule", "a\n\n---\n* * *\n", 5, "a\n\n<2>─────</>\n<2>─────</>\n"},
		{"a quotation", "> one *two*\n> - three\n", 0, "<2>│ </><2>one</> <2;3>two</>\n<2>│ </><36>• </><2>three</>\n"},
		{"a fence", "```go\nx := *p // **no**\n\n\ty\n```\nafter\n", 0, "  x := *p // **no**\n  \n  \ty\nafter\n"},
		{"a fence in a list", "1. a\n   ~~~\n   b ~~~\n   ~~~\n2. c\n", 0, "<36>1. </>a\n     b ~~~\n<36>2. </>c\n"},
		{"a fence in a fence", "````\n```\n````\n", 0, "  ```\n"},
		{"a diff", "```diff\n@@ -1 +1 @@\n-a\n+b\n c\n```\n", 0, "  <36>@@ -1 +1 @@</>\n  <31>-a</>\n  <32>+b</>\n   c\n"},
		{"blank lines", "a\n\n\n\nb\n", 0, "a\n\nb\n"},
		{"a table", "| a | b |\n|---|--:|\n| `x|y` | 日本 |\nend\n", 0, "<1>a</>   <2>│</> <1>b</>\n<2>────┼─────</>\n<36>x|y</> <2>│</> 日本\nend\n"},
		{"no table", "| a\n\nb", 0, "a\n\nb"},
		{"line ends", "a\r\nb\r\n", 0, "a\nb\n"},
		{"a terminal's sequences", "\x1b[2J **\x1b]0;t\x07** `\u202e`", 0, `\x1b[2J <1>\x1b]0;t\x07</> <36>\u202e</>`},
		{"halves of characters", "\xdc*\x8f*", 0, "\ufffd<3>\ufffd</>"},
		{"width", "one two three\n- four five six\n", 9, "one two\nthree\n<36>• </>four\n  five\n  six\n"},
		{"wide characters", "日本語は日本語です\n", 9, "日本語は\n日本語で\nす\n"},
		{"marks above letters", "e\u0301e\u0301e\u0301 x\n", 5, "e\u0301e\u0301e\u0301 x\n"},
		{"a word that is too long", "a bbbbbbbbbbbb c\n", 5, "a\nbbbbbbbbbbbb\nc\n"},
		{"prose in a fence", "```markdown\nA [link](https://a.b)  and\n  - 日本語 é words\n\n```\nafter\n", 12,
			"  A\n  [link](https://a.b)\n  and\n    - 日本語\n  é words\n  \nafter\n"},
		{"text in a fence", "~~~text\na\tbb   c\n~~~\n", 9, "  a    bb\n  c\n"},
		{"code in a fence", "```go\nvar aa = 1 // a long comment\n```\n", 9, "  var aa = 1 // a long comment\n"},
		{"a long piece of code in prose", "see `go test ./... -run X` or [a file](file:///w/a/long/name.go)\n", 16,
			"see <36>go</> <36>test</>\n<36>./...</> <36>-run</> <36>X</> or\n<a file:///w/a/long/name.go><4>a</></a> <a file:///w/a/long/name.go><4>file</></a>\n"},
		{"a style over a break", "**one two**\n", 4, "<1>one</>\n<1>two</>\n"},
	} {
		t.Run(tt.what, func(t *testing.T) {
			want := strings.TrimSuffix(tt.want, "\n") + "\n"
			if got := readable(shown(tt.text, tt.columns)); got != want {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

// TestTextIsShownAsItComes writes text in pieces, and looks at what is shown after each.
func TestTextIsShownAsItComes(t *testing.T) {
	m := Markdown{Columns: 20}
	for _, step := range []struct{ piece, want string }{
		{"Hel", ""}, {"lo wor", "Hello"}, {"ld. *a", " world."}, {" b", ""}, {"c* ", " <3>a</> <3>bc</>"}, {"\n", "\n"},
		{"- ", ""}, {"it", "<36>• </>"}, {"em\n", "item\n"}, {"```go\n", ""}, {"x", "  x"}, {" := 1", " := 1"}, {"\n``", "\n"}, {"`\n", ""},
		{"| a |", ""}, {"\n", ""}, {"end", "a\n"},
	} {
		if got := readable(m.Write(step.piece)); got != step.want {
			t.Errorf("%q shows %q, want %q", step.piece, got, step.want)
		}
	}
	if got := m.Break(); got != "end\n" {
		t.Errorf("a break shows %q", got)
	}
	if got := m.Write("more") + m.Close(); got != "more\n" {
		t.Errorf("behind the break is %q", got)
	}
}

var fragments = []string{"**", "*", "_", "`", "```", "```diff\n", "~~", "[", "](", ")", "](https://a.b)", "h", "https://x ", "\n", "\n\n", "- ", "1. ", "> ", "# ",
	"|", "| a | b |\n", "|---|\n", "\\", "&lt;", "&", "word", " ", "  ", "\t", "日本", "é", "e\u0301", "\x1b[2J", "\x1b]8;;x\x07", "\u202e", "\x00", "\r", "\x9b", "+", "-"}

func randomText(random *rand.Rand) string {
	var b strings.Builder
	for range random.IntN(30) {
		b.WriteString(fragments[random.IntN(len(fragments))])
	}
	return b.String()
}

// TestPiecesDoNotCount cuts random texts at random places.
func TestPiecesDoNotCount(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		text, columns := randomText(random), random.IntN(3)*10
		checkPieces(t, text, columns, func(most int) int { return 1 + random.IntN(most) })
	}
}

func checkPieces(t *testing.T, text string, columns int, length func(most int) int) {
	t.Helper()
	m := Markdown{Columns: columns}
	var got strings.Builder
	for rest := []rune(text); len(rest) > 0; {
		n := length(len(rest))
		got.WriteString(m.Write(string(rest[:n])))
		rest = rest[n:]
	}
	got.WriteString(m.Close())
	if want := shown(string([]rune(text)), columns); unstyled(got.String()) != unstyled(want) {
		t.Fatalf("%q in pieces is\n%q, and whole\n%q", text, got.String(), want)
	}
}

// ours are the sequences of this package.
var ours = regexp.MustCompile("\x1b\\[[0-9;]+m|\x1b]8;;[\x21-\x7e]*\x1b\\\\")

func unstyled(text string) string { return ours.ReplaceAllString(text, "") }

// TestNothingDrivesTheTerminal looks for control characters outside of the package's own sequences, and for the words.
func TestNothingDrivesTheTerminal(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		text := randomText(random)
		checkHarmless(t, text)
	}
}

func checkHarmless(t *testing.T, text string) {
	t.Helper()
	got := unstyled(shown(text, 20))
	for _, r := range got {
		if unicode.In(r, unicode.Cc, unicode.Cf) && r != '\n' && r != '\t' {
			t.Fatalf("%q is shown as %q", text, got)
		}
	}
	letters := func(text string) int { return strings.Count(text, "word") + strings.Count(text, "日") }
	if letters(text) != letters(strings.ReplaceAll(got, "\n", "")) && !strings.Contains(text, "](") && !strings.Contains(text, "```") {
		t.Fatalf("%q lacks words: %q", text, got)
	}
}

func FuzzMarkdown(f *testing.F) {
	f.Add("**a** [b](https://c) `d`\n- e\n```diff\n+f", byte(3), byte(20))
	f.Fuzz(func(t *testing.T, text string, length, columns byte) {
		checkHarmless(t, text)
		checkPieces(t, text, int(columns), func(most int) int { return min(most, 1+int(length)) })
	})
}

// TestMarkdownIsBounded reads long lines that end nothing, in small pieces.
func TestMarkdownIsBounded(t *testing.T) {
	for _, text := range []string{"`", "[", "*a", "_", "**x `", "&", "h", "| a ", "> ", "- ", "\\", "https://"} {
		m := Markdown{Columns: 80}
		long := strings.Repeat(text, 1<<14/len(text))
		for rest := long; rest != ""; {
			n := min(7, len(rest))
			m.Write(rest[:n])
			rest = rest[n:]
		}
		m.Write("\n" + long)
		if len(m.held) > maxHeld+64 && !strings.HasPrefix(text, "|") {
			t.Errorf("%q: %d bytes are held", text, len(m.held))
		}
	}
}

func TestWrap(t *testing.T) {
	for _, tt := range []struct {
		text    string
		columns int
		want    string
	}{
		{"one two  three", 8, "one two\nthree"}, {"one two\n  three four\n", 9, "one two\n  three\n  four\n"}, {"one\n\ntwo", 3, "one\n\ntwo"},
		{"日本 語\x1b[2J", 6, "日本\n語\n\\x1b[2J"}, {"a  b ", 9, "a  b"}, {"longer than", 3, "longer\nthan"}, {"as it is", 0, "as it is"},
	} {
		if got := Wrap(tt.text, tt.columns); got != tt.want {
			t.Errorf("%q in %d columns is %q, want %q", tt.text, tt.columns, got, tt.want)
		}
	}
}

func TestClip(t *testing.T) {
	for _, tt := range []struct {
		text    string
		columns int
		want    string
	}{{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"日本語", 6, "日本語"}, {"日本語", 5, "日本…"}, {"日本語", 4, "日…"}, {"a\x1bb", 4, "a…"}} {
		if got := Clip(tt.text, tt.columns); got != tt.want {
			t.Errorf("%q in %d columns is %q, want %q", tt.text, tt.columns, got, tt.want)
		}
	}
}
