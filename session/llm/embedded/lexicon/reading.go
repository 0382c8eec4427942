package lexicon

import (
	"slices"
	"strings"
	"unicode"

	"ploke-lsp/internal/lazyregexp"
)

// Reading is a message as what it names and the words around that.
type Reading struct {
	Words []string // plain words in lower case, in their order
	Named []string // texts in quotes, paths, and names of code, as they are written
}

// Read reads a message without courtesies. A word of the vocabulary is none that names something, unless it is quoted
// or has the form of code.
func Read(message string, vocabulary map[string]bool) (r Reading) {
	for i, token := range tokens.FindAllString(message, -1) {
		word := strings.TrimRight(strings.TrimLeft(token, "([{"), "?!.,;:)]}")
		if strings.HasSuffix(strings.TrimRight(token, "?!.,;:"), "()") {
			word = strings.TrimSuffix(word, "(") + "()"
		}
		if head, _, contracted := strings.Cut(word, "'"); contracted && head != "" {
			word = head // of what it has, or of a pronoun with its verb
		}
		lower := strings.ToLower(word)
		switch plain := Common[lower] || Fillers[lower] || Weak[lower]; {
		case word == "":
		case codeForm.MatchString(word):
			r.Named = append(r.Named, word)
		case unicode.IsUpper([]rune(word)[0]) && !plain && !acronyms[lower] && !(i == 0 && vocabulary[lower]):
			r.Named = append(r.Named, word)
		default:
			r.Words = append(r.Words, strings.FieldsFunc(lower, func(c rune) bool {
				return !unicode.IsLetter(c) && !unicode.IsDigit(c)
			})...)
		}
	}
	return r
}

// Has reports whether one of the plain words is in a set.
func (r Reading) Has(set map[string]bool) bool {
	return slices.ContainsFunc(r.Words, func(w string) bool { return set[w] })
}

// codeForm matches what is no plain word: quotes, paths, and names that have an inner capital, a line below, or the
// punctuation of a program.
var codeForm = lazyregexp.New("^[`\"']|^--?[a-z]|\\(\\)$|[a-z0-9][A-Z]|\\pL_\\pL|^_\\pL|::|->|\\pL[.#]\\pL\\w|^@|" +
	`^[\w.-]{3,}/[\w./-]{3,}|` +
	`^\.?/|/$|^\.\w`)

// acronyms are written with capitals, and name no code. So are the languages.
var acronyms = SetOf(`todo todos fixme fixmes hack xxx api apis cli ci cd readme loc sloc llm ai mit bsd gpl apache msrv
	os env http https url json yaml toml sdk ide lsp pr prs ok faq tldr rust python go golang java javascript typescript
	node nodejs ruby php kotlin swift c linux windows mac macos docker github git npm cargo i id ids ui gui english`)
