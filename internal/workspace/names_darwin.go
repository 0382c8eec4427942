package workspace

import "golang.org/x/sys/unix"

// pcCaseSensitive is _PC_CASE_SENSITIVE of sys/unistd.h.
const pcCaseSensitive = 11

// outerNames are the rules for names outside of the roots.
var outerNames = NameRules{Folds: true, Normalizes: true}

// systemRules returns the rules that the system has for a folder, and whether they are
// certain. All of the system's own disks ignore how characters are composed.
func systemRules(dir string) (rules NameRules, certain bool) {
	sensitive, err := unix.Pathconf(dir, pcCaseSensitive)
	return NameRules{Folds: err != nil || sensitive == 0, Normalizes: true}, true
}
