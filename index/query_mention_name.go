package index

import (
	"regexp"
	"strings"

	"ploke-lsp/index/postings"
)

// mention is an identifier in a query, as a term of postings.Exact.
type nameMention struct {
	term   string
	weight float64
}

// memberWeight is of being a member of what the query mentions.
const memberWeight = 0.5

// spellings turn the ways in which languages, and their stacks, write a member or what
// surrounds it into names joined by dots. Each has a sign in it, without which there is no
// need to try its pattern on a long text.
var spellings = []struct {
	sign    string
	pattern *regexp.Regexp
	with    string
}{
	{"::", regexp.MustCompile(`\S*[/\\][\pL\pN_.\-]*\.\pL+::`), ""},                                                   // tests/test_a.py::TestA::test_b
	{"->", regexp.MustCompile(`->`), "."},                                                                             // C, PHP
	{").", regexp.MustCompile(`\(\*?([\pL\pN_.]+)\)\.`), "$1."},                                                       // Go's (*Server).Run
	{"<", regexp.MustCompile(`([\pL\pN_])(?:::)?<[^<>\n]*>(\.|::|\()`), "$1$2"},                                       // Vec<T>::push, Box::<T>::new
	{">::", regexp.MustCompile(`<&?(?:dyn |impl )?([\pL\pN_:]+)(?:<[^<>]*>)?(?: as [^<>]+(?:<[^<>]*>)?)?>::`), "$1."}, // Rust's <Server as Run>::run
	{".<", regexp.MustCompile(`\.<(\w+)>\w*`), ".$1"},                                                                 // C#'s Server.<Run>d__5
	{"$", regexp.MustCompile(`([\pL\pN_])\$([\pL_])`), "$1.$2"},                                                       // Java's Outer$Inner
	{"/", regexp.MustCompile(`([\pL_][\pL\pN_?!]*)/\d+\b`), "$1"},                                                     // Elixir's run/2
	{`\`, regexp.MustCompile(`([\pL_][\pL\pN_]*)\\([\pL_])`), "$1.$2"},                                                // PHP's Http\Kernel
}

// flagWeight is of being called like an option of a command line.
const flagWeight = 1.0

// mention takes what is written like an identifier for one: camelCase, snake_case, quoted
// by `…`, or names joined by ".", "::", "#" and the like; and the options of a command line.
func (q *parsedQuery) addMentions(text string) {
	for _, m := range flags(text) {
		q.addExact(strings.ReplaceAll(m, "-", "_"), flagWeight)
		q.addExact(strings.ReplaceAll(m, "-", ""), flagWeight)
	}
	for _, s := range spellings {
		if strings.Contains(text, s.sign) {
			text = s.pattern.ReplaceAllString(text, s.with)
		}
	}
	for _, word := range strings.FieldsFunc(text, isSeparator) {
		q.addName(word)
	}
}

// name takes a word for an identifier if it is written like one.
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
		q.addExact(name, 1)
		if last {
			q.addExact(name+"::", memberWeight)
		}
		if last && i > 0 {
			q.addExact(names[i-1]+"::"+name, 1)
		}
	}
}

// goTest matches the name of a test, behind which Go writes the part that failed.
var goTest = regexp.MustCompile(`^(Test|Fuzz|Benchmark)[\pL\pN_]+$`)

func (q *parsedQuery) addExact(name string, weight float64) {
	q.mentions = append(q.mentions, nameMention{postings.Exact(name), weight})
}

// identifier says whether a word can't be prose: it has an underscore, or a capital
// after its first letter and a small one.
func identifier(word string) bool {
	return strings.Trim(word, "_") != "" && (strings.Contains(word, "_") ||
		strings.ContainsFunc(word, isLower) && strings.LastIndexFunc(word, isUpper) > 0)
}

func isLower(r rune) bool { return 'a' <= r && r <= 'z' }
func isUpper(r rune) bool { return 'A' <= r && r <= 'Z' }
