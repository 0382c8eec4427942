package lexicon

import (
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// Around is a line with what stands around it, which also says what a name in it is about.
type Around struct {
	Line, Path    string
	Before, After []string
}

// Weight says how much of what is asked a value answers.
type Weight struct {
	Sum   float64 // from 0 to about 1
	Whole bool    // nothing that is asked for is missing
	Sole  bool    // the name says nothing else
	Sure  bool    // and with its file all of it
}

// How much of a thing a place says, by where it says it.
const (
	byName   = 1.0
	byLine   = 0.8
	byFile   = 0.7
	byAround = 0.55
	enough   = 0.66 // the sum from which a value is the one that is asked for
)

// Weigh returns how much of an amount a value in a line is. The name that it is given says most; a line may only stand
// below or within what else is asked for, such as the type that has it.
func (x Amount) Weigh(g Given, a Around) Weight {
	parts, line := partsOf(strings.ReplaceAll(g.Name, ".", "_")), wordsOf(a.Line)
	around := wordsOf(strings.Join(a.Before, "\n") + "\n" + strings.Join(a.After[:min(2, len(a.After))], "\n"))
	file := wordsOf(a.Path)
	says := func(beginnings []string) float64 {
		for i, words := range [][]string{parts, line, file, around} {
			if begin(words, beginnings) || slipped(words, beginnings[0]) || i == 0 && x.joined(parts, beginnings) {
				return []float64{byName, byLine, byFile, byAround}[i]
			}
		}
		return 0
	}
	if !x.answers(g, a) {
		return Weight{}
	}
	named, things, missing, elsewhere := 0, 0.0, 0, 0
	for _, thing := range x.Things {
		w := says(append([]string{strings.TrimSuffix(thing, "i")}, alsoNamed()[thing]...))
		if x.acronymOf(thing, parts) {
			w = byName
		}
		things += w
		named += toInt(w == byName)
		if w == 0 && soft[thing] {
			things += byLine
			continue
		}
		missing += toInt(w == 0)
		elsewhere += toInt(w < byName && !begin(file, append([]string{thing}, alsoNamed()[thing]...)) &&
			!slipped(file, thing))
	}
	qualities, least := 0.0, byName
	for _, quality := range x.qualities {
		if quality[0] == "timeout" {
			quality = slices.DeleteFunc(slices.Clone(quality), func(part string) bool { return part == "max" })
		}
		w := says(quality)
		named += toInt(w == byName && quality[0] != "default")
		if g.Compared && quality[0] == "max" {
			w = byName
		}
		if quality[0] == "default" || slices.Contains(quality, "count") {
			w = max(w, declaresDefault(g, a)) // what is declared with a value has it by default
		} else {
			least = min(least, w)
		}
		qualities += w
	}
	if named == 0 && !g.Compared || len(x.qualities) == 0 || len(x.Things) == 0 && !begin(parts, x.words) {
		return Weight{}
	}
	w := Weight{Sum: qualities / float64(len(x.qualities)), Whole: missing == 0 || missing == 1 && len(x.Things) > 3}
	if len(x.Things) > 0 {
		w.Sum = 0.4*w.Sum + 0.6*things/float64(len(x.Things))
	}
	for _, word := range x.words {
		if begin(parts, []string{word}) && !slices.Contains(x.Things, word) {
			w.Sum += 0.08 // the name has the quality by the question's own word
		}
	}
	others := 0
	for _, part := range parts {
		others += toInt(!begin([]string{part}, slices.Concat(x.thingParts(), slices.Concat(x.qualities...))) &&
			!idle[part] &&
			!(x.ofTime() && units[part]))
	}
	if g.Compared {
		others = 0
	}
	if none.MatchString(g.Value) {
		w.Sum -= 0.1
	}
	w.Sum -= 0.07 * float64(others)
	w.Sure = others == 0 && elsewhere == 0 && !inCall.MatchString(a.Line)
	w.Whole = w.Whole && w.Sum >= enough && least >= byFile && (others == 0 || x.numeric)
	w.Sole = others == 0 && !ofOne.MatchString(a.Path)
	if g.Computed {
		w.Whole = w.Whole && elsewhere == 0 && least == byName && x.ofTime() && len(x.Things) > 0 &&
			!sets.MatchString(g.Name)
	}
	return w
}

// answers reports whether a value may be what is asked for: a number if a number is, and no start of a count.
func (x Amount) answers(g Given, a Around) bool {
	said := strings.Trim(g.Value, "\"'` ")
	if x.numeric && !digit.MatchString(said) && !endless.MatchString(said) || !wordy.MatchString(said) {
		return false
	}
	if strings.EqualFold(said, g.Name) || reads.MatchString(said) && !saysADefault.MatchString(a.Line) {
		return false
	}
	return said != "0" && said != "1" || g.Computed || !starts.MatchString(a.Line)
}

// joined reports whether a name of one part, such as tabsize, begins with a thing and goes on with one of some words.
func (x Amount) joined(parts, words []string) bool {
	return len(parts) == 1 && begin(parts, x.Things) && slices.ContainsFunc(words, func(w string) bool {
		return len(w) >= 4 && strings.Index(parts[0], w) > 0
	})
}

// ofTime reports whether a time is asked for.
func (x Amount) ofTime() bool {
	return slices.ContainsFunc(x.qualities, func(quality []string) bool {
		return quality[0] == "timeout" || quality[0] == "interval"
	})
}

// slipped reports whether one of some words is a long one with a slip of the fingers.
func slipped(words []string, long string) bool {
	return len(long) >= 7 && slices.ContainsFunc(words, func(w string) bool { return slip(long, Stem(w)) })
}

// declaresDefault returns how much a line says that it sets a default.
func declaresDefault(g Given, a Around) float64 {
	before := strings.Join(a.Before[max(0, len(a.Before)-4):], "\n")
	switch {
	case saysADefault.MatchString(a.Line), constant.MatchString(g.Name):
		return byName
	case saysADefault.MatchString(before), unset.MatchString(before + a.Line), parameters.MatchString(a.Line):
		return 0.9
	case g.Compared, g.Computed:
		return 0
	}
	return 0.6
}

var (
	wordy  = lazyregexp.New(`\w`)
	starts = lazyregexp.New(`^\s*(?:(?:private|protected|public|static|internal|override|lateinit) )*(?:var` +
		`|let|let mut|int|long|self\.|this\.|\$\w+|\w+ :?= \d)`)
	saysADefault = lazyregexp.New(`(?i)default|initial|fallback|unwrap_or|\?\?|\|\||\bor\b`)
	constant     = lazyregexp.New(`^[A-Z][A-Z0-9_]+$|^k[A-Z]`)
	unset        = lazyregexp.New(`(?i)\bisset\b|== ?(?:nil|null|None|0|undefined)\b|\bis None\b|\bnot \w+:|\?:|<= ?0\b`)
	parameters   = lazyregexp.New(`^\s*(?:[\w<>]+ )*(?:def|function|fun|func|fn|constructor|public|private` +
		`|protected|static)\b.*\(`)
	none   = lazyregexp.New(`^(?i:none|null|nil)$`)
	inCall = lazyregexp.New(`[(,] *\{|\w\(.*\w\(`) // what one call is given
	idle   = SetOf("the a of is to in by my m k s self this config settings options value val use n default " +
		"initial std go " +
		"num number count times max min limit http new get set")
	reads = lazyregexp.New(`(?i)\b\w*(?:env|get|var|read)\w*\(|^[A-Z]\w*(?:\.` +
		`|::)[A-Z]`) // from elsewhere
	ofOne = lazyregexp.New(`(?i)(?:^|/)(?:dialects?|drivers?|adapters?|plugins?|providers?|platforms?` +
		`|backends?)/`) // of several
	sets = lazyregexp.New(`^(?i:add|set|with|apply|check|test|assert|on|handle|is|has)(?:_|[A-Z])`)
	soft = SetOf("json yaml xml html document input data text follow keep kept mak mad happen perform execut show " +
		"shown print display")
	units = SetOf("seconds secs sec ms millis milliseconds minutes mins hours days")
)

// wordsOf returns the parts of all names in a text, in lower case.
func wordsOf(text string) (words []string) {
	for _, name := range Identifiers(text) {
		words = append(words, partsOf(name)...)
	}
	return words
}
