package syntax_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/testbed"
)

// scannedLanguages are the languages with a scanner of ours, and TOML, whose files may be data.
var scannedLanguages = []string{"markdown", "yaml", "toml", "css", "scss", "less", "html", "vue", "svelte", "dockerfile",
	"protobuf", "sql"}

// unterminated are pieces of text that begin something and never end it. The tests repeat them.
var unterminated = []string{
	"[", "{a: ", "{", "}", "a{", "- ", "? ", "a: \"", "\"\n", "'", "key:\n", "a: |\n  x\n", "a: >-\n b\n", "&a ", "a.", "[[a]]\n", "[a]\nb = 1\n", "a = [",
	"<div>", "</div>", "<", "<a b=\"", "<script>", "<p>x", "<li><ul>", "<!--", "<div ", "<tr><td>x", "<div id=a>", "<h1>", "<a b={", "</", "<div id=a></p>",
	"@media x{", "a:not(", "url(", "/*", "//", "a{--x:", "[a=", "a,", "#{", "@include x;", "$a:", "$a: ($b,",
	"FROM a AS b\n", "FROM a AS b\nENV c=d\n", "RUN a \\\n", "RUN <<E\n", "RUN <<E <<F\n", "ENV \"", "$", "RUN [\"", "ENV a=b ", "COPY --from=",
	"message M {", "enum E { A = 1; ", "service S { rpc F(", "oneof o {", "extend T {", "option (a) = {", "import \"", "syntax = ",
	"create table t (", "create function f() as $$", "create type t as enum (", "begin ", "case when ", "insert into t values (", "$a$", "-- \n",
	"select (", "with a as (", "; ", "create ",
	"# a\n", "#", "a\n=\n", "a\n", "```\n", "> ", "- ```\n", "1. ", "<!-- ", "---\n", "[a](", "a\n---\n", "\n", " ", "\t",
}

// TestOutlineOfAnything parses long repetitions: nothing panics, and every symbol lies within
// the text and within its parent.
func TestOutlineOfAnything(t *testing.T) {
	testbed.Long(t)
	for _, language := range scannedLanguages {
		size := 50_000
		if language == "toml" {
			size = 2000 // tree-sitter parses it, and would reach its time limit with more
		}
		for _, part := range unterminated {
			text := []byte(strings.Repeat(part, size/len(part)))
			f, err := syntax.Parse(language, text)
			if err != nil {
				t.Errorf("%s, %q: %v", language, part, err)
				continue
			}
			checkBounds(t, f, text)
		}
	}
}

// TestOutlineCutAnywhere parses every prefix of each fixture, with both line endings.
func TestOutlineCutAnywhere(t *testing.T) {
	testbed.Long(t)
	for _, language := range scannedLanguages {
		input := fixture(t, language)
		for _, text := range []string{string(input), strings.ReplaceAll(string(input), "\n", "\r\n")} {
			for end := range len(text) {
				f, err := syntax.Parse(language, []byte(text[:end]))
				if err != nil {
					t.Fatalf("%s: %v", language, err)
				}
				checkBounds(t, f, []byte(text[:end]))
			}
		}
	}
}

// TestOutlineLineEnds finds the same symbols with both line endings.
func TestOutlineLineEnds(t *testing.T) {
	for _, language := range scannedLanguages {
		input := fixture(t, language)
		unix := addresses(t, language, string(input))
		dos := addresses(t, language, strings.ReplaceAll(string(input), "\n", "\r\n"))
		if unix != dos || unix == "" {
			t.Errorf("%s: with \\n:\n%s\nwith \\r\\n:\n%s", language, unix, dos)
		}
	}
}

// fixture returns the text of the language's golden listing.
func fixture(t *testing.T, language string) []byte {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", language+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	return archive.Files[0].Data
}

func addresses(t *testing.T, language, text string) string {
	t.Helper()
	f, err := syntax.Parse(language, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, s := range f.Symbols {
		fmt.Fprintln(&b, s.StartLine, s.EndLine, s.Kind, s.Canon, s.Signature([]byte(text)))
	}
	return b.String()
}
