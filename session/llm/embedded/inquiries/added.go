package inquiries

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// Added asks in which version something came or went: it lists the lines of a changelog that speak of it, below the
// headings of their versions.
type Added struct{ Words []string }

// named returns the words without those that say what any version may bring, unless there are no others.
func (x Added) named() []string {
	named := slices.DeleteFunc(slices.Clone(x.Words), func(w string) bool { return ofAnything[w] })
	if len(named) == 0 {
		return x.Words
	}
	return named
}

var ofAnything = lexicon.SetOf("support option feature function method parameter argument flag command class type " +
	"setting version release first")

const listedLines = 6

// Searches returns the search for the lines with the longest word, and that for the headings of versions.
func (x Added) Searches() []Search {
	longest := slices.MaxFunc(x.named(), func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	return []Search{
		{Pattern: `(?i)` + regexp.QuoteMeta(lexicon.Stem(longest)), Include: conventions.VersionHeads, Limit: 200, Context: 1},
		{Pattern: conventions.VersionLine, Include: conventions.VersionHeads, Limit: versionLines},
	}
}

// Reads returns nil: the lines say it.
func (Added) Reads(Look) []Lines { return nil }

// lines returns the lines with some words, a copy in the documentation left out: those first that say that something
// came, and then the older ones.
func (l Look) lines(words []string) (lines []Match) {
	seen := map[string]bool{}
	for _, m := range l.Found[0].Matches {
		item := strings.ToLower(m.Text + " " + strings.Join(m.After, " "))
		lacks := func(w string) bool { return !strings.Contains(item, lexicon.Stem(w)) }
		if conventions.VersionOf(m.Text) == "" && !slices.ContainsFunc(words, lacks) && !seen[m.Text] {
			seen[m.Text], lines = true, append(lines, m)
		}
	}
	slices.Reverse(lines) // changelogs begin with what is new
	slices.SortStableFunc(lines, func(a, b Match) int {
		return results.Order(!saysNew.MatchString(a.Text)) - results.Order(!saysNew.MatchString(b.Text))
	})
	return lines
}

// Say lists the lines with all words, else with those that name something.
func (x Added) Say(l Look) string {
	lines := l.lines(x.Words)
	if len(lines) == 0 {
		lines = l.lines(x.named())
	}
	text := ""
	for _, m := range lines[:min(listedLines, len(lines))] {
		if version := l.versionAbove(m); version != "" {
			text += fmt.Sprintf("- %s — %s:%d: %s\n", version, l.Rel(m.File), m.Line,
				results.Code(results.Clip(strings.TrimSpace(m.Text))))
		}
	}
	if text == "" {
		return ""
	}
	return "These lines of the changelog speak of it, each below the heading of its version, those first that say that " +
		"something is new:\n\n" + text + "\n"
}

// versionAbove returns the version of the section that a line is in.
func (l Look) versionAbove(m Match) (version string) {
	for _, h := range l.Found[1].Matches {
		if v := conventions.VersionOf(h.Text); v != "" && h.File == m.File && h.Line < m.Line {
			version = v
		}
	}
	return version
}

var saysNew = lazyregexp.New(`(?i)^\W*(?:feat\b|(?:[\w-]+[: ]+){0,2}(?:add\w*|new|introduc\w*|implement\w*)\b)`)
