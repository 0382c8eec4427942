package lexicon

import (
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"ploke-lsp/internal/lazyregexp"
)

// IsContent reports whether a text is what a file shall hold rather than a description of it: of a program, if it has
// the marks of code, and of a file for people, if it does not begin as descriptions do.
func IsContent(file, text string) bool {
	if forPeople.MatchString(file) {
		return !describing.MatchString(text)
	}
	return codeMarks.MatchString(text)
}

// IsText reports whether what stands behind "with the text" is that text rather than a description of it, as in "with
// the text of the license".
func IsText(file, text string) bool { return IsContent(file, text) && !ofText.MatchString(text) }

var ofText = lazyregexp.New(`(?i)^(?:of|from|in|at|to|that|which|who|what|how|why|where|about|for|on|and|or|above|` +
	`below|before|after|like|saying|says|stating|describing|explaining|listing|telling|reading|copied|taken)\b`)

// LineSaying returns the sentence of a description of what a file for people shall say, such as "a line that says that
// it is old". It reports false for what describes no sentence.
func LineSaying(file, text string) (sentence string, ok bool) {
	m := lineSaying.FindStringSubmatch(text)
	if m == nil || !forPeople.MatchString(file) || indirect.MatchString(m[1]) {
		return "", false
	}
	r, size := utf8.DecodeRuneInString(m[1])
	sentence = string(unicode.ToUpper(r)) + m[1][size:]
	if !ends.MatchString(sentence) {
		sentence += "."
	}
	return sentence, true
}

var (
	lineSaying = lazyregexp.New(`(?is)^(?:(?:(?:an?|one|the) )?(?:(?:single|short|one|first|little) )*(?:line|sentence|` +
		`note|paragraph|text|comment)` +
		`(?:,? (?:saying|stating|telling|reading|(?:that|which) (?:says|states|reads|tells)|to say))` +
		`(?: that)?:? |that )(.+)$`)
	indirect = lazyregexp.New(`(?i)^(?:what|how|why|where|who|whom|whose|which|whether|when|if|something|everything)\b`)
	ends     = lazyregexp.New(`[.!?:)]$`)
)

// codeMarks are in most lines of a program, and in hardly any description of one.
var codeMarks = lazyregexp.New(`[=(){};<>#]|^//|^(?:package|import|use|module|class|def|fn|func|export) `)

var (
	forPeople  = lazyregexp.New(`(?i)\.(?:txt|md|rst|adoc)$`)
	describing = lazyregexp.New(`(?i)^(?:an?|the|some|all|any|every|each|my|our|your|its|it|nothing|instructions` +
		`|information|` +
		`documentation|docs|details|notes|examples?|code|text|contents?|headings?|sections?|tests?|functions?)\b`)
)

// Titled returns the text of a file for people with a title and a line, "" for none. It reports false for other files.
func Titled(file, title, line string) (text string, ok bool) {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".md":
		text = "# " + title + "\n"
	case ".adoc":
		text = "= " + title + "\n"
	case ".rst":
		text = title + "\n" + strings.Repeat("=", utf8.RuneCountInString(title)) + "\n"
	case ".txt":
		text = title + "\n"
	default:
		return "", false
	}
	if line != "" {
		text += "\n" + line + "\n"
	}
	return text, title != ""
}
