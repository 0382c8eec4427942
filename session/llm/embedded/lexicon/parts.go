package lexicon

import (
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// Parts returns the parts of a message that asks for several things: each in the wordings that it may stand for, the
// likeliest first. A part without words of its own to ask with has those of the first one. It returns nil for a message
// of one part.
func Parts(message string) (parts [][]string) {
	if strings.Contains(strings.TrimSpace(message), "\n") || compares.MatchString(message) {
		return nil
	}
	message = Unwrapped(Expanded(message))
	var head, verb string
	for _, part := range split(message) {
		part = leading.ReplaceAllString(Strip(part, SentenceEnd), "")
		switch {
		case part == "":
		case len(parts) == 0:
			head = heads.FindString(part)
			if m := doing.FindStringSubmatch(part); m != nil {
				verb = m[1] + " "
			}
			parts = append(parts, []string{part})
		case heads.MatchString(part):
			own := []string{part}
			if m := elided.FindStringSubmatch(part); m != nil { // how just one test file
				own = []string{"how do I run " + m[1], part}
			}
			parts = append(parts, own)
		default:
			own := []string{head + part, part}
			if verb != "" {
				own = append(own, head+verb+part)
			}
			parts = append(parts, own)
		}
	}
	if len(parts) < 2 || len(parts) > maxParts {
		return nil
	}
	return parts
}

func split(message string) (parts []string) {
	from := 0
	for _, at := range joints.FindAllStringIndex(message, -1) {
		parts = append(parts, message[from:at[0]])
		from = at[1]
	}
	return append(parts, message[from:])
}

// maxParts is the maximum number of parts that a message is taken apart into.
const maxParts = 5

var (
	// joints are between the parts of a message: marks, or words such as and.
	joints = lazyregexp.New(`(?i)\s*[?;!]+\s*|\s*,\s*(?:and|or|then|plus|as well as)?\s+|\s*(?:&|\+|/)\s+|` +
		`\s+(?:and|then|plus|or|as well as|also)\s+|\.\s+`)
	// compares matches a message about what two things have to do with each other.
	compares = lazyregexp.New(`(?i)\b(?:between|differ\w*|compared?|vs\.?|versus|relat\w+|together)\b`)
	leading  = lazyregexp.New(`(?i)^(?:and|or|also|then|plus|but|so|maybe|please|both|either|next)\s+`)
	// heads are the words with which a question begins.
	heads = lazyregexp.New(`(?i)^(?:how (?:to|do|does|did|can|could|should|would|is|are|many|much|just)(?: (?:i|we|` +
		`you|one|` +
		`they))?|what(?: is| are| does| do| was)?(?: the)?|which|who|where(?: is| are| do| does| can| should)?(?: i| we| ` +
		`you)?|when|why|(?:under|in|with) (?:what|which)|is|are|does|do|can|show(?: me)?|list|tell(?: me)?|give(?: me)?|` +
		`explain|should|could|may|must|will|would)\s+`)
	doing  = lazyregexp.New(`(?i)^how (?:to|do|can|could|should) (?:(?:i|we|you|one) )?(\w+) `)
	elided = lazyregexp.New(`(?i)^how (?:just |about |only )+(.+)$`)
)

// AsksItself reports whether a part of some wordings asks on its own, so that an answer that leaves it out is none to
// the message.
func AsksItself(wordings []string) bool {
	part := wordings[len(wordings)-1]
	return heads.MatchString(part) && len(strings.Fields(part)) > 2
}

// OfIt reports whether a part asks for what is done with a thing that was named before, by a pronoun.
func OfIt(part string) bool { return withIt.MatchString(part) }

var withIt = lazyregexp.New(`(?i)\b(?:run|use|start|execute|call|invoke) (?:it|them|that|those|these)\b`)

// OnlyAsksWhen reports whether a part asks for nothing but the time of what the part before it asks for.
func OnlyAsksWhen(part string) bool { return onlyWhen.MatchString(part) }

var onlyWhen = lazyregexp.New(`(?i)^(?:who |what |which )?(?:since )?when(?: (?:was|did|were) (?:it|that|this|` +
	`they)(?: \w+){0,2})?$`)

// WithNamed returns a part in which a pronoun stands for a name that an earlier part has. It reports false if there is
// no pronoun.
func WithNamed(part, name string) (string, bool) {
	at := pronoun.FindStringIndex(part)
	if at == nil {
		return part, false
	}
	return part[:at[0]] + name + part[at[1]:], true
}

var pronoun = lazyregexp.New(`(?i)\b(?:it|that|this|they|them)\b`)
