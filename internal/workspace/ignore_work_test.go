package workspace

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/git-pkgs/gitignore"
)

// lines returns n lines of an ignore file.
func lines(n int, format string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(format, "N", strconv.Itoa(i)) + "\n")
	}
	return b.String()
}

// TestManyPatternsAreNotMatchedOneByOne counts the memory blocks of a match, of which each pattern that is matched costs one.
func TestManyPatternsAreNotMatchedOneByOne(t *testing.T) {
	for _, format := range []string{"name-N.go", "/dir/nameN", "dir/nameN/", "*.exN", "nameN*", "a*nameN*b", "**/nameN", "dir/**/nameN", "nameN/**", "!nameN", "x?N",
		"*?*/", "?*/", "**/?/", "?????????/", "x[ab", `a?\\b`,
		"[!N][!N][!N][!N][!N][!c]", "[!N][!N]", "[!N]???[.][!a-g]", "[!N]?[]l][!N]?[a-b]", "/[d]?[!N]/*", "[!N][!N][!N][!N][!N][!N]x*", "[a-z]nameN", "[!a]*[0-9]xN*", "[]]nN", `\\nameN`, `*\\n\\aN?`} {
		set := parseRules(NameRules{}, []byte(lines(5000, format)+"last.txt\n"))
		if _, matched := set.match("dir/last.txt", false); !matched {
			t.Errorf("%s: the last line does not match", format)
		}
		if blocks := testing.AllocsPerRun(10, func() { set.match("dir/sub/file.c", false) }); blocks > 10 {
			t.Errorf("%s: a match takes %v blocks", format, blocks)
		}
	}
}

// TestLongerAndLongerPatternsAreNotMatched has patterns of any characters, of which no two are the same.
func TestLongerAndLongerPatternsAreNotMatched(t *testing.T) {
	var text strings.Builder
	for n := range 1000 {
		text.WriteString(strings.Repeat("?", 20+n) + "*\n*" + strings.Repeat("?", 20+n) + "*/\n")
	}
	set := parseRules(NameRules{}, []byte(text.String()))
	if blocks := testing.AllocsPerRun(10, func() { set.match("dir/sub/file.c", false) }); blocks > 10 {
		t.Errorf("a match takes %v blocks", blocks)
	}
}

// TestALaterLineStandsForAnEarlierOne has lines that say the same in other words, the last of which decides.
func TestALaterLineStandsForAnEarlierOne(t *testing.T) {
	for text, ignored := range map[string]bool{"?*\n!*?*\n": false, "!?*\n*?*\n": true, "*??\n!??*\n": false, "!a?*\na*?\n": true,
		"a*?\n!a*?/\n": true, "?*\n!/?*\n": false} {
		if got, matched := parseRules(NameRules{}, []byte(text)).match("ab", false); got != ignored || !matched {
			t.Errorf("%q: %v, %v", text, got, matched)
		}
	}
}

// TestMatchIsThatOfEachLine compares with the library, line by line, on random patterns and paths.
func TestMatchIsThatOfEachLine(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	parts := []string{"a", "b", "ab", "*", "**", "?", "[ab]", "[!a]", "\\a", "a*", "*b", ".", "!", "#", " ", "[", "]", "a?b", "*?*", "??", "[]", "[!]", "[^a]", "[a-]", "[-a]", "[]-a]", "[a-aab]", "[!]a]", "[\\a]", "\\", "[a-b]", "\\*", "\\[", "\\\\", "b]"}
	text := func(separators bool) string {
		var b strings.Builder
		for range 1 + random.IntN(4) {
			b.WriteString(parts[random.IntN(len(parts))])
			if separators && random.IntN(3) == 0 {
				b.WriteString("/")
			}
		}
		return b.String()
	}
	names := []string{"a", "b", "ab", "ba", "aab", "!a", "#a", "a b", "[", "]", "[ab]", ".", "*", "\\", "]b", "[]b"}
	for range 20_000 {
		line := text(true)
		if random.IntN(4) == 0 {
			line = "!" + line
		}
		rel := names[random.IntN(len(names))]
		for range random.IntN(3) {
			rel += "/" + names[random.IntN(len(names))]
		}
		isDir := random.IntN(2) == 0
		_, matched := parseRules(NameRules{}, []byte(line+"\n")).match(rel, isDir)
		if want := matchesItself(line, rel, isDir); matched != want {
			t.Fatalf("%q matches %q (a folder: %v): %v, want %v", line, rel, isDir, matched, want)
		}
	}
}

// TestSetsOfBytes compares what a set in brackets rules out with the library, for each byte.
func TestSetsOfBytes(t *testing.T) {
	for _, pattern := range []string{"[a]", "[abc]", "[!a]", "[^a-c]", "[a-c]", "[a-cx-z]", "[-a]", "[a-]", "[]]", "[]-a]", "[!]]", "[!]-a]",
		"[a-c-e]", "[--.]", "[c-a]", "[!-a]", "[^-]", "[*?]", "?", "x", `\*`} {
		all := new(gitignore.Matcher)
		all.AddPatterns([]byte(pattern), "")
		h := headOf(pattern)
		for c := 1; c < 256; c++ {
			if c == '/' {
				continue
			}
			name := string([]byte{byte(c)})
			if got, want := h.begins(name), all.MatchDetail(name).Matched; got != want {
				t.Errorf("%s and %q: %v, want %v", pattern, name, got, want)
			}
		}
		if h.begins("") || h.begins("aa") || h.begins("xx") {
			t.Errorf("%s begins as a name of another length", pattern)
		}
	}
}

// matchesItself reports whether a line matches a path itself, in the way that takes a match for each line.
func matchesItself(line, rel string, isDir bool) bool {
	body := strings.TrimRight(strings.TrimPrefix(line, "!"), " ")
	inner := strings.TrimSuffix(body, "/")
	subject := rel
	if !strings.Contains(inner, "/") {
		subject = rel[strings.LastIndexByte(rel, '/')+1:]
	} else if depth := 1 + strings.Count(strings.TrimPrefix(inner, "/"), "/"); !strings.Contains(body, "**") &&
		depth != 1+strings.Count(rel, "/") {
		return false
	}
	all, one := new(gitignore.Matcher), new(gitignore.Matcher)
	all.AddPatterns([]byte(line), "")
	one.AddPatterns([]byte(line), "")
	return all.MatchDetail(slashed(rel, isDir)).Matched && one.MatchDetail(slashed(subject, isDir)).Matched
}
