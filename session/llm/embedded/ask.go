package embedded

import (
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm/embedded/lexicon"
)

// ask is a syntax of a question about a symbol.
type ask struct{ lexicon.Ask }

// parseAsk returns the question about a symbol in a message without courtesies, if any.
func parseAsk(message string) (instruction, bool) {
	if m := namedThing.FindStringSubmatch(message); m != nil && !lexicon.Common[strings.ToLower(m[1])] {
		return explain{target: target{name: m[1]}, weak: true}, true
	}
	for _, syntax := range lexicon.Asks {
		a := ask{syntax}
		m := a.Pattern.FindStringSubmatch(message)
		for _, words := range m[min(1, len(m)):] {
			t, ok := targetOf(words)
			if i := a.instruction(t, t.name != "" && !lexicon.LooksLikeCode(words)); ok && i != nil {
				return i, true
			}
			if ok && a.Weak && a.About == "explain" && lexicon.IsNoun(words, t.name) {
				noun := t.name != words
				if noun { // types begin with a capital in most languages
					t.name = strings.ToUpper(t.name[:1]) + t.name[1:]
				}
				return explain{target: t, weak: true, bare: true, noun: noun}, true
			}
		}
	}
	return nil, false
}

// namedThing matches a question about what has a name with a capital and is called by a word of its domain, such as
// "the State extractor".
var namedThing = lazyregexp.New(`^(?i:explain|describe|show|show me|tell me about|what is|what does) (?i:the |an? )` +
	`([A-Z][a-z]*[A-Z]?\w*) [a-z]+(?: do| for| work| about)?$`)

// instruction returns nil if the question makes no sense for the target. plain says
// that the target may be an ordinary word.
func (a ask) instruction(t target, plain bool) instruction {
	explains := a.About == "explain" || a.About == "define"
	switch {
	case t.name == "" && explains:
		return show{t}
	case t.name == "" && t.line == 0 && a.About == "importers":
		return importingFile(t.file)
	case t.name == "" && t.line == 0, plain && a.Weak:
		return nil
	case explains:
		return explain{target: t, brief: a.About == "define", weak: a.Weak || plain}
	}
	return relation{t, a.About, plain}
}
