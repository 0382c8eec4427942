package workspace

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/git-pkgs/gitignore"
)

// lines returns n lines of an ignore file.
func lines(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, strings.ReplaceAll(format, "N", "%[1]d")+"\n", i)
	}
	return b.String()
}

// TestManyPatternsAreNotMatchedOneByOne counts the memory blocks of a match, of which each pattern that is matched costs one.
func TestManyPatternsAreNotMatchedOneByOne(t *testing.T) {
	for _, format := range []string{"name-N.go", "/dir/nameN", "dir/nameN/", "*.exN", "nameN*", "a*nameN*b", "**/nameN", "dir/**/nameN", "nameN/**", "!nameN", "x?N"} {
		set := parseRules(NameRules{}, []byte(lines(5000, format)+"last.txt\n"))
		if _, matched := set.match("dir/last.txt", false); !matched {
			t.Errorf("%s: the last line does not match", format)
		}
		if blocks := testing.AllocsPerRun(10, func() { set.match("dir/sub/file.c", false) }); blocks > 10 {
			t.Errorf("%s: a match takes %v blocks", format, blocks)
		}
	}
}

// TestMatchIsThatOfEachLine compares with the library, line by line, on random patterns and paths.
func TestMatchIsThatOfEachLine(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	parts := []string{"a", "b", "ab", "*", "**", "?", "[ab]", "[!a]", "\\a", "a*", "*b", ".", "!", "#", " ", "[", "]", "a?b"}
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
	names := []string{"a", "b", "ab", "ba", "aab", "!a", "#a", "a b", "[", "]", "[ab]", "."}
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

// matchesItself reports whether a line matches a path itself, in the way that takes a match for each line.
func matchesItself(line, rel string, isDir bool) bool {
	body := strings.TrimRight(strings.TrimPrefix(line, "!"), " ")
	inner := strings.TrimSuffix(body, "/")
	subject := rel
	if !strings.Contains(inner, "/") {
		subject = rel[strings.LastIndexByte(rel, '/')+1:]
	} else if depth := 1 + strings.Count(strings.TrimPrefix(inner, "/"), "/"); !strings.Contains(body, "**") && depth != 1+strings.Count(rel, "/") {
		return false
	}
	all, one := new(gitignore.Matcher), new(gitignore.Matcher)
	all.AddPatterns([]byte(line), "")
	one.AddPatterns([]byte(line), "")
	return all.MatchDetail(slashed(rel, isDir)).Matched && one.MatchDetail(slashed(subject, isDir)).Matched
}
