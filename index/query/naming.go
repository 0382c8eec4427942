package query

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ploke-lsp/index/postings"
)

// naming is how well the names of a file and of its folders fit a query: formatter.ts fits
// a question about formatting. Both are from 0 to 1.
type naming struct {
	match float64 // the share of the query's words that the names have
	cover float64 // the share of the words of the file's name that the query has
	own   bool    // whether the file's name has a word of the query that is not one for tasks
}

// folderNaming is how much a word counts that only the name of a folder has.
const folderNaming = 0.5

// namingWord is a word of a query, or a part of an identifier in it, in lower case.
type namingWord struct {
	text   string
	weight float64
}

// addNamingWord adds a word of the query's first line, and its parts. The terms are those
// of the word.
func (q *parsedQuery) addNamingWord(word string, terms []string) {
	var buf [8]string
	parts := appendNameWords(buf[:0], word)
	if len(parts) > 1 {
		parts = append(parts, strings.ToLower(word))
	}
	for _, part := range parts {
		known := slices.ContainsFunc(q.naming, func(w namingWord) bool { return w.text == part })
		if len(part) > 1 && !known && !postings.StopWord(part) {
			q.naming = append(q.naming, namingWord{part, wordWeight(terms)})
		}
	}
}

// namingOf returns how well the names of a file and its folders fit the query. The name of
// a file that stands for its folder, like index.ts, is that of the folder.
func (q *parsedQuery) namingOf(rel string) (n naming) {
	if len(q.naming) == 0 {
		return n
	}
	dir, base := path.Split(rel)
	stem := strings.TrimSuffix(base, path.Ext(base))
	if dir != "" && folderStems[stem] {
		dir, stem = path.Split(strings.TrimSuffix(dir, "/"))
	}
	var nameBuf, folderBuf [maxNameWords]string
	name := appendNameWords(nameBuf[:0], stem)
	folders := appendNameWords(folderBuf[:0], dir)
	var covered [maxNameWords]bool
	total := 0.0
	for _, w := range q.naming {
		total += w.weight
		inName := false
		for i, word := range name {
			if sameTopic(w.text, word) {
				inName, covered[i] = true, true
				n.own = n.own || w.weight == 1
			}
		}
		switch {
		case inName:
			n.match += w.weight
		case slices.ContainsFunc(folders, func(word string) bool { return sameTopic(w.text, word) }):
			n.match += w.weight * folderNaming
		}
	}
	for _, files := range q.settings {
		total++
		if files.MatchString(rel) {
			n = naming{match: n.match + 1, cover: 1, own: true}
		}
	}
	n.match /= total
	if n.cover > 0 {
		return n
	}
	for _, c := range covered[:len(name)] {
		if c {
			n.cover += 1 / float64(len(name))
		}
	}
	return n
}

// folderStems are the names of files that stand for their folder.
var folderStems = map[string]bool{"index": true, "__init__": true, "mod": true}

// maxNameWords bounds the words of a name; the others are ignored.
const maxNameWords = 12

// appendNameWords appends the words of a name or path in lower case: it splits at
// characters that are neither letters nor digits, and at the capitals of camelCase.
func appendNameWords(words []string, name string) []string {
	start := 0 // of the current word
	var before, last letterCase
	lastAt := 0
	cut := func(end int) {
		if end > start && len(words) < maxNameWords {
			words = append(words, strings.ToLower(name[start:end]))
		}
		start = end
	}
	for at := 0; at < len(name); {
		r, size := rune(name[at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(name[at:])
		}
		this := caseOf(r)
		switch {
		case this == separator:
			cut(at)
			start = at + size
		case this == upperCase && last != upperCase:
			cut(at)
		case this == lowerCase && last == upperCase && before == upperCase:
			cut(lastAt)
		}
		before, last, lastAt = last, this, at
		at += size
	}
	cut(len(name))
	return words
}

// letterCase is the kind of a character in a name.
type letterCase uint8

const (
	separator letterCase = iota // neither letter nor digit
	lowerCase
	upperCase
	otherCase // digits, and letters without case
)

func caseOf(r rune) letterCase {
	switch {
	case 'a' <= r && r <= 'z':
		return lowerCase
	case isUpper(r):
		return upperCase
	case '0' <= r && r <= '9':
		return otherCase
	case r < utf8.RuneSelf:
		return separator
	case unicode.IsUpper(r):
		return upperCase
	case unicode.IsLower(r):
		return lowerCase
	case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
		return otherCase
	}
	return separator
}

// sameTopic reports whether two words are probably about the same: one begins with the other,
// which has at least 3 letters, or they have the first 5 letters and two thirds of the
// shorter word in common.
func sameTopic(a, b string) bool {
	if a == b {
		return true
	}
	short := min(len(a), len(b))
	n := 0
	for n < short && a[n] == b[n] {
		n++
	}
	letters := utf8.RuneCountInString(a[:n])
	return n == short && letters >= 3 || letters >= 5 && 3*n >= 2*short
}
