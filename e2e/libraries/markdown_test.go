package libraries

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"ploke-lsp/internal/display"
)

var readers = map[string]parser.Parser{
	"CommonMark": goldmark.DefaultParser(),
	"GFM":        goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList)).Parser(),
}

// live returns what of a text a reader would fetch, run or take as HTML, or "".
func live(reader parser.Parser, markdown string) (found string) {
	source := []byte(markdown)
	_ = ast.Walk(reader.Parse(text.NewReader(source)), func(n ast.Node, _ bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Image:
			found = "a picture of " + string(n.Destination)
		case *ast.RawHTML, *ast.HTMLBlock:
			found = "HTML"
		case *ast.Link:
			if mayRun(n.Destination) {
				found = "a link to " + string(n.Destination)
			}
		case *ast.AutoLink:
			if mayRun(n.URL(source)) {
				found = "a link to " + string(n.URL(source))
			}
		}
		return ast.WalkContinue, nil
	})
	return found
}

// mayRun reports whether a link leads elsewhere than to a page, an address, a file of this machine, or a line of a file.
func mayRun(destination []byte) bool {
	to := string(util.URLEscape(destination, true))
	scheme, rest, ok := strings.Cut(to, ":")
	noScheme := strings.ContainsFunc(scheme, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("+-.", c)
	})
	if !ok || noScheme || strings.Contains(scheme, ".") && strings.Trim(rest, "0123456789:-") == "" {
		return strings.HasPrefix(to, "//")
	}
	return !slices.Contains([]string{"http", "https", "mailto", "file"}, strings.ToLower(scheme)) ||
		strings.EqualFold(scheme, "file") && strings.HasPrefix(rest, "//") && !strings.HasPrefix(rest, "///")
}

// pieces are what may be live, what ends it or hides it, and blocks around it.
var pieces = []string{
	"![x](http://e)", "![x][r]", "![r]", "<img src=x>", "<!-- ", "-->", "<?x?>", "<![CDATA[", "]]>", "<div>\n", "</div>",
	"<script>", "[x](command:y)", "[x](<command:y>)", "[x](command:y 't')", "[x](file://h/s)", "[x](//h)", "[x](main.go:10)",
	"[r]: command:z\n", "[r]: <command:z>\n", "[r]:\ncommand:z\n", "[x][r]", "[r]", "<command:x>", "<javascript:x>",
	"[x](comm&#97;nd:y)", "&colon;", "&lt;img>", "\\", "`", "``", "```", "````", "```go", "~~~", "~~~~", "\n", "\n\n", "\r",
	"  ", "    ", "\t", "> ", ">", "- ", "* ", "+ ", "1. ", "12) ", "5. ", "a", "|", "|---|\n", "!", "[", "](", ")", "]:", "<",
	"http://a", "www.a.b", "a.b/", "@", "* * *\n", "# ", "===\n", "---\n", "[^1]", "[^1]: ", ": ", "- [ ] ", "\x00", "\u00a0",
	"_", "**", "\"", "'", "(",
}

func TestNothingOfAModelIsLive(t *testing.T) {
	const rounds = 20_000
	random := rand.New(rand.NewPCG(38, 14))
	for range rounds {
		var b strings.Builder
		for range 1 + random.IntN(14) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		checkMarkdown(t, b.String())
	}
}

func FuzzNothingOfAModelIsLive(f *testing.F) {
	f.Add("![x](y) `<b>`\n- ```\n  a")
	f.Fuzz(checkMarkdown)
}

func checkMarkdown(t *testing.T, written string) {
	safe := display.SafeMarkdown(written)
	for name, reader := range readers {
		if found := live(reader, safe); found != "" {
			t.Fatalf("%s: of %q, shown as %q, %s is live", name, written, safe, found)
		}
	}
}

// TestWhatIsLiveIsSeen has texts that are live unless they are made safe.
func TestWhatIsLiveIsSeen(t *testing.T) {
	for _, written := range []string{
		"![x](http://e)", "![r]\n\n[r]: http://e", "a <img src=x>", "<!-- x -->", "<div>\n", "[x](command:y)", "[x][r]\n\n[r]: command:z",
		"<command:xyz>", "[x](<command:y>)", "[x](comm&#97;nd:y)", "[x](file://h/s)", "[x](//h)", "- ```\n  a\n![x](y)\n",
	} {
		if live(readers["CommonMark"], written) == "" {
			t.Errorf("%q is not live", written)
		}
		checkMarkdown(t, written)
	}
}
