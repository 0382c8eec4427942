package lexicon

import (
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// talks are the messages that are about no code, in lower case and without courtesies.
var talks = []struct {
	kind    string
	pattern *lazyregexp.Regexp
}{
	{"greeting", lazyregexp.New(`(?i)^(?:hi+|hello+|hey+|hiya|howdy|yo|hallo|moin|servus|hola|bonjour|salut|ciao|ola` +
		`|namaste|greetings|good (?:morning|afternoon|evening|day)|guten (?:tag|morgen)|what'?s up|sup)(?: (?:there|ploke` +
		`|all|everyone|world|again|you))?$`)},
	{"thanks", lazyregexp.New(`(?i)^(?:(?:ok(?:ay)?|great|cool|perfect|awesome),? )?(?:thanks?(?: you)?|thx|ty|cheers` +
		`|danke|merci|gracias|many thanks|much appreciated|great|cool|nice|perfect|awesome|good job|well done|ok(?:ay)?` +
		`|got it|bye|goodbye|see you)(?: (?:so|very) much| a lot| again| you| ploke| job| work)*$`)},
	{"help", lazyregexp.New(`(?i)^/?(?:help(?: me)?|commands?|usage|manual|instructions|examples?|how (?:do|can` +
		`|should) i (?:use|work with|talk to|start with|ask) (?:(?:you|ploke)(?: .*)?|(?:this)(?: tool| thing| assistant` +
		`| bot| chat| plugin` +
		`| here)?)|what (?:can|do|could) (?:you|i` +
		`|this|it|ploke) (?:do|ask|say|know|help)(?: .*)?|what(?: are|'re) (?:your|the) (?:abilities|capabilities|features` +
		`|commands|options|limits)|what (?:commands?|questions?) .*|how (?:do you|does this|does it|can you) (?:work` +
		`|help)(?: .*)?)$`)},
	{"self", lazyregexp.New(`(?i)^(?:(?:who|what)(?: are|'re| r) (?:you|u)|what is (?:ploke|ploke-lsp)|what(?:'s` +
		`| is) your name|are you .*|(?:what|which) (?:ai |language )?(?:model|llm|ai)(?: .*)?|is this (?:an? )?(?:ai|llm` +
		`|chatgpt|claude|copilot|language model).*|how (?:do|can|should) i (?:configure|set|set up|change|use|add|connect` +
		`|select|choose|switch)(?: to)? (?:the |an? |another |my )?(?:language |own )?(?:model|llm|key|api key|ai` +
		`|provider|openai|claude|ollama)(?: .*)?)$`)},
	{"chat", lazyregexp.New(`(?i)^(?:how(?: are|'re| r) (?:you|u)(?: .*)?|how(?:'s| is) it going` +
		`|(?:tell me )?(?:a )?(?:joke|story|poem)|i (?:love|hate|like) you|what (?:time|day) is it|what(?:'s` +
		`| is) the (?:weather|time|date|meaning of life)(?: .*)?|let'?s (?:chat|talk)|do you (?:like|love|think|feel|want` +
		`|have) .*)$`)},
	{"overview", lazyregexp.New(strings.ReplaceAll(`(?i)^(?:(?:give |an? |the |quick |short |brief |high[- ]level `+
		`|general |me )*(?:overview|summary|tour|introduction|outline|architecture|structure|layout|explanation`+
		`|description)(?: (?:of|to|for) (?:IT))?|IT (?:overview|summary|structure|layout|architecture|organi[sz]ation)|`+
		`(?:what|how)(?: is|'s| does| do| are)? (?:in |inside )?IT(?: is)?(?: (?:do|about|for|work|works|all about`+
		`|organi[sz]ed|structured|laid out|built|used for|contain|made of|written in))?|`+
		`(?:explain|describe|summari[sz]e|introduce|understand|show|about|outline) (?:the )?(?:(?:architecture|structure`+
		`|layout|purpose|design) of )?IT(?: .{0,20})?|(?:what|which) (?:programming )?languages? (?:is|are`+
		`|does) .*(?:written|used|use)(?: in| here)?|where (?:do|should|can) i (?:start|begin)(?: reading)?`+
		`|where to (?:start|begin)|(?:what|where|which)(?: is| are|'s) (?:the |its )?(?:main )?(?:entry ?points?`+
		`|packages|modules|folders)|what(?:'s| is) (?:in )?(?:here|this|this (?:all )?about)|readme`+
		`|what am i looking at|getting started)$`, "IT", theProject))},
}

// theProject is what IT stands for in the pattern of an overview.
const theProject = `(?:(?:this|the|my|our|your|whole|entire|current|all|that) ?)*(?:project|repo(?:sitory)?` +
	`|code ?base|code|workspace|program|application|app|package|module|library|folder|directory)(?: (?:structure` +
	`|architecture|layout))?`

// TalkOf returns which kind of talk a message without courtesies is, such as greeting or help; overview for one about
// the project as a whole, and "" for any other message.
func TalkOf(message string) string {
	for _, t := range talks {
		if t.pattern.MatchString(message) {
			return t.kind
		}
	}
	return ""
}
