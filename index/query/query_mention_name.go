package query

import (
	"strings"

	"ploke-lsp/index/postings"
	"ploke-lsp/internal/lazyregexp"
)

// nameMention is an identifier in a query, as a term of postings.Exact.
type nameMention struct {
	term    string
	weight  float64
	members bool // the term is for the members of a symbol
}

// memberWeight is the weight of the members of a mentioned symbol.
const memberWeight = 0.5

// spellings turn the notations of languages and stack traces for members and their owners
// into names joined by dots. A pattern is only tried on a text that contains its sign,
// because patterns are slow on long texts.
var spellings = []struct {
	sign    string
	pattern *lazyregexp.Regexp
	with    string
}{
	{"::", lazyregexp.New(`\S*[/\\][\pL\pN_.\-]*\.\pL+::`), ""},                                                   // tests/test_a.py::TestA::test_b
	{"->", lazyregexp.New(`->`), "."},                                                                             // C, PHP
	{").", lazyregexp.New(`\(\*?([\pL\pN_.]+)\)\.`), "$1."},                                                       // Go's (*Server).Run
	{"<", lazyregexp.New(`([\pL\pN_])(?:::)?<[^<>\n]*>(\.|::|\()`), "$1$2"},                                       // Vec<T>::push, Box::<T>::new
	{">::", lazyregexp.New(`<&?(?:dyn |impl )?([\pL\pN_:]+)(?:<[^<>]*>)?(?: as [^<>]+(?:<[^<>]*>)?)?>::`), "$1."}, // Rust's <Server as Run>::run
	{".<", lazyregexp.New(`\.<(\w+)>\w*`), ".$1"},                                                                 // C#'s Server.<Run>d__5
	{"$", lazyregexp.New(`([\pL\pN_])\$([\pL_])`), "$1.$2"},                                                       // Java's Outer$Inner
	{"/", lazyregexp.New(`([\pL_][\pL\pN_?!]*)/\d+\b`), "$1"},                                                     // Elixir's run/2
	{`\`, lazyregexp.New(`([\pL_][\pL\pN_]*)\\([\pL_])`), "$1.$2"},                                                // PHP's Http\Kernel
}

// flagWeight is the weight of names that match a command-line option.
const flagWeight = 1.0

// addMentions adds the words that look like identifiers: camelCase, snake_case, quoted by
// `…`, or names joined by ".", "::", "#" and the like. It also adds command-line options.
func (q *parsedQuery) addMentions(text string) {
	for _, m := range flags(text) {
		q.addExact(strings.ReplaceAll(m, "-", "_"), flagWeight)
		q.addExact(strings.ReplaceAll(m, "-", ""), flagWeight)
	}
	words := strings.FieldsFunc(inOneNotation(text), isSeparator)
	for _, word := range words {
		q.addName(word)
	}
	q.alone = len(words) == 1
	if q.alone && len(q.mentions) == 0 {
		q.addAlone(words[0])
	}
}

// inOneNotation returns a text in which dots join members to their owners.
func inOneNotation(text string) string {
	for _, s := range spellings {
		if strings.Contains(text, s.sign) {
			text = s.pattern.ReplaceAllString(text, s.with)
		}
	}
	return text
}

// addAlone adds the only word of a query, which is a name although it may look like prose:
// Mutex, router.
func (q *parsedQuery) addAlone(word string) {
	if word = strings.Trim(word, "`.:*&"); word != "" && !strings.ContainsAny(word, `/\.`) {
		q.addSymbol(word)
		q.addMembers(word)
	}
}

// addName adds a word if it looks like an identifier.
func (q *parsedQuery) addName(word string) {
	quoted := strings.Contains(word, "`")
	word = strings.Trim(word, "`.:*&")
	if at := strings.IndexAny(word, `/\`); at >= 0 {
		if word = word[:at]; !goTest.MatchString(word) {
			return // a path
		}
	}
	names := strings.FieldsFunc(word, func(r rune) bool { return r == '.' || r == ':' || r == '#' })
	for i, name := range names {
		last := i == len(names)-1
		if !identifier(name) && !(last && (quoted || i > 0)) {
			continue
		}
		q.addSymbol(name)
		if last {
			q.addMembers(name)
		}
		if last && i > 0 {
			q.addExact(names[i-1]+"::"+name, 1)
		}
	}
}

// goTest matches the name of a Go test, which a slash and the name of a subtest may
// follow.
var goTest = lazyregexp.New(`^(Test|Fuzz|Benchmark)[\pL\pN_]+$`)

// addSymbol adds the symbol of a name. People leave out the $ that begins the name of some
// symbols of JavaScript and PHP.
func (q *parsedQuery) addSymbol(name string) {
	q.addExact(name, 1)
	if !strings.HasPrefix(name, "$") {
		q.addExact("$"+name, 1)
	}
}

func (q *parsedQuery) addExact(name string, weight float64) {
	q.mentions = append(q.mentions, nameMention{term: postings.Exact(name), weight: weight})
}

// addMembers adds the members of a symbol.
func (q *parsedQuery) addMembers(name string) {
	q.mentions = append(q.mentions, nameMention{postings.Exact(name + "::"), memberWeight, true})
}

// identifier reports whether a word can't be prose: it has an underscore, or lower-case
// letters and a capital after the first letter.
func identifier(word string) bool {
	return strings.Trim(word, "_") != "" && (strings.Contains(word, "_") ||
		strings.ContainsFunc(word, isLower) && strings.LastIndexFunc(word, isUpper) > 0)
}

func isLower(r rune) bool { return 'a' <= r && r <= 'z' }
func isUpper(r rune) bool { return 'A' <= r && r <= 'Z' }
