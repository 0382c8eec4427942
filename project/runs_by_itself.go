package project

import (
	_ "embed"
	"path"
	"strings"
	"sync"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Runs is an entry of [RunsByItself]: files that a tool finds by their names.
type Runs struct {
	Kind     string // for example "assistants"
	What     string // who does what with the file, as in "Mage runs it"
	Source   string // the page of the tool's documentation that says so
	Patterns []string
}

// RunsByItself lists files that run, build, or instruct a program or an assistant without anybody starting
// them on purpose, although their names are those of code or prose; what other names have always asks, see
// [AutoAccept.MustAsk].
//
// A pattern matches the last parts of a path, each as [path.Match] does; "**" stands for any number of
// parts, and a final slash for everything below a folder. Letter case does not count, since it does not
// count on every file system.
var RunsByItself = sync.OnceValue(func() []Runs { return parseRuns(runsByItself) })

//go:embed runs_by_itself.txt
var runsByItself string

// parseRuns parses lines "what | source | patterns", below lines "[kind]".
func parseRuns(text string) (all []Runs) {
	kind := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "["); ok {
			kind = strings.TrimSuffix(name, "]")
		} else if fields := strings.Split(line, " | "); len(fields) == 3 {
			all = append(all, Runs{kind, fields[0], fields[1], strings.Fields(fields[2])})
		}
	}
	return all
}

// runsFile returns the entry that lists a file by its folded parts, nil if there is none.
func runsFile(parts []string) *Runs {
	all := RunsByItself()
	for i := range all {
		for _, pattern := range all[i].Patterns {
			if matchesEnd(pattern, parts) {
				return &all[i]
			}
		}
	}
	return nil
}

// matchesEnd reports whether a pattern matches the last parts of a path.
func matchesEnd(pattern string, parts []string) bool {
	if folder, ok := strings.CutSuffix(pattern, "/"); ok {
		wanted := strings.Split(folder, "/")
		for at := range max(0, len(parts)-len(wanted)) {
			if matchesParts(wanted, parts[at:at+len(wanted)]) {
				return true
			}
		}
		return false
	}
	wanted := strings.Split(pattern, "/")
	for at := range parts {
		if matchesParts(wanted, parts[at:]) {
			return true
		}
	}
	return false
}

// matchesParts reports whether the parts of a pattern match all of these parts.
func matchesParts(wanted, parts []string) bool {
	switch {
	case len(wanted) == 0:
		return len(parts) == 0
	case wanted[0] == "**":
		return matchesParts(wanted[1:], parts) || len(parts) > 0 && matchesParts(wanted, parts[1:])
	case len(parts) == 0:
		return false
	}
	matched, _ := path.Match(wanted[0], parts[0]) // a test checks the patterns
	return matched && matchesParts(wanted[1:], parts[1:])
}

// foldedParts returns the parts of a slash-separated path as the file systems that fold the most take them:
// without case, without characters that are not seen, and in one form for those that are alike.
func foldedParts(rel string) []string {
	visible := strings.Map(func(c rune) rune {
		if ignorable(c) {
			return -1
		}
		return c
	}, rel)
	return strings.Split(cases.Fold().String(norm.NFKC.String(cases.Fold().String(visible))), "/")
}
