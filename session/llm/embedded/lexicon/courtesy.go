package lexicon

import (
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// courtesies surround a question or an instruction and add nothing to it.
var (
	courtesyBefore = lazyregexp.New(`(?i)^(?:please|pls|plz|kindly|hi|hello|hey|hallo|yo|so|ok|okay|well|and|but|also` +
		`|now` +
		`|then|h?um+|hmm+|just|real quick|quickly|(?:a |just a |one |another )?(?:quick |last |small |short |more |dumb ` +
		`|stupid )*` +
		`question|in (?:a nutshell|short|brief|one sentence|general|plain english)|basically|generally|first of all` +
		`|seriously|tbh` +
		`|one more thing|btw|by the way|there|all|everyone|guys|folks|team|ploke|sorry|excuse me|thanks` +
		`|(?:let'?s|let us)(?: see)?|go ahead and|feel free to` +
		`|(?:can|could|would|will|may) (?:you|u|i|we|someone|anyone|anybody|somebody)(?: (?:please|kindly|maybe|perhaps` +
		`|quickly))*` +
		`(?: (?:tell|show|give|help|explain to|remind|point))?(?: me| us)?(?: out)?` +
		`|(?:do|does|would) (?:you|u|anyone|anybody|someone|somebody)(?: here)?(?: happen to)? know` +
		`|be (?:so )?(?:kind|nice|good)(?: as| enough)? to|(?:do|would) you mind (?:telling|showing|giving|explaining ` +
		`to) (?:me|us)|mind (?:telling|showing) me` +
		`|(?:would|is) it (?:be )?possible to|any (?:idea|clue|chance)(?: (?:of|on|as to|about|to|you could|you can))?` +
		`|i(?:'d| would)? (?:like|love|appreciate|want|need|wish)(?: (?:you|it if you(?: could)?))? to (?:know|see` +
		`|understand|learn|ask|find(?: out)?` +
		`|hear|be told)(?: about)?|i(?:'d| would)? (?:really |just )?(?:like|love|want|need)(?: you| us)? to` +
		`|i(?:'m| am| was) (?:just )?(?:looking for|wondering|curious|asking myself|trying to (?:find(?: out)?` +
		`|understand|see|figure out` +
		`|work out|learn))(?: about| if you(?: could| can)?(?: tell me)?)?` +
		`|i(?:'m| am) (?:new|not sure|unsure|confused|lost)(?: here| about| on)?|i (?:don't|do not|can't|cannot|can not) ` +
		`(?:know|understand|get|see|find(?: out)?|figure out|remember|recall)|(?:we|you|i) (?:should|need to|have to` +
		`|must|want to|ought to|could)` +
		`|what i (?:want|need|would like) to know is|my question is|i wonder|i need|` +
		`(?:tell|show|give|remind)(?: me| us)|let me (?:know|see)|(?:find|figure|work) out|help me(?: (?:to ` +
		`)?(?:find(?: out)?|understand|see` +
		`|figure out))?)(?:[,:;.!]+ ?| )`)
	courtesyAfter = lazyregexp.New(`(?i)[,;.!?]? (?:please|pls|plz|thanks?(?: you)?(?: (?:so|very) much| a lot| in ` +
		`advance)?|thx|ty|cheers` +
		`|for me|exactly|actually|are there|exist|currently|by the way|btw|if (?:possible|you can|you could|you know)` +
		`|do you know` +
		`|right now|again|anywhere|then|at all|though|(?:(?:in|around|inside|over|within|throughout) )?here|` +
		`(?:in|of|within|across|inside|throughout|around) (?:this|the|my|our|your) (?:whole |entire |current ` +
		`)?(?:project|code ?base|repo|repository|workspace|code|program|app|package|folder))$`)
	// SentenceEnd matches the punctuation at the end of a message.
	SentenceEnd = lazyregexp.New(`[\s?.!,;:…]+$`)
	contraction = lazyregexp.New(`(?i)\b(where|what|who|how|there|here|that|it)'s\b`)
	slurred     = lazyregexp.New(`(?i)\b(where|what|who|how)s\b`)
	cannot      = lazyregexp.New(`(?i)\b(is|are|was|were|do|does|did|has|have|should|would|could)n['’]?t\b`)
	adverb      = lazyregexp.New(`(?i)\b(?:usually|mostly|normally|typically) `)
	spaces      = lazyregexp.New(`\s+`)
	chat        = lazyregexp.New(`(?i)(^|\s)(u|r|ur|ya|wanna|gonna|gimme|lemme|wat|wut|dont)([\s?!.,]|$)`)
)

// chatWords are words of chats, and what they stand for.
var chatWords = map[string]string{"u": "you", "r": "are", "ur": "your", "ya": "you", "wanna": "want to",
	"gonna": "going to", "gimme": "give me", "lemme": "let me", "wat": "what", "wut": "what", "dont": "do not"}

// Plain returns a message without courtesies, contractions, final punctuation and extra space.
func Plain(message string) string {
	return Strip(Expanded(message), SentenceEnd, courtesyBefore, courtesyAfter)
}

// Expanded returns a message without contractions, words of chats and extra space.
func Expanded(message string) string {
	message = strings.NewReplacer("’", "'", "“", "\"", "”", "\"", "‘", "'").Replace(message)
	message = strings.TrimSpace(spaces.ReplaceAllString(message, " "))
	message = contraction.ReplaceAllString(message, "$1 is")
	message = slurred.ReplaceAllString(message, "$1 is")
	message = cannot.ReplaceAllString(message, "$1 not")
	message = adverb.ReplaceAllString(message, "")
	return chat.ReplaceAllStringFunc(message, func(word string) string {
		bare := strings.Trim(word, " ?!.,")
		return strings.Replace(word, bare, chatWords[strings.ToLower(bare)], 1)
	})
}

// Unwrapped returns a message without the courtesies around it. What it quotes stays as it is.
func Unwrapped(message string) string {
	return Strip(strings.TrimSpace(message), courtesyBefore, courtesyAfter)
}
