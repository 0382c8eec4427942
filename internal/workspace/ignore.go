package workspace

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/git-pkgs/gitignore"
)

// ignoreFiles are the names of the ignore files, the stronger one first: a
// rule of a stronger file wins over those of weaker ones, wherever they are;
// among files of one name the one in the deeper folder wins.
var ignoreFiles = [...]string{".plokeignore", ".ignore", ".gitignore"}

const maxIgnoreBytes = 1 << 20

// rules are the ignore rules that hold in a folder: its own, and through
// parent those of the folders around it.
type rules struct {
	parent *rules
	dir    string
	sets   [len(ignoreFiles)]*ruleSet // nil where the folder has no such file
}

// ruleSet is one ignore file.
type ruleSet struct {
	all   *gitignore.Matcher
	lines []rule
}

// rule is one line of an ignore file.
type rule struct {
	matcher *gitignore.Matcher
	base    bool // names no folder: holds for a base name at any depth
	depth   int  // number of path parts it matches; 0: any (it has a **)
}

func parseRules(data []byte) *ruleSet {
	s := &ruleSet{all: new(gitignore.Matcher)}
	for line := range strings.Lines(string(data)) {
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

// match reports what the last line that names rel itself says of it. A line
// that names a folder around rel says nothing: whoever asks has asked about
// that folder before. (The library's answer for a whole file mixes the two, so
// that "!*/" would bring back every file; it serves to rule most paths out.)
func (s *ruleSet) match(rel string, isDir bool) (ignored, matched bool) {
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

// ignores reports whether path, an entry somewhere beneath r's folder, is
// ignored, given that the folders around it are not.
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

// loadRules reads those ignore files of dir that may be there. Where it has
// none the rules around it hold unchanged.
func loadRules(dir string, parent *rules, maybe func(name string) bool) *rules {
	r := &rules{parent: parent, dir: dir}
	found := false
	for kind, name := range ignoreFiles {
		if !maybe(name) {
			continue
		}
		data, err := readRegular(filepath.Join(dir, name), maxIgnoreBytes)
		if err != nil {
			continue
		}
		r.sets[kind] = parseRules(data)
		found = true
	}
	if !found {
		return parent
	}
	return r
}

func anything(string) bool { return true }

// rulesAround returns the rules that hold at a root from outside of it: the
// repository's own excludes, and the ignore files between the repository's top
// and the root. A root that those would leave out was opened on purpose, and
// they don't count.
func rulesAround(dir string) *rules {
	top := repositoryTop(dir)
	if top == "" {
		return nil
	}
	var around *rules
	if data, err := readRegular(filepath.Join(top, ".git", "info", "exclude"), maxIgnoreBytes); err == nil {
		around = &rules{dir: top}
		around.sets[len(ignoreFiles)-1] = parseRules(data)
	}
	at := top
	for part := range strings.SplitSeq(relTo(top, dir), string(filepath.Separator)) {
		if part == "" {
			break
		}
		around = loadRules(at, around, anything)
		at = filepath.Join(at, part)
		if around.ignores(at, true) {
			return nil
		}
	}
	return around
}

// repositoryTop returns the innermost folder around dir, or dir, that is a
// repository's working tree; "" when there is none.
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
