package workspace

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/git-pkgs/gitignore"

	"ploke-lsp/internal/lazyregexp"
)

// ignoreFiles are the names of the ignore files, in descending order of precedence. A rule
// of a file with precedence overrides the others in any folder. Among files with the same
// name, the one in the deeper folder takes precedence.
var ignoreFiles = [...]string{".plokeignore", ".ignore", ".gitignore"}

const maxIgnoreBytes = 1 << 20

// rules are the ignore rules of a folder: its own and, through parent, those of the
// folders above it.
type rules struct {
	parent *rules
	dir    string
	sets   [len(ignoreFiles)]*ruleSet // nil if the folder has no such file
}

// ruleSet holds the rules of one ignore file. An ignore file may have tens of thousands of lines,
// and each is asked about each path. So those that are a name or a path are looked up, and of the
// others only those are matched as which the path begins, and whose literal it contains. What is left
// is matched one by one: patterns of sets and stars have nothing in common by which they could be looked up.
type ruleSet struct {
	lines  []rule
	byName map[string][]int // the indices of the lines that are just a name, in ascending order
	byPath map[string][]int // of those that are just a path
	others []int            // of all others
	names  NameRules        // patterns are keys of names
}

// rule is a line of an ignore file.
type rule struct {
	matcher func() *gitignore.Matcher // made when it is first needed
	base    bool                      // the pattern has no folder: it matches a base name at any depth
	// the number of path parts that the pattern matches; 0: any number, since it has a **
	depth   int
	literal string // what each path contains that the pattern matches
	head    head   // how each path begins that the pattern matches
	least   int    // the number of bytes that it has at least
	same    string // equal in lines that match the same paths
}

// parseRules parses an ignore file, which may begin with a byte order mark, for a disk with these
// rules of names. As in git, patterns ignore case where the disk does.
func parseRules(names NameRules, data []byte) *ruleSet {
	data = bytes.TrimPrefix(data, []byte(ByteOrderMark))
	s := &ruleSet{names: names, byName: map[string][]int{}, byPath: map[string][]int{}}
	for line := range strings.Lines(names.key(string(data))) {
		s.add(strings.TrimRight(line, "\r\n"))
	}
	s.keepLast()
	return s
}

// keepLast drops of the other lines those that a later one repeats in the same or in other words.
func (s *ruleSet) keepLast() {
	seen := map[string]bool{}
	for _, at := range slices.Backward(slices.Clone(s.others)) {
		if same := s.lines[at].same; seen[same] {
			s.lines[at].same = ""
		} else {
			seen[same] = true
		}
	}
	s.others = slices.DeleteFunc(s.others, func(at int) bool { return s.lines[at].same == "" })
}

// add adds a line.
func (s *ruleSet) add(line string) {
	whole := strings.TrimRight(strings.TrimPrefix(line, "!"), " ")
	pattern := strings.TrimSuffix(whole, "/")
	path := strings.TrimPrefix(pattern, "/")
	if path == "" || line[0] == '#' {
		return
	}
	r := rule{matcher: matcherOf(line), base: !strings.Contains(pattern, "/"), same: sameWildcards(whole),
		head: headOf(path)}
	r.literal, r.least = longestLiteral(path)
	if !strings.Contains(pattern, "**") {
		r.depth = 1 + strings.Count(path, "/")
	}
	at := len(s.lines)
	s.lines = append(s.lines, r)
	switch {
	case strings.ContainsAny(path, specials):
		s.others = append(s.others, at)
	case r.base:
		s.byName[path] = append(s.byName[path], at)
	default:
		s.byPath[path] = append(s.byPath[path], at)
	}
}

