package query

import (
	"strings"
	"unicode"

	"ploke-lsp/internal/lazyregexp"
)

// The parts of what people say around what they want to find.
const (
	greeting = `\s*(?:hi|hello|hey|ok|okay|so|well|sorry|please|quick question|question)` +
		`(?: (?:there|all|everyone|team|folks))?\s*[,.:!;-]+`
	kindly  = `\s*(?:please|pls|kindly)\b,?`
	request = `\s*(?:could|can|would|will) (?:you|someone|anyone|anybody|somebody)(?: please| kindly)?` +
		` (?:tell|show|explain|help|remind|point|let)(?: (?:to )?(?:me|us))?` +
		`(?: out| understand| find out| find| know| see| to)*\b,?`
	order = `\s*(?:please )?(?:tell|show|explain|remind)(?: to)? (?:me|us)\b,?`
	wish  = `\s*(?:i(?:'d| would) (?:like|love) to|i (?:want|need|wish|am trying|was trying|try) to|i'm trying to)` +
		` (?:know|understand|learn|see|find out|figure out|find)\b,?`
	wondering = `\s*(?:i(?:'m| am| was) (?:just |only )?(?:wondering|curious|not sure|unsure|looking for|searching for)` +
		`(?: about)?)\b,?`
	knowing = `\s*(?:do|does) (?:you|anyone|anybody|somebody|someone) (?:happen to )?know\b,?`
	idea    = `\s*(?:any|have you an|do you have any) (?:idea|clue)\b,?`

	thanks = `[\s,.;:!?-]*\b(?:please|pls|thanks|thank you|thx|cheers|many thanks)\b` +
		`(?: (?:a lot|so much|very much|in advance|for your help))?`
	findable = `[\s,.;:]*\b(?:and |or )?where (?:i can|can i|do i|to) find (?:it|them|that|this)\b`
	ifYouCan = `[\s,.;:]*\bif you (?:can|could|know|don't mind|do not mind)\b`

	asking = `(?:where(?:'s| is| are| was| do we(?: find)?| do i find| can i find)|what(?:'s| is| does| are)|find|show|` +
		`open|go to|look up|(?:the )?(?:definition|declaration|implementation|source|code) (?:of|for))`
	kindWord = `(?:function|method|class|type|struct|interface|trait|enum|constant|variable|macro|field)`
)

var (
	// beforeQuestion matches a polite beginning.
	beforeQuestion = lazyregexp.New(`(?i)^(?:` +
		strings.Join([]string{greeting, kindly, request, order, wish, wondering, knowing, idea}, "|") + `)+\s*`)
	// afterQuestion matches a polite end.
	afterQuestion = lazyregexp.New(`(?i)(?:` + thanks + `|` + findable + `|` + ifYouCan + `)+[\s.!?]*$`)
	// askedName matches a line that only asks for a name.
	askedName = lazyregexp.New(`(?i)^\s*` + asking +
		`(?: (?:the|a|an|this|our|symbol|called|named|` + kindWord + `))*\s+([^\s?!,;]+?)(?:\(\))?(?: ` + kindWord + `)?` +
		`(?: (?:defined|declared|located|implemented|do|mean|for|come from|at|in the code))*[\s.?!]*$`)
)

// lastWords are the words that a polite end may end with. Most queries end with another word, and afterQuestion, which
// may begin anywhere, takes longer than all else that is done with the text of a query.
var lastWords = wordSet("please pls thanks you thx cheers lot much advance help it them that this can could know mind")

// endsPolitely reports whether afterQuestion may match a line.
func endsPolitely(line string) bool {
	line = strings.TrimRight(line, " \t\r\f.!?")
	at := strings.LastIndexFunc(line, func(r rune) bool { return !unicode.IsLetter(r) })
	return lastWords[strings.ToLower(line[at+1:])]
}

var (
	// politeWords are the words that a polite beginning may begin with, and askingWords those of a line that asks for a
	// name.
	politeWords = wordSet(`hi hello hey ok okay so well sorry please quick question pls kindly could can would will tell
		show explain remind i do does any have`)
	askingWords = wordSet(`where what find show open go look the definition declaration implementation source code`)
)

// firstWord returns the first word of a line in lower case, without what follows an apostrophe.
func firstWord(line string) string {
	line = strings.TrimSpace(line)
	if end := strings.IndexFunc(line, func(r rune) bool { return !unicode.IsLetter(r) }); end >= 0 {
		line = line[:end]
	}
	return strings.ToLower(line)
}

// unwrapped returns a query without what is only said around it. It is what remains of the first line, and the other
// lines. If the line only asks for a name, that is the name.
func unwrapped(text string) string {
	line, rest, more := strings.Cut(text, "\n")
	said := line
	if politeWords[firstWord(line)] {
		if at := beforeQuestion.FindStringIndex(line); at != nil && at[1] < len(line) {
			line = line[at[1]:]
		}
	}
	if endsPolitely(line) {
		if at := afterQuestion.FindStringIndex(line); at != nil && at[0] > 0 {
			line = line[:at[0]]
		}
	}
	if askingWords[firstWord(line)] {
		if m := askedName.FindStringSubmatch(line); m != nil {
			line = m[1]
		}
	}
	if strings.TrimSpace(line) == "" {
		line = said
	}
	if more {
		return line + "\n" + rest
	}
	return line
}
