package workspace

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/git-pkgs/gitignore"
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

// ruleSet holds the rules of one ignore file.
type ruleSet struct {
	all   *gitignore.Matcher
	lines []rule
	names NameRules // patterns are keys of names
}

// rule is a line of an ignore file.
type rule struct {
	matcher *gitignore.Matcher
	base    bool // the pattern has no folder: it matches a base name at any depth
	depth   int  // the number of path parts that the pattern matches; 0: any number, since it has a **
}

// parseRules parses an ignore file for a disk with these rules of names. As in git, patterns
// ignore case where the disk does.
func parseRules(names NameRules, data []byte) *ruleSet {
	s := &ruleSet{all: new(gitignore.Matcher), names: names}
	for line := range strings.Lines(names.key(string(data))) {
		line = strings.TrimRight(line, "\r\n")
		s.all.AddPatterns([]byte(line), "")
		m := new(gitignore.Matcher)
		m.AddPatterns([]byte(line), "")
		s.lines = append(s.lines, newRule(m, line))
	}
	return s
}

func newRule(m *gitignore.Matcher, line string) rule {
	body := strings.TrimRight(strings.TrimPrefix(line, "!"), " ")
	inner := strings.TrimSuffix(body, "/")
	r := rule{matcher: m, base: !strings.Contains(inner, "/")}
	if !strings.Contains(body, "**") {
		r.depth = 1 + strings.Count(strings.TrimPrefix(inner, "/"), "/")
	}
	return r
}

// match returns what the last line that matches rel itself says. Lines that match a folder
// above rel are ignored, because the caller has already asked about that folder. The
// library's answer for the whole file mixes the two, so that "!*/" would bring back every
// file. It only serves to rule out most paths quickly.
func (s *ruleSet) match(rel string, isDir bool) (ignored, matched bool) {
	rel = s.names.key(rel)
	if !s.all.MatchDetail(slashed(rel, isDir)).Matched {
		return false, false
	}
	name := rel[strings.LastIndexByte(rel, '/')+1:]
	depth := 1 + strings.Count(rel, "/")
	for i := len(s.lines) - 1; i >= 0; i-- {
		line, subject := s.lines[i], rel
		switch {
		case line.base:
			subject = name
		case line.depth != 0 && line.depth != depth:
			continue
		}
		if m := line.matcher.MatchDetail(slashed(subject, isDir)); m.Matched {
			return m.Ignored, true
		}
	}
	return false, false
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

// outerRules returns the rules that apply to a root from outside: the repository's own
// excludes, and the ignore files between the top of the repository and the root. If they
// would ignore the root itself, there are none, because the user has opened the root on
// purpose.
func outerRules(names NameRules, dir string) *rules {
	top := repositoryTop(dir)
	if top == "" {
		return nil
	}
	var outer *rules
	if data, err := ReadRegular(filepath.Join(top, ".git", "info", "exclude"), maxIgnoreBytes); err == nil {
		outer = &rules{dir: top}
		outer.sets[len(ignoreFiles)-1] = parseRules(names, data)
	}
	at := top
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

// repositoryTop returns the innermost folder that contains dir, or dir itself, and has a
// .git entry. It returns "" if there is none.
func repositoryTop(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}