// specials are the characters that don't stand for themselves in a pattern.
const specials = `*?[\`

// wildcards are the parts of a pattern that stand for any characters, of which some may be needed.
var wildcards = lazyregexp.New(`[*?]{2,}`)

// matcherOf returns a function that makes the matcher of a line once.
func matcherOf(line string) func() *gitignore.Matcher {
	return sync.OnceValue(func() *gitignore.Matcher {
		m := new(gitignore.Matcher)
		m.AddPatterns([]byte(line), "")
		return m
	})
}

// sameWildcards returns a pattern in which any characters are always said in the same way: *?* is ?*.
func sameWildcards(pattern string) string {
	if strings.ContainsAny(pattern, `[\\`) || strings.Contains(pattern, "**") {
		return pattern
	}
	return wildcards.ReplaceAllStringFunc(pattern, func(run string) string {
		all := strings.Repeat("?", strings.Count(run, "?"))
		if len(all) < len(run) {
			all += "*"
		}
		return all
	})
}

// longestLiteral returns the longest part of a pattern that stands for itself, within one name, and
// how many bytes what it matches has at least. A bracket that does not end may stand for itself, so
// what follows such a one does not count.
func longestLiteral(pattern string) (longest string, least int) {
	start := 0
	end := func(at int) {
		if at-start > len(longest) {
			longest = pattern[start:at]
		}
	}
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '*', '?', '/':
			end(i)
			start = i + 1
			if pattern[i] == '?' {
				least++
			}
		case '[':
			end(i)
			width := bracketWidth(pattern[i:])
			if width == 0 {
				return longest, least
			}
			i += width - 1
			start = i + 1
			least++
		case '\\':
			end(i)
			start = i + 1
			least++
			if i+1 < len(pattern) && pattern[i+1] != '/' {
				i++ // the next character stands for itself
			}
		default:
			least++
		}
	}
	end(len(pattern))
	return longest, least
}

// bracketWidth returns the length of the bracket expression at the beginning of a pattern; 0 if it
// has no end, or one that is hard to find.
func bracketWidth(pattern string) int {
	negated := strings.HasPrefix(pattern[1:], "!") || strings.HasPrefix(pattern[1:], "^")
	for i := 1; i < len(pattern); i++ {
		first := i == 1 || i == 2 && negated
		switch pattern[i] {
		case ']':
			if !first {
				return i + 1
			}
		case '[', '/', '\\':
			return 0
		}
	}
	return 0
}

// match returns what the last line that matches rel itself says. Lines that match a folder
// above rel are ignored, because the caller has already asked about that folder. The
// library's answer for a whole file mixes the two, so that "!*/" would bring back every
// file.
func (s *ruleSet) match(rel string, isDir bool) (ignored, matched bool) {
	rel = s.names.key(rel)
	last := -1
	name := rel[strings.LastIndexByte(rel, '/')+1:]
	depth := 1 + strings.Count(rel, "/")
	for _, lines := range [][]int{s.byName[name], s.byPath[rel], s.others} {
		for i := len(lines) - 1; i >= 0 && lines[i] > last; i-- {
			line, subject := &s.lines[lines[i]], rel
			switch {
			case line.base:
				subject = name
			case line.depth != 0 && line.depth != depth:
				continue
			}
			if len(subject) < line.least || !line.head.begins(subject) || !strings.Contains(subject, line.literal) {
				continue
			}
			if m := line.matcher().MatchDetail(slashed(subject, isDir)); m.Matched {
				ignored, last = m.Ignored, lines[i]
			}
		}
	}
	return ignored, last >= 0
}

func slashed(rel string, isDir bool) string {
	if isDir {
		return rel + "/"
	}
	return rel
}

// ignores reports whether path is ignored, if the folders above it are not. The path must
// lie below r's folder.
func (r *rules) ignores(path string, isDir bool) bool {
	for kind := range ignoreFiles {
		for at := r; at != nil; at = at.parent {
			if at.sets[kind] == nil {
				continue
			}
			rel := filepath.ToSlash(relTo(at.dir, path))
			if ignored, matched := at.sets[kind].match(rel, isDir); matched {
				return ignored
			}
		}
	}
	return false
}

// loadRules reads the ignore files of dir whose names may exist. If there is none, it
// returns parent.
func loadRules(names NameRules, dir string, parent *rules, mayExist func(name string) bool) *rules {
	r := &rules{parent: parent, dir: dir}
	found := false
	for kind, name := range ignoreFiles {
		if !mayExist(name) {
			continue
		}
		data, err := ReadRegular(filepath.Join(dir, name), maxIgnoreBytes)
		if err != nil {
			continue
		}
		r.sets[kind] = parseRules(names, data)
		found = true
	}
	if !found {
		return parent
	}
	return r
}

func anyName(string) bool { return true }

// excludesOf returns the excludes of the person and of a repository.
func excludesOf(names NameRules, top string) (outer *rules) {
	r := repositoryAt(top)
	for _, file := range []string{userExcludes(r), filepath.Join(r.common, "info", "exclude")} {
		if data, err := readIgnoreFile(file); err == nil {
			outer = &rules{dir: top, parent: outer}
			outer.sets[len(ignoreFiles)-1] = parseRules(names, data)
		}
	}
	return outer
}

// outerRules returns the rules that apply to a root from outside: the person's and the repository's own
// excludes, and the ignore files between the top of the repository and the root. If they
// would ignore the root itself, there are none, because the user has opened the root on
// purpose.
func outerRules(names NameRules, dir string) *rules {
	top := repositoryTop(dir)
	if top == "" {
		return nil
	}
	at, outer := top, excludesOf(names, top)
	for part := range strings.SplitSeq(relTo(top, dir), string(filepath.Separator)) {
		if part == "" {
			break
		}
		outer = loadRules(names, at, outer, anyName)
		at = filepath.Join(at, part)
		if outer.ignores(at, true) {
			return nil
		}
	}
	return outer
}

// readIgnoreFile reads an ignore file outside of the repository's own files, which may be a link.
func readIgnoreFile(path string) ([]byte, error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	return ReadRegular(path, maxIgnoreBytes)
}
