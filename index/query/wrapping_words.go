package query

import (
	"strings"
	"unicode"

	"ploke-lsp/index/postings"
)

// wordRole is what a word does in a question. The words around what a question looks for have a role.
type wordRole uint8

const (
	wanted  wordRole = iota // no role: a word of what is looked for
	filling                 // an article, a pronoun, an auxiliary
	vague                   // says little: "any", "best"
	polite                  // said to a person: "thanks"
	asking                  // "where", "how"
	order                   // for the reader or a part of what is looked for: "find where …", "find duplicates"
	place                   // a part of what is looked for, unless a link follows: "file"
	action                  // says nothing at the end of a question: "implemented"
	start                   // says nothing where nothing else is said: "begin"
)

// wordRoles are the roles of words besides the stop words, most of which only fill a sentence.
var wordRoles = func() map[string]wordRole {
	roles := map[string]wordRole{}
	for role, words := range map[wordRole]string{
		polite: `hi hello hey sorry please pls kindly thanks thank thx cheers appreciate appreciated wondering curious unsure
			don newbie newcomer beginner trying wish someone anyone anybody somebody everyone folks you i we`,
		vague: `there ok okay lot much many advance quick question sure idea clue hint hints pointer pointers mind new interested
			want wanted need like love know understand learn figure happen team let any best right exactly actually just only
			maybe possibly here again well all see some morning evening dumb stupid silly`,
		asking: `where what which who how why whether if about me us out through`,
		order:  `find finding give show tell explain look looking searching point walk describe help remind`,
		place: `code codebase source file files function functions method class implementation definition declaration place spot
			part parts section project repo repository overview summary`,
		action: `implemented defined declared located works work happens`,
		start:  `start begin relevant`,
	} {
		for word := range strings.FieldsSeq(words) {
			roles[word] = role
		}
	}
	return roles
}()

var (
	// links lead from a place to what is looked for: "the file for …", "the code that deals with …".
	links = wordSet("for of that which where at responsible involved deals dealing handles contains about takes care")
	// askers precede an order that is not a part of what is looked for: "can you show …".
	askers        = wordSet("you someone anyone anybody somebody me us please help can could")
	questionWords = wordSet("where what which who how why")
	within        = wordSet("in of inside within across")
	determiners   = wordSet("the this that our your my")
)

// saidWord is a word of a line, from start to end in bytes, without punctuation.
type saidWord struct {
	text       string // in lower case, without what follows an apostrophe
	role       wordRole
	start, end int
	last       bool // of a clause
}

// saidWords returns the words of a line. A name, a quotation and whatever else is not written as a word has no role.
func saidWords(line string) (all []saidWord) {
	for at := 0; at < len(line); {
		field := strings.TrimLeftFunc(line[at:], unicode.IsSpace)
		at = len(line) - len(field)
		if end := strings.IndexFunc(field, unicode.IsSpace); end >= 0 {
			field = field[:end]
		}
		at += len(field)
		text := strings.TrimRight(field, ",.;:!?-–—")
		if text == "" {
			if len(all) > 0 {
				all[len(all)-1].last = true
			}
			continue
		}
		w := saidWord{start: at - len(field), end: at - len(field) + len(text), last: len(text) < len(field)}
		w.text, _, _ = strings.Cut(strings.ReplaceAll(text, "’", "'"), "'")
		if w.text != "" && !strings.ContainsFunc(w.text[1:], unicode.IsUpper) {
			w.text = strings.ToLower(w.text)
		}
		w.role = wordRoles[w.text]
		if w.role == wanted && postings.StopWord(w.text) {
			w.role = filling
		}
		all = append(all, w)
	}
	if len(all) > 0 {
		all[len(all)-1].last = true
	}
	return all
}
