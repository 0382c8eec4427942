package textsearch

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/index/traits"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools/wording"
)

// The prefilter never drops a line that the pattern matches.
func TestNeedlesMissNoLine(t *testing.T) {
	lines := []string{"", "task", "TASK", "tas\u212a", "ta\u017fk", "foo bar", "Foo", "foobar", "bar", "barbaz", "a.b", "aXb", "é", "É", "Éa",
		"x := map[string]int{}", "}", "\t", "abc abc", "func (s *Server) Run() error {", "ﬀ", "İ", "i̇stanbul", "foo\r"}
	for _, pattern := range []string{
		"task", "(?i)task", "(?i)sk", "(?i:T)ask", "foo|bar", "(?i)foo|Bar", "foo(bar)?", "(foo)+", "(?:foo){2,}", "(?:foo){0,2}b", "[Ff]oo", "fo[ox]|ba[rz]",
		"^foo$", "foo$", `\bbar\b`, "a.b", `a\.b`, "(?i)é", "é|É", "(?i)Éa", ".*", "^$", `\w+\(\) error`, `func \(\w+ \*?Server\)`, "(?i)i̇", "x*", "(?:a|b|c|d|e|f|g|h|i|j|k|l|m|n|o|p|q)bc",
	} {
		for _, end := range []string{"\n", "\r\n"} {
			text := []byte(strings.Join(lines, end) + end)
			compiled, err := wording.Compile(pattern)
			if err != nil {
				t.Fatal(err)
			}
			var want []int
			for i, line := range strings.Split(string(text), "\n") {
				if compiled.MatchString(strings.TrimSuffix(line, "\r")) && i < len(lines) {
					want = append(want, i+1)
				}
			}
			s := Searcher{pattern: compiled, prefilter: prefilterOf(pattern), disk: oneFile(text), rel: filepath.Base}
			var got []int
			for _, match := range s.file(t.Context(), "/a", vacancies{traits.Source: {matches: 1000}, traits.Document: {matches: 1000}}).Matches {
				got = append(got, match.Line)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s finds lines %v, want %v (prefilter %q)", pattern, got, want, s.prefilter.literals)
			}
		}
	}
}

// oneFile returns the same file for every path.
type oneFile []byte

func (f oneFile) Read(context.Context, string) (*workspace.File, error) {
	return &workspace.File{Text: f}, nil
}
