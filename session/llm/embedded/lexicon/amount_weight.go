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

// said are the words of a value's name and of what stands around it.
type said struct {
	x                         Amount
	parts, line, file, around []string // parts are of the name
}

func (x Amount) saidOf(g Given, a Around) said {
	return said{x: x, parts: partsOf(strings.ReplaceAll(g.Name, ".", "_")), line: wordsOf(a.Line), file: wordsOf(a.Path),
		around: wordsOf(strings.Join(a.Before, "\n") + "\n" + strings.Join(a.After[:min(2, len(a.After))], "\n"))}
}

// says returns how much of a word the place says that has one with one of its beginnings.
func (s said) says(beginnings []string) float64 {
	for i, words := range [][]string{s.parts, s.line, s.file, s.around} {
		if begin(words, beginnings) || slipped(words, beginnings[0]) || i == 0 && s.x.joined(s.parts, beginnings) {
			return []float64{byName, byLine, byFile, byAround}[i]
		}
	}
	return 0
}

// found is how much of what is asked is said of a value.
type found struct {
	sum       float64 // of what each word is said by
	least     float64
	named     int // words that the name has
	missing   int // words that nothing says
	elsewhere int // words that neither the name nor the file says
}

// things returns how much of the things that are asked for is said.
func (s said) things() (all found) {
	for _, thing := range s.x.Things {
		w := s.says(append([]string{strings.TrimSuffix(thing, "i")}, alsoNamed()[thing]...))
		if s.x.acronymOf(thing, s.parts) {
			w = byName
		}
		all.sum += w
		all.named += toInt(w == byName)
		if w == 0 && soft[thing] {
			all.sum += byLine
			continue
		}
		all.missing += toInt(w == 0)
		all.elsewhere += toInt(w < byName && !begin(s.file, append([]string{thing}, alsoNamed()[thing]...)) &&
			!slipped(s.file, thing))
	}
	return all
}

// qualities returns how much of the qualities that are asked for is said.
func (s said) qualities(g Given, a Around) found {
	all := found{least: byName}
	for _, quality := range s.x.qualities {
		if quality[0] == "timeout" {
			quality = slices.DeleteFunc(slices.Clone(quality), func(part string) bool { return part == "max" })
		}
		w := s.says(quality)
		all.named += toInt(w == byName && quality[0] != "default")
		if g.Compared && quality[0] == "max" {
			w = byName
		}
		if quality[0] == "default" || slices.Contains(quality, "count") {
			w = max(w, declaresDefault(g, a)) // what is declared with a value has it by default
		} else {
			all.least = min(all.least, w)
		}
		all.sum += w
	}
	return all
}

// others returns how many parts of the name say something else.
func (s said) others() (n int) {
	asked := slices.Concat(s.x.thingParts(), slices.Concat(s.x.qualities...))
	for _, part := range s.parts {
		n += toInt(!begin([]string{part}, asked) && !idle[part] && !(s.x.ofTime() && units[part]))
	}
	return n
}

// Weigh returns how much of an amount a value in a line is. The name that it is given says most; a line may only stand
// below or within what else is asked for, such as the type that has it.
func (x Amount) Weigh(g Given, a Around) Weight {
	if !x.answers(g, a) {
		return Weight{}
	}
	s := x.saidOf(g, a)
	things, qualities := s.things(), s.qualities(g, a)
	unnamed := things.named+qualities.named == 0 && !g.Compared
	if unnamed || len(x.qualities) == 0 || len(x.Things) == 0 && !begin(s.parts, x.words) {
		return Weight{}
	}
	others := s.others()
	if g.Compared {
		others = 0
	}
	w := Weight{Sum: s.sum(things, qualities) - 0.07*float64(others)}
	if none.MatchString(g.Value) {
		w.Sum -= 0.1
	}
	w.Sure = others == 0 && things.elsewhere == 0 && !inCall.MatchString(a.Line)
	w.Sole = others == 0 && !ofOne.MatchString(a.Path)
	w.Whole = (things.missing == 0 || things.missing == 1 && len(x.Things) > 3) && w.Sum >= enough &&
		qualities.least >= byFile && (others == 0 || x.numeric)
	if g.Computed {
		w.Whole = w.Whole && things.elsewhere == 0 && qualities.least == byName && x.ofTime() && len(x.Things) > 0 &&
			!sets.MatchString(g.Name)
	}
	return w
}

// sum returns how much of what is asked for is said.
func (s said) sum(things, qualities found) float64 {
	sum := qualities.sum / float64(len(s.x.qualities))
	if len(s.x.Things) > 0 {
		sum = 0.4*sum + 0.6*things.sum/float64(len(s.x.Things))
	}
	for _, word := range s.x.words {
		if begin(s.parts, []string{word}) && !slices.Contains(s.x.Things, word) {
			sum += 0.08 // the name has the quality by the question's own word
		}
	}
	return sum
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
