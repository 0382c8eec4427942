package inquiries

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// Given asks for a limit or a default: it quotes the line that gives the value, if one line surely does, or lists those
// of which any may be meant.
type Given struct{ lexicon.Amount }

const (
	above       = 5   // lines above a value that say what it is about
	aroundValue = 9   // lines around one with a value that say what it is about
	valueLines  = 500 // maximum number of lines with values that are looked at
	rivals      = 5   // maximum number of values that are listed
	near        = 0.1
	unsure      = 0.25 // how much less others may fit where the best is not sure
)

// code are the files in which values are looked for.
var code = []string{"!*test*", "!**/tests/**", "!**/test/**", "!**/*Tests/**", "!**/spec/**", "!**/examples/**",
	"!*.md",
	"!*.rst", "!*.lock", "!CHANGE*", "!package-lock.json", "!*.svg", "!*.[1-9]", "!*.[1-9].*", "!*.txt", "!*.css",
	"!*.html", "!**/locale*/**", "!*.po",
	"!docs/**", "!doc/**", "!.github/**", "!/scripts/**", "!mvnw*", "!gradlew*", "!*.stub", "!**/stubs/**",
	"!regress/**",
	"!**/fuzz/**", "!*baseline*", "!**/bench*/**", "!*.neon", "!**/completion*/**", "!/extras/**", "!*.d.ts", "!*.ipynb"}

// Searches returns the searches for lines with values.
func (x Given) Searches() []Search {
	named, opens, failures := x.GivenPatterns()
	files := []string{}
	for _, thing := range x.Things {
		files = append(files, "*"+thing+"*", "*"+strings.ToUpper(thing[:1])+thing[1:]+"*")
	}
	all := []Search{
		{Pattern: `#\[(?:cfg\()?(?:\w+::)?test\b`, Include: []string{"*.rs"}, Limit: valueLines},
		{Pattern: failures, Include: code, Limit: valueLines, Before: 2},
		{Pattern: named, Include: code, Limit: valueLines, Before: above, After: 2},
		{Pattern: setsDefault, Include: code, Limit: valueLines, Before: aroundValue, After: 1},
		{Pattern: opens, Include: code, Limit: valueLines, Before: above, After: aroundValue + 2},
	}
	if len(files) > 0 {
		all = append(all, Search{Pattern: `(?:=|:|=>)\s*-?\d`, Include: slices.Concat(files, code), Limit: valueLines,
			Before: above})
	}
	return all
}

// setsDefault matches lines that set the default of what a line above names.
const setsDefault = `(?i)default\w*["']?\s*(?:[(=:]|=>)\s*["'\w]`

// Candidate is a place that gives a value.
type Candidate struct {
	lexicon.Given
	lexicon.Weight
	Match
}

// Best returns the places that fit best: those of one weight, and of each value only the first.
func (x Given) Best(l Look) (best []Candidate) {
	all := x.all(l)
	for _, c := range all {
		same := func(o Candidate) bool { return bare(o.Value) == bare(c.Value) }
		within := map[bool]float64{true: near, false: unsure}[all[0].Sure]
		if c.Sum >= all[0].Sum-within && !slices.ContainsFunc(best, same) {
			best = append(best, c)
		}
	}
	return best
}

// all returns all places that fit, the best first.
func (x Given) all(l Look) (all []Candidate) {
	x.Amount = x.Without(l.Name())
	tests := map[string]int{} // the lines from which files have tests
	for _, m := range l.Found[0].Matches {
		if at := tests[m.File]; at == 0 || m.Line < at {
			tests[m.File] = m.Line
		}
	}
	for i, found := range l.Found[1:] {
		for _, m := range found.Matches {
			if at := tests[m.File]; at > 0 && m.Line > at {
				continue
			}
			if rel := l.Rel(m.File); !conventions.Aside.MatchString(rel) && !conventions.Made.MatchString(rel) &&
				!results.IsTest(rel) {
				all = append(all, x.candidates(l, m, i == 0)...)
			}
		}
	}
	all = slices.DeleteFunc(all, func(c Candidate) bool { return formatVerb.MatchString(c.Value) })
	for i := range all {
		if none.MatchString(bare(all[i].Value)) {
			all[i].Sum -= lessForNone
		}
	}
	values := slices.ContainsFunc(all, func(c Candidate) bool { return c.Whole && !c.Computed })
	all = slices.DeleteFunc(all, func(c Candidate) bool { return !c.Whole || c.Computed && values })
	slices.SortStableFunc(all, func(a, b Candidate) int { return cmp.Compare(b.Sum, a.Sum) })
	return all
}

