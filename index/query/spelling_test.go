package query

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/index/postings"
	"ploke-lsp/index/shards"
)

// corpusOf returns a corpus of a file that declares names and has words.
func corpusOf(t *testing.T, names, words string) *corpus {
	t.Helper()
	var posts postings.Builder
	unit := posts.Unit(0)
	for name := range strings.FieldsSeq(names) {
		posts.Exact(unit, postings.Name, name)
		posts.Text(unit, postings.Name, name)
	}
	posts.Text(unit, postings.Body, words)
	posts.Finish(1, "a.go", 0)
	var out bytes.Buffer
	if err := posts.Write(&out); err != nil {
		t.Fatal(err)
	}
	segment, err := postings.OpenBytes(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return &corpus{views: []*shards.View{{Segment: segment, AllLive: true}}}
}

// termWeight returns the weight of a word's whole term, 0 for none.
func (q *parsedQuery) termWeight(word string) float64 {
	for _, t := range q.terms {
		if t.term == wholeTerm(word) {
			return t.weight
		}
	}
	return 0
}

// nameWeight returns the weight of a name, 0 if the query does not mention it.
func (q *parsedQuery) nameWeight(name string) (weight float64) {
	for _, m := range q.mentions {
		if m.term == postings.Exact(name) {
			weight = max(weight, m.weight)
		}
	}
	return weight
}

// TestNearTo takes the nearest names and words, up to a number, a distance and a margin.
func TestNearTo(t *testing.T) {
	for _, c := range []struct {
		what, names, words, word string
		want                     []string
	}{
		{"one edit of five", "", "robot", "rokot", []string{"robot"}},
		{"two edits of eight", "dialects", "", "diilectz", []string{"dialects"}},
		{"three edits of ten", "dialectics", "", "diilictzcs", nil},
		{"two letters the other way round", "", "parser", "pasrer", []string{"parser"}},
		{"such a name before one with two edits", "parserab parsebra", "", "parsebar", []string{"parsebra"}},
		{"the nearest three", "planeta planetb planetc planetd", "", "planet", []string{"planeta", "planetb", "planetc"}},
		{"a name that begins with it before one with a mistake", "planex planetarium", "", "planet", []string{"planetarium"}},
		{"the shortest that begin with it", "getrowsofpages getrows getrowsof getrowsofp", "", "getro",
			[]string{"getrows", "getrowsof", "getrowsofp"}},
		{"not what is farther by more than a margin", "handlers handzzrs", "", "handlexs", []string{"handlers"}},
		{"what is within the margin", "parseconfigs parseconfigsab", "", "parseconfig", []string{"parseconfigs", "parseconfigsab"}},
		{"a name with another first letter", "parseconfig", "", "oarseconfig", []string{"parseconfig"}},
		{"a name with another second letter", "parseconfig", "", "psrseconfig", []string{"parseconfig"}},
		{"a name without its first letter", "parseconfig", "", "arseconfig", []string{"parseconfig"}},
		{"a name with one more first letter", "parseconfig", "", "pparseconfig", []string{"parseconfig"}},
		{"a name without its underscore, and a mistake", "_parseconfig", "", "parsecnfig", []string{"_parseconfig"}},
		{"no name with two such letters", "parseconfig", "", "oqrseconfig", nil},
		{"a word with another third letter", "", "parliament", "pawliament", []string{"parliament"}},
		{"a word without its third letter", "", "parliament", "paliament", []string{"parliament"}},
		{"a word with one more third letter", "", "parliament", "pazrliament", []string{"parliament"}},
		{"no word with two mistakes of which one is there", "", "parliament", "pawliamenz", nil},
		{"no word with another second letter", "", "oven", "owen", nil},
		{"the longest beginning of five", "", "parliament parlour", "parliazzzzzz", []string{"parliament"}},
		{"no beginning of four", "", "confer", "confzzzzzz", nil},
		{"no beginning if a name is near", "configureed", "configureable", "configureede", []string{"configureed"}},
	} {
		var got []string
		for _, n := range corpusOf(t, c.names, c.words).nearTo(c.word) {
			got = append(got, n.name)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: near to %q: %s", c.what, c.word, d)
		}
	}
}

// TestRespellWeights checks what the names and words count that stand for those of a query.
func TestRespellWeights(t *testing.T) {
	c := corpusOf(t, "readFile MAX_SIZE oneTwoThreeFour oneTwoThreeFourFive", "robot parliament")
	for _, w := range []struct {
		query, name, word string
		want              float64
	}{
		{"rokot", "", "robot", nearWeight * .8},
		{"readFole", "readFile", "", nearWeight * (1 - 1.0/8)},
		{"readFole", "", "readFile", nearWeight * (1 - 1.0/8)},
		{"who has parliazzzzzz", "", "parliament", beginningWeight},
		{"please read file now", "readFile", "", joinedNameWeight},
		{"read one two three four", "oneTwoThreeFour", "", joinedNameWeight},
		{"read one two three four five", "oneTwoThreeFourFive", "", 0}, // more words than a name has
		{"see the file read", "readFile", "", 0},
		{"read max size", "MAX_SIZE", "", joinedNameWeight},
		{"read file", "readFile", "", 1},
		{"read_file", "readFile", "", 1},
		{"is read_file fast", "readFile", "", 1},
		{"robt", "", "robot", 0}, // too short
	} {
		q := parseQuery(w.query)
		c.respell(&q)
		got := q.nameWeight(w.name)
		if w.word != "" {
			got = q.termWeight(w.word)
		}
		if math.Abs(got-w.want) > 1e-9 {
			t.Errorf("for %q, %s%s weighs %v, want %v", w.query, w.name, w.word, got, w.want)
		}
	}
}

// TestCutOff does not take the beginning of a name for a word with the same stem.
func TestCutOff(t *testing.T) {
	c := corpusOf(t, "StreamError putB", "stream streamer")
	for word, want := range map[string]bool{
		"StreamE": false, "streams": true, "StreamError": true, "streamer": true, "putB": true, "put_b": true, "StreamErrors": true,
	} {
		q := parseQuery(word)
		if got := c.knows(q.line[0]); got != want {
			t.Errorf("%s is known: %v", word, got)
		}
	}
}

// TestRespellSays of which words it compares: up to eight that no file has, no identifiers of paths, no other forms.
func TestRespellSays(t *testing.T) {
	words := strings.Fields("amber bacon cedar daisy eagle fable giant haven ivory")
	c := corpusOf(t, "", strings.Join(words, " ")+" save")
	var typos []string
	for _, word := range words {
		typos = append(typos, word[:3]+"q"+word[4:])
	}
	for query, want := range map[string]int{
		strings.Join(typos, " "): 8, strings.Join(typos[:7], " "): 7, "amber": 0, "ambqr": 1,
		"src/ambqr/x.go": 0, "saved": 0, "ambq": 0, "ambqr\nbacqn": 1, strings.Repeat("ambqr", 13): 0,
	} {
		q := parseQuery(query)
		if got := c.respell(&q); len(got) != want {
			t.Errorf("%q: %v are respelled, want %d", query, got, want)
		}
	}
}

// TestTranslateWeights shares a weight among what a word may mean, and takes a word as it is if the query is in English.
func TestTranslateWeights(t *testing.T) {
	c := corpusOf(t, "", "read file queue state status robot estads")
	for _, w := range []struct {
		query, word string
		want        float64
	}{
		{"archivo", "file", translatedWeight},
		{"archivo estado", "status", translatedWeight / 2},
		{"read the archivo", "file", 0}, // more than half is known
		{"lire archivo", "file", translatedWeight},
		{"read archivo", "file", 0}, // half is known
		{"estado", "status", 0},
		{"rokot", "robot", nearWeight * .8}, // one word that is near another is a mistake
	} {
		q := parseQuery(w.query)
		c.respell(&q)
		if got := q.termWeight(w.word); math.Abs(got-w.want) > 1e-9 {
			t.Errorf("for %q, %q weighs %v, want %v", w.query, w.word, got, w.want)
		}
	}
	for _, w := range []struct {
		query, word string
		want        float64
	}{
		{"das read der file", "queue", translatedWeight}, // words of another language, though all are known but two
		{"das read", "queue", 0},
		{"the file of das", "queue", 0},         // an English word says that it is English
		{"die file an", "queue", 0},             // words that are English, too
		{"die filé", "queue", translatedWeight}, // an accent
		{"die file der", "der", 0},              // what a sentence is built with
		{"die file der", "file", 1},
		{"cómo", "read", 0},
		{"der", "read", 0},
		{"zzqa zzqb archivoNuevo", "file", 0}, // a name
	} {
		c := corpusOf(t, "", "read file queue state die das der")
		q := parseQuery(w.query)
		c.respell(&q)
		if got := q.termWeight(w.word); math.Abs(got-w.want) > 1e-9 {
			t.Errorf("for %q, %q weighs %v, want %v", w.query, w.word, got, w.want)
		}
	}
	q := parseQuery("archivo zzz")
	if c.respell(&q); !slices.Contains(q.naming, namingWord{"file", 1}) {
		t.Errorf("the words for names of files are %v", q.naming)
	}
}

// TestInOtherLanguage tells questions in other languages from English ones.
func TestInOtherLanguage(t *testing.T) {
	for text, want := range map[string]bool{
		"das file der queue": true, "the das file der queue": false, "das file queue": false, "die file in queue": false,
		"als read file an": true, "wo zzz the": true, "zzz the": false, "zzz zzq the": true, "file queue": false, "fïle an queue": true,
	} {
		var unknown []string
		q := parseQuery(text)
		for _, w := range q.line {
			if strings.HasPrefix(w.text, "zz") {
				unknown = append(unknown, w.text)
			}
		}
		if got := inOtherLanguage(q.line, unknown); got != want {
			t.Errorf("%q is in another language: %v", text, got)
		}
	}
}

// TestOrdinaryWordsStay does not take a word of English or of a language for another name, unless it is quoted.
func TestOrdinaryWordsStay(t *testing.T) {
	c := corpusOf(t, "classify Sender", "classify receive sender")
	for query, want := range map[string]int{
		"how is each class built": 0, "where does it render": 0, "`render`": 1, `a "render" here`: 1, "Render": 1, "sendor": 1,
		"who can recieve": 1,
	} {
		q := parseQuery(query)
		if got := c.respell(&q); len(got) != want {
			t.Errorf("%q: %v are respelled, want %d", query, got, want)
		}
	}
}
