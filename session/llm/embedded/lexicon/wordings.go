package lexicon

import "ploke-lsp/internal/lazyregexp"

// Wordings are further wordings of what everybody asks, which others would take for something else. They are tried
// first.
var Wordings = []Question{
	NewQuestion("entry points", `what (?:can|may|could|do) (?:i|we|you|one) (?:import|require|include)(?: and`+
		` use)? from `+
		`(?:this|the|your) (?:package|library|module|project|crate|gem)(?:[?.,;:]+ .*)?`),
	NewQuestion("version", `(?:what|which) version of (?:it|this|\S+) (?:is|do|have|am|did) (?:this|that|it|i|we|here)`+
		`(?: (?:the|my|checkout|check-out|repo|repository|project|clone|code|source|sources|tree|folder|directory|package|`+
		`have|got|looking|working|at|with|in|on|copy|checked|cloned|out|here))*|(?:what|which) version (?:is|of the) `+
		`(?:this|the|my) (?:checkout|clone|copy|tree|working copy|source tree)`),
	NewQuestion("largest", `(?:LIST)(?:(?:what|which|the|are|is|\d+|top|five|ten|three) )*(?:largest|biggest`+
		`|longest|hugest) `+
		`(?:[\w+#]+ )?(?:source |code )?(?:files?|modules?)(?: .*)?`),
	NewQuestion("imports", `(?:what|which) (?:source |header |other |c |code )*(?:files?|headers?|modules?`+
		`|sources?) (?:do |does )?`+
		`(?:#?includes?|imports?|pulls? in|requires?) (?:the )?(?:file |header |module )?("[^"]+"|'[^']+'|<[^>]+>`+
		`|[\w./@:-]+)`),
	NewQuestion("commits of", `who (?:has |had )?(?:changed|modified|touched|updated|edited|committed to) (?:the`+
		` )?(?:file |folder `+
		`|function |class |method )?(.+?),? (?:the )?(?:last|most recent|latest) time(?:,? and why| and when)*`),
}

// AsksMechanism reports whether a message asks how something works in a case that it describes: words in the case are
// not what is asked for.
func AsksMechanism(message string) bool { return mechanism.MatchString(Plain(message)) }

var mechanism = lazyregexp.New(`(?i)^how (?:does|do|will|would|is|are) .*\b(?:find|resolve|load|locate|look up` +
	`|search|decide|choose|` +
	`know|pick|select|determine|recogni[sz]e)s?\b.*\b(?:when|if|for|in) (?:i|you|we|one|an?|the|it) .*`)

// AsksForCallers reports whether a message in another language asks who calls something.
func AsksForCallers(message string) bool { return callsIt.MatchString(message) }

var callsIt = lazyregexp.New(`(?i)\bruf(?:t|en)\b.*\bauf\b|\bwird\b.*\b(?:aufgerufen|gerufen)\b|\bqui appelle` +
	`|\bappellent\b|\bappelée?s? par\b|` +
	`\b(?:qui[eé]n|qu[eé] \w+) llaman?\b|\bllaman? a\b|\bse llama\b.*\bdesde\b|调用了?|呼び出(?:す|し` +
	`|さ)|呼んで`)
