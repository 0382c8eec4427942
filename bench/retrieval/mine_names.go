package main

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ploke-lsp/index"
	"ploke-lsp/index/traits"
)

// minedName is how many letters a name of a mined case has at least. Shorter names have neighbors that are as good.
const minedName = 8

// spelling is how a person may write the name of a symbol.
type spelling struct {
	category string
	of       func(name string, r *rand.Rand) string // "" where it does not differ from another one
}

// spellings are how people write names, as the first one has them or not quite.
var spellings = []spelling{
	{"as written", func(name string, _ *rand.Rand) string { return name }},
	{"where is it", func(name string, _ *rand.Rand) string { return "where is " + name + " defined?" }},
	{"polite", func(name string, _ *rand.Rand) string {
		return "Could you please tell me what " + name + " does and where I can find it? Thanks!"
	}},
	{"lower case", func(name string, _ *rand.Rand) string { return unlike(name, strings.ToLower(name)) }},
	{"snake_case", func(name string, _ *rand.Rand) string { return unlike(name, strings.Join(words(name), "_")) }},
	{"camelCase", func(name string, _ *rand.Rand) string { return unlike(name, camelCase(words(name))) }},
	{"separate words", func(name string, _ *rand.Rand) string { return unlike(name, strings.Join(words(name), " ")) }},
	{"first two thirds", func(name string, _ *rand.Rand) string { return name[:len(name)*2/3] }},
	{"one typo", func(name string, r *rand.Rand) string { return mistyped(name, r) }},
	{"one typo, in a question", func(name string, r *rand.Rand) string {
		return "where is " + mistyped(name, r) + " defined?"
	}},
}

// words returns the words of a name, none for a name of one word.
func words(name string) []string {
	if all := index.NameWords(name); len(all) > 1 {
		return all
	}
	return nil
}

func camelCase(words []string) string {
	name := ""
	for i, w := range words {
		if i > 0 {
			first, size := utf8.DecodeRuneInString(w)
			w = string(unicode.ToUpper(first)) + w[size:]
		}
		name += w
	}
	return name
}

func unlike(name, spelled string) string {
	if spelled == name {
		return ""
	}
	return spelled
}

// mistyped returns an ASCII name with one mistake behind its first letter: a letter that is missing, doubled, another
// one, or has changed places with the next one.
func mistyped(name string, r *rand.Rand) string {
	for {
		b, at := []byte(name), 1+r.IntN(len(name)-2)
		switch r.IntN(4) {
		case 0:
			b = slices.Delete(b, at, at+1)
		case 1:
			b = slices.Insert(b, at, b[at])
		case 2:
			b[at] = byte('a' + r.IntN(26))
		case 3:
			b[at], b[at+1] = b[at+1], b[at]
		}
		if !strings.EqualFold(string(b), name) {
			return string(b)
		}
	}
}

// names returns questions for the symbols of count names: each name as written, and as people spell it. The names are
// unique in the source files.
func (p *minedProject) names(count int, r *rand.Rand) (all []asked) {
	symbols := p.uniqueSymbols()
	r.Shuffle(len(symbols), func(i, j int) { symbols[i], symbols[j] = symbols[j], symbols[i] })
	for _, s := range symbols[:min(count, len(symbols))] {
		for _, spelled := range spellings {
			if text := spelled.of(s.Name, r); text != "" {
				all = append(all, newAsked(text, spelled.category, s))
			}
		}
	}
	return all
}

// uniqueSymbols returns the symbols of the source files whose names are ASCII, long and unique, in the order of files.
func (p *minedProject) uniqueSymbols() (unique []index.Unit) {
	seen := map[string]int{}
	for _, s := range p.symbols {
		seen[strings.ToLower(strings.Trim(s.Name, "_"))]++
		source := traits.PrecedenceOf(filepath.ToSlash(s.Rel), nil) == traits.Source
		if source && len(s.Name) >= minedName && plainName(s.Name) {
			unique = append(unique, s)
		}
	}
	ambiguous := func(s index.Unit) bool { return seen[strings.ToLower(strings.Trim(s.Name, "_"))] > 1 }
	return slices.DeleteFunc(unique, ambiguous)
}

// plainName reports whether a name is of ASCII letters, digits and underscores.
func plainName(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool {
		return r > unicode.MaxASCII || r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}
