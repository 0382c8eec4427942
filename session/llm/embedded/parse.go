package embedded

import (
	"strconv"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm/embedded/lexicon"
)

// instruction is a parsed user's message.
type instruction interface {
	// next returns the next step after the given progress.
	next(p progress) step
}

func newForm(pattern string, make func([]string) (instruction, bool)) form {
	pattern = strings.ReplaceAll(pattern, " ", `\s+`)
	pattern = strings.ReplaceAll(pattern, `\s+?`, `\s*`)
	pattern = strings.NewReplacer("KIND", lexicon.KindPattern, "NAME", "("+lexicon.NamePattern+")",
		"PATH", "("+lexicon.PathPattern+")", "FILE", "("+lexicon.FilePattern+")",
		"TERM", "("+lexicon.QuotedPattern+lexicon.OrEmptyPattern+"|"+lexicon.TermPattern+")",
		"QUOTED", "("+lexicon.QuotedPattern+lexicon.OrEmptyPattern+")", "TEXT", `((?s:.+))`).Replace(pattern)
	return form{lazyregexp.New(`(?i)^(?:please,?\s+)?` + pattern + `(?:,?\s+(?:please|thanks|now|for me))?\s*[.!]?$`),
		make}
}

// pointing are the words for attached code in a question.
var pointing = lazyregexp.New(`(?i)\b(?:(?:this|that|the selected|the attached) ` + lexicon.KindPattern +
	`|(?:this|that|the|the selected|the attached) (?:code|line|selection|snippet)|this|that|it)\b`)

// instruction returns the instruction in the message. In a question, such as who calls
// this, the word for the attached code stands for its first line.
func (p progress) instruction() instruction {
	i := parseInstruction(p.message)
	if _, unclear := i.(question); unclear {
		if asked, ok := parseIntent(p.message, p.name()); ok {
			return asked
		}
	}
	switch i.(type) {
	case rename, renameFile, replace, askWhere, askWhich, remove, move, document, create:
		return i
	}
	if len(diffsIn(p.message)) > 0 {
		return changes{}
	}
	if _, refused := i.(refusal); refused {
		return i
	}
	if m := whatIs.FindStringSubmatch(lexicon.Plain(p.message)); m != nil && p.isProject(lexicon.Bare(m[1])) {
		return overview{}
	}
	if p.attached.line == 0 {
		return i
	}
	if at := pointing.FindStringIndex(p.message); at != nil {
		asked := lexicon.Plain(p.message[:at[0]] + code(p.attached.String()) + p.message[at[1]:])
		if about, ok := parseAsk(asked); ok {
			return about
		}
	}
	if i == (talk{"which one"}) {
		return show{p.attached}
	}
	return i
}

// whatIs matches a question about a name that may be that of the project.
var whatIs = lazyregexp.New(`(?i)^(?:what is|what does|explain|describe|about) (\S+?)(?: do| for| about| (?:good|used` +
	`|useful) for)?$`)

// parseInstruction returns the instruction in a message.
func parseInstruction(message string) instruction {
	for _, f := range forms {
		if m := f.pattern.FindStringSubmatch(message); m != nil {
			if i, ok := f.make(m[1:]); ok {
				return i
			}
		}
	}
	asked := lexicon.Plain(message)
	for _, m := range []string{lexicon.Strip(message, lexicon.SentenceEnd), asked} {
		if i, ok := parseNewcomer(m); ok {
			return i
		}
	}
	if m := work.FindStringSubmatch(message); m != nil && strings.Contains(message, " ") && (m[1] != "" ||
		!strings.HasSuffix(message, "?")) {
		return refusal{strings.ToLower(m[2])}
	}
	for _, m := range []string{lexicon.Strip(message, lexicon.SentenceEnd), asked} {
		if i, ok := parseTalk(m); ok {
			return i
		}
	}
	if lexicon.OtherLanguage(message) {
		return inOtherLanguage{}
	}
	if i, ok := parseAsk(asked); ok {
		return i
	}
	for _, s := range sentences.FindAllString(message, maxSentences) {
		if i, ok := parseNewcomer(lexicon.Plain(s)); ok {
			return i
		}
	}
	return question{}
}

// sentences matches a sentence of a message of several.
var sentences = lazyregexp.New(`[^?.!;]+[?.!;](?:\s|$)|[^?.!;]+$`)

const maxSentences = 5

// work matches requests for changes or for text about code that only a language model
// can write.
var work = lazyregexp.New(`(?is)^(?:please,?\s+)?((?:can|could|would|will)\s+you\s+(?:please\s+)?|I\s+(?:want` +
	`|need)\s+you\s+to\s+)?` +
	`(add|audit|build|change|clean|comment|convert|create|debug|delete|document|edit|extract|fix|format|generate` +
	`|implement|improve|inline|insert|install|` +
	`find (?:the |an? |any |all |some )*(?:bugs?|errors?|mistakes?|problems?|issues?|vulnerabilit(?:y|ies))|make|migrate` +
	`|modify|move|optimi[sz]e|port|refactor|remove|rename|reorgani[sz]e|replace|review|rewrite|simplify|split|test` +
	`|translate|update|upgrade|write)\b`)

func withNewline(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

// number returns the value of digits.
func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}