// formatVerb matches a text into which values are put, which is no value; none matches the absence of one.
var (
	formatVerb = lazyregexp.New(`%[-+#0-9.]*[sdvqwxTf]\b|\{\}`)
	none       = lazyregexp.New(`^(?i:null|nil|none|undefined)$`)
)

const lessForNone = 0.3 // how much less the absence of a value fits

// bare returns a value without its quotes.
func bare(value string) string { return strings.Trim(value, "\"'` ") }

// candidates returns what a line gives to names.
func (x Given) candidates(l Look, m Match, fails bool) (all []Candidate) {
	a := lexicon.Around{Line: m.Text, Path: l.Rel(m.File), Before: m.Before, After: m.After}
	if fails { // the line before the failure compares
		for i := len(m.Before) - 1; i >= max(0, len(m.Before)-2); i-- {
			for _, g := range lexicon.GivenIn(m.Before[i]) {
				if g.Compared {
					at := m
					at.Line, at.Text = m.Line-(len(m.Before)-i), m.Before[i]
					all = append(all, Candidate{g, x.Weigh(g, a), at})
				}
			}
		}
		return all
	}
	if comment.MatchString(m.Text) {
		return nil
	}
	if value := lexicon.DefaultIn(m.Text); value != "" {
		name := x.owner(m)
		g := lexicon.Given{Name: name, Value: value}
		return []Candidate{{g, x.Weigh(g, a), m}}
	}
	if g, ok := lexicon.BelowIn(m.Text, m.After); ok {
		a.Line += " default" // where it is unset
		return []Candidate{{g, x.Weigh(g, a), m}}
	}
	if g, ok := lexicon.ComputedIn(m.Text); ok {
		all = append(all, Candidate{g, x.Weigh(g, a), m})
	}
	for _, g := range lexicon.GivenIn(m.Text) {
		if !g.Compared {
			all = append(all, Candidate{g, x.Weigh(g, a), m})
		}
	}
	return all
}

// Reads returns the lines around the best place.
func (x Given) Reads(l Look) []Lines {
	best := x.Best(l)
	if len(best) != 1 || !best[0].Sole && !best[0].Computed {
		return nil
	}
	below := 2
	switch {
	case best[0].Computed:
		below = 6
	case best[0].Below:
		below = aroundValue + 1
	}
	return []Lines{{best[0].File, max(1, best[0].Line-2), best[0].Line + below}}
}

// Say quotes the best place, or lists those of which any may be meant.
func (x Given) Say(l Look) string {
	best := x.Best(l)
	switch {
	case len(best) == 0, len(best) == 1 && !best[0].Sure && none.MatchString(bare(best[0].Value)):
		return ""
	case len(best) > 1 || !best[0].Sole && !best[0].Computed:
		text := "I am not sure which value is meant. The nearest by their names are:\n\n"
		for _, c := range best[:min(rivals, len(best))] {
			text += fmt.Sprintf("- %s: %s — %s:%d: %s\n", results.Code(c.Name), results.Code(bare(c.Value)),
				l.Rel(c.File), c.Line,
				results.Code(results.ClipAt(strings.TrimSpace(c.Text), c.Name)))
		}
		return text + "\nThis goes by names: rules don't follow what the code does.\n"
	}
	c := best[0]
	said := fmt.Sprintf("%s is %s, at %s:%d", results.Code(c.Name), results.Code(bare(c.Value)), l.Rel(c.File), c.Line)
	switch {
	case c.Computed:
		said = fmt.Sprintf("By its name, %s computes it, at %s:%d", results.Code(c.Name), l.Rel(c.File), c.Line)
	case !c.Sure && !c.Compared:
		said = "Probably " + said
	case c.Compared:
		said = fmt.Sprintf("The limit is %s, by the comparison at %s:%d", results.Code(c.Value), l.Rel(c.File), c.Line)
	}
	text := said + ":\n\n"
	if len(l.Read) > 0 && len(l.Read[0].Text()) > 0 {
		text += l.Read[0].Snippet + "\n\n"
	} else {
		text += results.Snippet(c.File, c.Line, c.Text)
	}
	return text + "This goes by names, in " + results.Code(path.Base(c.File)) + ": rules don't follow what the " +
		"code does.\n"
}
