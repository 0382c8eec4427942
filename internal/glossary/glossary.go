// Package glossary knows the words that programmers of five languages (German, French, Spanish, Chinese and Japanese)
// use for what code has English words for.
//
// Its promises:
//   - It says nothing of a word that it does not know.
//   - What it says depends on the text alone.
package glossary

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

//go:embed words.txt
var list string

// Translation is a part of a text that the glossary knows.
type Translation struct {
	Word    string   // the word in lower case; in a language without spaces, a part of it
	English []string // what it may mean, at least one
}

const (
	minStem = 4 // letters from which on a word of Latin letters stands for all words that it begins
	// maxLinking is how many letters may stand between the parts of a compound, as in Verbindungsabbruch.
	maxLinking = 4
)

// words are the words of the list.
type words struct {
	latin, dense map[string][]string // the English words
	longest      int                 // of both, in bytes
}

// known returns the words. They are read when they are first needed, so that the start of a process is short.
var known = sync.OnceValue(func() (w words) {
	w = words{latin: map[string][]string{}, dense: map[string][]string{}}
	for line := range strings.Lines(list) {
		english, foreign, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		for word := range strings.FieldsSeq(foreign) {
			of := w.latin
			if first, _ := utf8.DecodeRuneInString(word); isDense(first) {
				of = w.dense
			}
			of[word] = append(of[word], english)
			w.longest = max(w.longest, len(word))
		}
	}
	return w
})

// isDense reports whether a letter is of a language that is written without spaces.
func isDense(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) }

// Translate returns what the glossary knows of a text, in the order of the text.
func Translate(text string) (all []Translation) {
	for _, word := range strings.FieldsFunc(strings.ToLower(text), isSeparator) {
		if strings.ContainsFunc(word, isDense) {
			all = append(all, known().inDense(word)...)
		} else {
			all = append(all, known().ofLatin(word)...)
		}
	}
	return all
}

func isSeparator(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '_' && r != 'ー' && r != '-'
}

// ofLatin returns what a word means that is of Latin letters: it, and the rest of a compound; else what hyphens join.
func (w words) ofLatin(word string) (all []Translation) {
	stem, english := w.beginning(word)
	if head, tail, joined := strings.Cut(word, "-"); stem == "" && joined {
		return append(w.ofLatin(head), w.ofLatin(tail)...)
	}
	if stem == "" {
		return nil
	}
	all = []Translation{{word, english}}
	rest := word[len(stem):]
	for skipped := range maxLinking + 1 {
		if utf8.RuneCountInString(rest) < minStem {
			break
		}
		if stem, english := w.beginning(rest); utf8.RuneCountInString(stem) >= minStem {
			return append(all, Translation{rest, english})
		}
		if skipped < maxLinking {
			_, size := utf8.DecodeRuneInString(rest)
			rest = rest[size:]
		}
	}
	return all
}

// beginning returns the longest word of the list that a word is, or begins with.
func (w words) beginning(word string) (stem string, english []string) {
	if english := w.latin[word]; english != nil {
		return word, english
	}
	for end := min(len(word), w.longest); end > 0; end-- {
		english := w.latin[word[:end]]
		if english != nil && utf8.RuneCountInString(word[:end]) >= minStem {
			return word[:end], english
		}
	}
	return "", nil
}

// inDense returns what the parts of a text without spaces mean, the longest first.
func (w words) inDense(text string) (all []Translation) {
	for text != "" {
		found := 0
		for end := min(len(text), w.longest); end > 0; end-- {
			if english := w.dense[text[:end]]; english != nil {
				all, found = append(all, Translation{text[:end], english}), end
				break
			}
		}
		if found == 0 {
			_, found = utf8.DecodeRuneInString(text)
		}
		text = text[found:]
	}
	return all
}

// English returns the first meaning of each part, each once.
func English(all []Translation) (english []string) {
	for _, t := range all {
		if !slices.Contains(english, t.English[0]) {
			english = append(english, t.English[0])
		}
	}
	return english
}
