//go:build !darwin && !windows

package workspace

// outerNames are the rules for names outside of the roots.
var outerNames = NameRules{}

// systemRules returns the rules that the system has for a folder, and whether they are
// certain: the disks of these systems have their own.
func systemRules(string) (rules NameRules, certain bool) { return NameRules{}, false }
