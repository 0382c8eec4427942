package modules

import (
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

var (
	pythonBegins = lazyregexp.New(`^(?:from \S+ import|import |(?:async )?def \w|class \w|__all__\b` +
		`|[A-Za-z_]\w*(?:: [^=]+)? =)`)
	pythonFrom    = lazyregexp.New(`^from (\S+) import (?s:(.*))$`)
	pythonDeclare = lazyregexp.New(`^(?:(?:async )?def |class )?([A-Za-z_]\w*)`)
	pythonAll     = lazyregexp.New(`^__all__(?:: [^=]+)?\s*\+?=|^__all__\.(?:extend|append)\(`)
	quotedName    = lazyregexp.New(`["'](\w+)["']`)
	hashComment   = lazyregexp.New(`(?m)(?:^|\s)#.*$`)
)

// pythonExports returns what a module of Python declares, and what a package's own file imports: for others, unless it
// is of the standard library and has no alias.
func pythonExports(text string, isPackage bool) (all []Export) {
	text = hashComment.ReplaceAllString(blankDocstrings(text), "")
	var listed []string
	origin := map[string]string{} // of each name, also of those that only the list of exports may have
	for _, s := range statements(text, pythonBegins) {
		e := Export{Line: s.line}
		switch m, rest := pythonFrom.FindStringSubmatch(s.text), strings.TrimPrefix(s.text, "import "); {
		case m != nil && strings.TrimSpace(m[2]) == "*":
			e.From, e.All = m[1], true
		case m != nil:
			e.From, e.Names = m[1], listNames(m[2], " as ")
			for _, n := range e.Names {
				origin[n] = e.From
			}
			if !isPackage || pythonTools.MatchString(e.From) {
				e.Names = reexported(m[2])
			}
		case pythonAll.MatchString(s.text):
			for _, q := range quotedName.FindAllStringSubmatch(s.text, -1) {
				listed = append(listed, q[1])
			}
			e.From, e.Names = listOfExports, listed
		case rest != s.text:
			e.From, e.Names = strings.Fields(rest + " ?")[0], reexported(rest)
		default:
			e.Names = []string{pythonDeclare.FindStringSubmatch(s.text)[1]}
		}
		if e.From != listOfExports {
			for _, n := range e.Names {
				origin[n] = e.From
			}
			e.Names = public(e.Names)
		}
		all = append(all, e)
	}
	if len(listed) > 0 {
		return onlyListed(all, listed, origin)
	}
	return all
}

// listOfExports stands for the module of what __all__ lists.
const listOfExports = "\x00"

// onlyListed returns the exports with the names that __all__ lists, each where it comes from. Those of which that is
// not known are its own.
func onlyListed(all []Export, listed []string, origin map[string]string) []Export {
	byOrigin := []Export{}
	for _, e := range all {
		kept := Export{From: e.From, Line: e.Line}
		for _, n := range listed {
			from, known := origin[n]
			if known && from == e.From && slices.Contains(e.Names, n) || !known && e.From == listOfExports {
				kept.Names = append(kept.Names, n)
			}
		}
		if e.From == listOfExports {
			kept.From = ""
		}
		byOrigin = append(byOrigin, kept)
	}
	return byOrigin
}

// reexported returns the names of a list that have themselves as their alias, which marks them as exported.
func reexported(list string) (names []string) {
	for _, m := range ownAlias.FindAllStringSubmatch(list, -1) {
		if m[1] == m[2] {
			names = append(names, m[1])
		}
	}
	return names
}

var (
	ownAlias    = lazyregexp.New(`(?:^|[\s,(])(\w+) as (\w+)`)
	pythonTools = lazyregexp.New(`^(?:typing|typing_extensions|__future__|os|sys|importlib|warnings|collections` +
		`|functools|logging|re|abc|` +
		`types|pathlib|contextlib|itertools|inspect)(?:\.|$)`)
)

// blankDocstrings removes strings of several lines, whose lines may look like statements.
func blankDocstrings(text string) string {
	return docstring.ReplaceAllStringFunc(text, func(s string) string {
		return `""` + strings.Repeat("\n",
			strings.Count(s, "\n"))
	})
}

var docstring = lazyregexp.New(`(?s)""".*?"""|'''.*?'''`)

func public(names []string) []string {
	return slices.DeleteFunc(names, func(n string) bool { return strings.HasPrefix(n, "_") && n != "__version__" })
}
