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

	"golang.org/x/text/unicode/norm"
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
	minTail = 3 // letters of the last part of a compound
	// maxLinking is how many letters may stand between the parts of a compound, as in Verbindungsabbruch.
	maxLinking = 4
)

// words are the words of the list.
type words struct {
	latin, dense map[string][]string // the English words
	plain        map[string][]string // of latin, without accents
	longest      int                 // of all, in bytes
}

// known returns the words. They are read when they are first needed, so that the start of a process is short.
var known = sync.OnceValue(func() (w words) {
	w = words{latin: map[string][]string{}, dense: map[string][]string{}, plain: map[string][]string{}}
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
			if plain := withoutAccents(word); !slices.Contains(w.plain[plain], english) {
				w.plain[plain] = append(w.plain[plain], english)
			}
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

// umlauts are what is typed for letters with accents that the keyboard lacks.
var umlauts = strings.NewReplacer("ae", "a", "oe", "o", "ue", "u")

// withoutAccents returns a word in lower case as people type it without accents.
func withoutAccents(word string) string {
	plain := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(word))
	return strings.ReplaceAll(plain, "ß", "ss")
}

// ofLatin returns what a word means that is of Latin letters: it, and the rest of a compound; else what hyphens join.
// Accents may be missing, and umlauts may be typed as two letters.
func (w words) ofLatin(word string) (all []Translation) {
	plain := withoutAccents(word)
	for _, typed := range []struct {
		word string
		in   map[string][]string
	}{{word, w.latin}, {plain, w.plain}, {umlauts.Replace(plain), w.plain}} {
		if all := w.parts(typed.word, typed.in); all != nil {
			all[0].Word = word
			return all
		}
	}
	if head, tail, joined := strings.Cut(word, "-"); joined {
		return append(w.ofLatin(head), w.ofLatin(tail)...)
	}
	return nil
}

// parts returns what a word means by some words of the list, and the rest of a compound.
func (w words) parts(word string, in map[string][]string) (all []Translation) {
	stem, english := w.beginning(word, in)
	if stem == "" {
		return nil
	}
	all = []Translation{{word, english}}
	rest := word[len(stem):]
	for skipped := range maxLinking + 1 {
		if utf8.RuneCountInString(rest) < minTail {
			break
		}
		if stem, english := w.beginning(rest, in); utf8.RuneCountInString(stem) >= minStem || stem != "" && stem == rest {
			return append(all, Translation{rest, english})
		}
		if skipped < maxLinking {
			_, size := utf8.DecodeRuneInString(rest)
			rest = rest[size:]
		}
	}
	return all
}

// beginning returns the longest word of some of the list that a word is, or begins with.
func (w words) beginning(word string, in map[string][]string) (stem string, english []string) {
	if english := in[word]; english != nil {
		return word, english
	}
	for end := min(len(word), w.longest); end > 0; end-- {
		english := in[word[:end]]
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

// functionWords are the words that sentences of German, French and Spanish are built with, those that people only say
// to each other, and whether they are none of English.
var functionWords = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(`
		der das des dem den ein eine einer eines einem einen und oder aber auch nicht kein keine keinen ist sind wird werden wurde
		wurden worden haben kann können muss müssen soll sollen wo wie wann warum wieso welche welcher welches welchem welchen
		wenn ob dass weil damit mit ohne für gegen durch von vom zu zum zur aus auf bei beim nach vor über unter zwischen seit bis
		bitte danke dank hallo vielen jemand kannst könntest könnten möchte würde gerne zeig zeige zeigen sag sagen erklär erkläre
		erklären wissen stelle geht
		sich sie er wir ihr uns mir mich ich du dieser diese dieses diesem diesen als noch schon nur sehr im ins gibt
		le la les une de aux et où mais ne est sont été être ont peut doit quand comment pourquoi quel quelle quels
		quelles qui que dans avec sans sous entre vers chez depuis selon se il elle ils elles nous vous ce cet cette ces
		bonjour salut merci svp plaît pouvez pourriez peux pourrais voudrais aimerais montre montrez montrer explique expliquez
		expliquer savoir endroit
		je tu leur leurs sa ses très puis lorsque jusque jusqu qu
		el los las una unos unas del al y o pero están está era fue ser ha han puede debe cuando cuándo dónde donde cómo
		por para con en según hasta desde sobre qué cuál cuáles quién lo su sus este esta esto estos estas ese esa eso
		hola gracias favor puedes podrías podría quisiera quiero dime decirme muéstrame mostrarme explica explícame saber alguien
		lugar
		muy ya más cada hay es`) {
		all[word] = true
	}
	for word := range strings.FieldsSeq(`die was war hat man in an am so also no sin son par sur on me as du et au ou si ton mon un
		pas l d`) {
		all[word] = false
	}
	return all
})

// IsFunctionWord reports whether a word in lower case is one of German, French or Spanish that says nothing by itself,
// such as an article, and whether it is none of English.
func IsFunctionWord(word string) (is, foreign bool) {
	foreign, is = functionWords()[word]
	return is, foreign
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
