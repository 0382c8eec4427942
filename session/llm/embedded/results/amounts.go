package results

import (
	"cmp"
	"slices"
	"strings"

	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/lexicon"
)

// NamedAmount is a name that fits an amount, and the line that tells most of it.
type NamedAmount struct {
	Edge
	lexicon.AmountFit
	Name string
}

// AmountsIn returns the names in lines that fit an amount, and of each the first line that gives it the best value:
// those with a value come first, then those with most qualities, then with most things. If one fits wholly, those
// without a quality or with other words go.
func AmountsIn(x lexicon.Amount, f Folders, lines []Edge) (found []*NamedAmount) {
	byName := map[string]*NamedAmount{}
	for _, line := range lines {
		for _, name := range lexicon.Identifiers(line.Text) {
			fit, ok := x.Fit(name, line.Text, Base(line.File))
			switch other := byName[name]; {
			case !ok:
			case other == nil:
				byName[name] = &NamedAmount{line, fit, name}
				found = append(found, byName[name])
			case fit.Value > other.Value:
				*other = NamedAmount{line, fit, name}
			}
		}
	}
	slices.SortStableFunc(found, func(a, b *NamedAmount) int {
		aside := func(n *NamedAmount) int { return Order(conventions.Aside.MatchString(f.Rel(n.File))) }
		readable := func(n *NamedAmount) int { return min(n.Value, 2) }
		whole := func(n *NamedAmount) int {
			return Order(len(x.Things) > 0 && n.Exact == len(x.Things) && n.More == 0)
		}
		covers := func(n *NamedAmount) int { return Order(n.Things == len(x.Things) && n.Qualities > 0) }
		return cmp.Or(aside(a)-aside(b), readable(b)-readable(a), whole(b)-whole(a),
			whole(a)*(b.Words-a.Words), covers(b)-covers(a), b.Qualities-a.Qualities, b.Named-a.Named,
			b.Exact-a.Exact, b.Things-a.Things, b.Value-a.Value, a.More-b.More)
	})
	if len(found) > 0 && found[0].Value > 1 && found[0].Things == len(x.Things) {
		best := *found[0]
		return slices.DeleteFunc(found, func(n *NamedAmount) bool {
			return n.Qualities < min(1, best.Qualities) || n.Qualities == 0 && n.Exact < best.Exact
		})
	}
	return found
}

// ClipAt shortens a line for a list so that a name in it, and what follows, is left.
func ClipAt(line, name string) string {
	at := strings.LastIndex(line, name)
	if before := []rune(line[:max(at, 0)]); len(before) > LongestLine/2 {
		line = "…" + string(before[len(before)-beforeName:]) + line[at:]
	}
	return Clip(line)
}

const beforeName = 20 // runes of a shortened line before a name
