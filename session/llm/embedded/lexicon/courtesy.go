package lexicon

import (
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// courtesies surround a question and add nothing to it.
var (
	courtesyBefore = lazyregexp.New(`(?i)^(?:please|pls|plz|kindly|hi|hello|hey|hallo|so|ok|okay|well|and|but|also|now` +
		`|then|um+|just|quick question|question|there|ploke|sorry|excuse me|thanks|` +
		`(?:can|could|would|will) (?:you|u|i|we|someone|anyone)(?: please)?(?: (?:tell|show|give|help|explain to))?(?: me` +
		`| us)?|(?:do|would) you (?:happen to )?know|any idea|i(?:'d| would) like to (?:know|see|understand)|i(?:'m` +
		`| am) (?:looking for|wondering|trying to (?:find(?: out)?|understand|see))|i (?:want|need) to (?:know|see` +
		`|find(?: out)?|understand)|i wonder|i need|` +
		`(?:tell|show|give)(?: me| us)|let me (?:know|see)|(?:find|figure) out|help me (?:find(?: out)?|understand|see)` +
		`|remind me)[,:;.!]* `)
	courtesyAfter = lazyregexp.New(`(?i)[,;]? (?:please|pls|plz|thanks?(?: you)?(?: (?:so|very) much)?|thx|for me` +
		`|exactly|actually|are there|exist|currently` +
		`|right now|again|anywhere|then|at all|(?:in|of|within|across|inside) (?:this` +
		`|the|my` +
		`|our) (?:whole |entire |current )?(?:project|code ?base|repo|repository|workspace|code|program|app|package` +
		`|folder))$`)
	// SentenceEnd matches the punctuation at the end of a message.
	SentenceEnd = lazyregexp.New(`[\s?.!,;:…]+$`)
	contraction = lazyregexp.New(`(?i)\b(where|what|who|how|there|here)'s\b`)
	spaces      = lazyregexp.New(`\s+`)
)

// Plain returns a message without courtesies, final punctuation and extra space.
func Plain(message string) string {
	message = strings.NewReplacer("’", "'", "“", "\"", "”", "\"", "‘", "'").Replace(message)
	message = contraction.ReplaceAllString(strings.TrimSpace(spaces.ReplaceAllString(message, " ")), "$1 is")
	return Strip(message, SentenceEnd, courtesyBefore, courtesyAfter)
}
