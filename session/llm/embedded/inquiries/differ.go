package inquiries

import (
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// Differ asks for the difference of two files or modules: it quotes how each begins, and lists what only one declares.
type Differ struct{ A, B string }

const (
	beginning      = 12  // lines of a file that are quoted
	declaringLines = 300 // of both files that are looked at
)

// declaring matches the lines that declare something, at the margin or as a member.
const declaring = `^(?:\t| {0,4})?(?:(?:export|default|public|protected|private|abstract|final|pub(?:\([^)]*\))?` +
	`|static|async|const|` +
	`readonly|override|open) )*(?:func|fn|def|class|struct|enum|interface|trait|type|function|impl|record|module)\b[^;]*`

// Searches returns the searches for both files and for what they declare.
func (x Differ) Searches() []Search {
	a, b := asModule(x.A), asModule(x.B)
	return []Search{{Include: a, Limit: 20}, {Include: b, Limit: 20},
		{Pattern: declaring, Include: append(slices.Clone(a), b...), Limit: declaringLines}}
}

// asModule returns the patterns of the files that a name may mean.
func asModule(name string) []string {
	if lexicon.FileName.MatchString(name) {
		return fileNamed(name).Include
	}
	name = strings.ReplaceAll(name, ".", "/")
	patterns := []string{}
	for _, ext := range []string{".py", ".rs", ".go", ".ts", ".js", ".tsx", ".rb", ".java", ".php", ".c"} {
		patterns = append(patterns, "**/"+name+ext)
	}
	return append(patterns, "**/"+name+"/__init__.py", "**/"+name+"/mod.rs", "**/"+name+"/index.ts",
		"**/"+name+"/index.js")
}

// Reads returns how both files begin.
func (x Differ) Reads(l Look) (reads []Lines) {
	a, b := nearestTo(l, l.Found[0]), nearestTo(l, l.Found[1])
	if a == "" || b == "" || a == b {
		return nil
	}
	return []Lines{{a, 1, beginning}, {b, 1, beginning}}
}

// Say quotes how both files begin, and lists what they declare.
func (x Differ) Say(l Look) (text string) {
	if len(l.Read) < 2 {
		return ""
	}
	for i, read := range l.Read[:2] {
		other := l.Read[1-i].File
		var own []string
		shared := 0
		for _, m := range l.Found[2].Matches {
			what := strings.TrimRight(strings.TrimSpace(m.Text), " {:")
			if m.File != read.File {
				continue
			}
			if slices.ContainsFunc(l.Found[2].Matches, func(o Match) bool {
				return o.File == other && strings.TrimSpace(o.Text) == strings.TrimSpace(m.Text)
			}) {
				shared++
				continue
			}
			own = append(own, fmt.Sprintf("- line %d: %s\n", m.Line, results.Code(results.Clip(what))))
		}
		text += fmt.Sprintf("%s has %s, and begins so:\n\n%s\n\n", results.Code(l.Rel(read.File)),
			results.Count(read.LineCount, "line"), read.Snippet)
		if len(own) > 0 {
			text += "It alone declares:\n\n" + strings.Join(own[:min(results.FurtherPlaces, len(own))], "")
			if more := len(own) - results.FurtherPlaces; more > 0 {
				text += fmt.Sprintf("- and %d more\n", more)
			}
			text += "\n"
		}
		if i == 1 && shared > 0 {
			text += fmt.Sprintf("%s of both read the same.\n\n", results.Count(shared, "declaration"))
		}
	}
	return text + "This is what they declare; I can't judge what else differs.\n"
}
