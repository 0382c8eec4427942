package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// NameRules say which names the disk of a folder takes for one and the same. The zero value is
// that of most disks of Linux: only equal names are the same.
type NameRules struct {
	Folds      bool // the case of letters does not count: Foo.go and foo.go are one file
	Normalizes bool // the composition of characters does not count: é is one name as one code point and as two
	Windows    bool // Windows reads the names, and gives some of them another meaning; see checkWindowsName
}

// exact reports whether only equal names are the same.
func (r NameRules) exact() bool { return !r.Folds && !r.Normalizes }

// key returns what all spellings of a name or a relative path have in common.
func (r NameRules) key(name string) string {
	if r.Normalizes {
		name = norm.NFC.String(name)
	}
	if r.Folds {
		name = strings.Map(fold, name)
	}
	return name
}

// fold returns the lower case of a letter that has exactly two cases. Disks disagree about
// the other ones, such as ſ, K and İ: taking two files for one would do harm, while two spellings of a file
// that exists are still found to be one by its name on the disk.
func fold(c rune) rune {
	if lower := unicode.ToLower(c); unicode.ToUpper(lower) == c {
		return lower
	}
	return c
}

// assumed are the rules that tests gave to folders, by path.
var assumed sync.Map

// Assume makes workspaces take these rules for those of a root folder's disk. It is for
// tests on a disk with other rules. They hold for roots that are added from then on.
func Assume(dir string, rules NameRules) { assumed.Store(dir, rules) }

// rulesOf returns the rules of a folder's disk. They are certain if they do not depend on
// what is in the folder so far.
func rulesOf(dir string) (rules NameRules, certain bool) {
	if given, ok := assumed.Load(dir); ok {
		return given.(NameRules), true
	}
	if rules, certain = systemRules(dir); certain {
		return rules, true
	}
	names := namesIn(dir)
	rules.Folds, certain = otherLeads(dir, names, otherCase)
	rules.Normalizes, _ = otherLeads(dir, names, otherForm)
	return rules, certain
}

// otherLeads reports whether one of a folder's names leads to its file in another spelling, too. It is certain only if
// the folder has a name with another spelling that no file has.
func otherLeads(dir string, names []string, spelling func(string) string) (leads, certain bool) {
	for _, name := range names {
		if other := spelling(name); other != name && !slices.Contains(names, other) {
			_, err := os.Lstat(filepath.Join(dir, other))
			return err == nil, true
		}
	}
	return false, false
}

// otherCase returns a name with the case of its letters swapped.
func otherCase(name string) string {
	return strings.Map(func(c rune) rune {
		if lower := fold(c); lower != c {
			return lower
		}
		if upper := unicode.ToUpper(c); fold(upper) == c {
			return upper
		}
		return c
	}, name)
}

// otherForm returns a name with its characters composed, or else decomposed.
func otherForm(name string) string {
	if composed := norm.NFC.String(name); composed != name {
		return composed
	}
	return norm.NFD.String(name)
}

// namesIn returns the names in a folder; none if it can't be read.
func namesIn(dir string) []string {
	f, err := openDir(dir) // which does not wait for a pipe
	if err != nil {
		return nil
	}
	defer f.Close()
	names, _ := f.Readdirnames(-1)
	return names
}

// Key returns what all spellings of a canonical path have in common, where the disk takes
// several names for one. It is the key of a file in maps, and never shown. On most disks of
// Linux it is the path itself.
func (f *folders) Key(path string) string {
	if !f.inexact.Load() {
		return path
	}
	return keyIn(f.allRoots(), path)
}

func keyIn(roots []*root, path string) string {
	r := innermost(roots, path)
	if r == nil || r.names.exact() {
		return path
	}
	return r.dir + r.names.key(path[len(r.dir):])
}

// SameName reports whether two canonical paths are spellings of one name.
func (f *folders) SameName(a, b string) bool {
	return a == b || f.inexact.Load() && f.Key(a) == f.Key(b)
}
