package embedded

import (
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/lexicon"
)

// talk is a message that is about no code.
type talk struct{ kind string }

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

func parseTalk(message string) (instruction, bool) {
	for _, t := range talks {
		if t.pattern.MatchString(message) {
			if t.kind == "overview" {
				return overview{}, true
			}
			return talk{t.kind}, true
		}
	}
	return nil, false
}

func (x talk) next(progress) step {
	switch x.kind {
	case "greeting":
		return answerWith("Hello. Ask me about the code of this workspace, for example:\n\n" + examples)
	case "thanks":
		return answerWith("You're welcome. Ask on whenever you like.\n")
	case "chat":
		return answerWith("I can't chat: I am the embedded model, which works by rules and is not a language model. " +
			abilities + configure)
	case "which one":
		return answerWith("Which one do you mean? Select the code in your editor and ask again, or name it: `explain " +
			"NAME`, or `explain FILE:LINE`.\n")
	case "undo":
		return answerWith("I can't take a change back in words. A proposal that still waits is rejected where you review " +
			"it, or by `ploke-lsp proposals reject`. " +
			"One that you have accepted is taken back by `ploke-lsp proposals undo`; `ploke-lsp proposals` lists both.\n")
	case "judge":
		return answerWith("I can't judge that, and no file speaks of it: I am the embedded model, which works by rules.\n" +
			howToGoOn)
	case "setup":
		return answerWith(configure)
	case "self":
		return answerWith("I am ploke's embedded model. I work by rules on the index of this workspace, need no key and " +
			"no network, and am not a language model.\n\n" + configure)
	}
	return answerWith("I am the embedded model, which works by rules and is not a language model. " + abilities +
		configure)
}

const examples = "- `what is this project?`\n- `where is NAME defined?`\n- `who calls NAME?`\n- `rename OLD to " +
	"NEW`\n\n" +
	"`help` lists everything that I understand.\n"

const abilities = "What I can do:\n\n" +
	"- `what is this project?`: the README's beginning, folders and entry points\n" +
	"- `where is NAME defined?`, `explain NAME`, `explain FILE:LINE`: a symbol with its documentation\n" +
	"- `who calls NAME?`, `where is NAME used?`, `what does NAME call?`, `what implements NAME?`, `what tests NAME?`\n" +
	"- `how do I build it?` (or run, test, lint), its license, version, dependencies, scripts, features and entry " +
	"points, TODOs\n" +
	"- `what changed recently?`, `who wrote FILE?`, `uncommitted changes`, `lines of code`, `unused symbols`\n" +
	"- `grep \"TEXT\"`, `what imports NAME?`, `outline of FILE`, `what is in FOLDER/`, `exported symbols of PACKAGE`, " +
	"`largest files`, `longest functions`\n" +
	"- a diff, as in `git diff | ploke-lsp ask \"review this\"` or `/review`: what it changes, who uses that, and which " +
	"tests name it\n" +
	"- any other question about the code: I search, and quote the best places\n" +
	"- `rename OLD to NEW`: OLD may be qualified, as in `Server.Run`; NEW must be free\n" +
	"- `replace \"OLD TEXT\" with \"NEW TEXT\" in FILE`, `in the folder FOLDER`, or `in comments`\n" +
	"- `delete NAME`, `move NAME to FILE`: a symbol, with a list of what uses it\n" +
	"- `rename OLD-FILE to NEW-FILE`, `move FILE to FOLDER/`: with the imports that it breaks\n" +
	"- `add a doc comment to NAME: TEXT`\n" +
	"- `create FILE with \"TEXT\"`, or with a fenced block\n\n" +
	"NAME may be `Run`, `Server.Run` or `Server::Run`. What I change is a proposal until you accept it.\n\n"

const configure = "I can't write, review or judge code, and I can't talk about other things. For that, set up a " +
	"language model, in one of three ways:\n\n" +
	"- Run `ploke-lsp setup` in a terminal: it finds a model on your machine, or a key, shows what it would write, and " +
	"asks.\n" +
	"- Set three variables in the environment of your editor or shell, and restart it: PLOKE_BASE_URL (any " +
	"OpenAI-compatible endpoint, ending in /v1), PLOKE_API_KEY (its key, if it needs one) and PLOKE_MODEL (the " +
	"model's name there).\n" +
	"- Write `~/.config/ploke-lsp/config.toml`. It counts from the next message on. For a model of a local Ollama:\n\n" +
	"```toml\nmodel = \"home/qwen3\"\n\n[providers.home]\ntype = \"ollama\"\n```\n\n" +
	"`ploke-lsp doctor` shows where your settings file belongs, and tries the model. `docs/settings.md` of ploke-lsp " +
	"lists every setting.\n"

// refusal refuses a message. The first one of a conversation says where the code is that it may be about.
type refusal struct{ verb string }

// howToGoOn ends a refusal.
const howToGoOn = "`help` says what I can do, and `ploke-lsp setup` sets up a language model.\n"

func (x refusal) next(p progress) step {
	what := "I can't do that"
	switch x.verb {
	case "document", "comment":
		what = "I can't write documentation, but I place it, as in `add a doc comment to NAME: TEXT`"
	case "rename", "replace", "create", "move", "delete", "remove":
		what = "I did not understand exactly what to " + x.verb + ", so I changed nothing"
	}
	text := what + ": I am the embedded model, which works by rules and is not a language model.\n" + howToGoOn
	searches := p.of("request_code_context")
	switch {
	case p.refused || !x.namesCode(p.message):
		return answerWith(text)
	case len(searches) == 0:
		return step{calls: []llm.Call{callTool("request_code_context", args{"token_budget": contextTokens})}}
	}
	if found := decode[searchResult](&searches[0]).Results; searches[0].OK && p.sure(found) {
		text += "\nThe nearest places are:\n\n"
		for _, s := range found[:min(nearest, len(found))] {
			text += p.listed(s)
		}
	}
	return answerWith(text)
}

// namesCode reports whether a message has a word by which code may be found, next to what is to be done.
func (x refusal) namesCode(message string) bool {
	return slices.ContainsFunc(lexicon.Asked(message), func(w string) bool { return !lexicon.Weak[w] && w != x.verb })
}
