package embedded

import (
	"fmt"
	"slices"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// talk is a message that is about no code.
type talk struct{ kind string }

// parseTalk returns what a message is about that is about no code, or about the project as a whole.
func parseTalk(message string) (instruction, bool) {
	switch kind := lexicon.TalkOf(message); kind {
	case "":
		return nil, false
	case "overview":
		return overview{}, true
	default:
		return talk{kind}, true
	}
}

func (x talk) next(p progress) step {
	switch x.kind {
	case "greeting":
		return answerWith("Hello. Ask me about the code of this workspace, for example:\n\n" + lexicon.Examples)
	case "thanks":
		return answerWith("You're welcome. Ask on whenever you like.\n")
	case "chat":
		return answerWith("I can't chat: I am the embedded model, which works by rules and is not a language model. " +
			lexicon.Abilities + lexicon.Configure)
	case "which one":
		return answerWith("Which one do you mean? Select the code in your editor and ask again, or name it: `explain " +
			"NAME`, or `explain FILE:LINE`.\n")
	case "undo":
		return p.undo()
	case "judge":
		return answerWith("I can't judge that, and no file speaks of it: I am the embedded model, which works by rules.\n" +
			howToGoOn)
	case "setup":
		return answerWith(lexicon.Setup)
	case "self":
		return answerWith("I am ploke's embedded model. I work by rules on the index of this workspace, need no key and " +
			"no network, and am not a language model.\n\n" + lexicon.Configure)
	}
	return answerWith("I am the embedded model, which works by rules and is not a language model. " + lexicon.Abilities +
		lexicon.Configure)
}

// undo says what waits and what was accepted, and how each is taken back. It takes nothing back itself: which one is
// meant, a person decides who sees it.
func (p progress) undo() step {
	facts := p.facts("proposals")
	if len(facts) == 0 {
		return step{calls: []llm.Call{callTool("project_facts", args{"about": "proposals", "limit": shownProposals})}}
	}
	found := results.Decode[results.ProjectFacts](&facts[0])
	if !facts[0].OK {
		return p.failed("I could not look for proposals", facts[0])
	}
	text := "I did not take anything back: you decide that where you see it.\n\n"
	for _, of := range []struct{ state, one, several string }{
		{"waiting", "One proposal waits, and nothing of it is written. This rejects it",
			"%d proposals wait, and nothing of them is written. The newest first, and what rejects it"},
		{"accepted", "One proposal was accepted. This takes it back",
			"%d proposals were accepted. The newest first, and what takes it back"}} {
		list, n := "", 0
		for _, w := range found.Proposals {
			if w.State == of.state {
				list += fmt.Sprintf("- %s — %s\n", lexicon.PlainText(w.Title), results.Code(w.Back))
				n++
			}
		}
		switch {
		case n == 1:
			text += of.one + ":\n\n" + list + "\n"
		case n > 1:
			text += fmt.Sprintf(of.several, n) + ":\n\n" + list + "\n"
		}
	}
	if len(found.Proposals) == 0 {
		text = "I found nothing to take back: no proposal waits here, and none was accepted that can be undone.\n"
	}
	return answerWith(text)
}

const shownProposals = 20

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
	if found := results.Decode[results.SearchResult](&searches[0]).Results; searches[0].OK && p.sure(found) {
		text += "\nThe nearest places are:\n\n" + p.First(found, nearest)
	}
	return answerWith(text)
}

// namesCode reports whether a message has a word by which code may be found, next to what is to be done.
func (x refusal) namesCode(message string) bool {
	return slices.ContainsFunc(lexicon.Asked(message), func(w string) bool { return !lexicon.Weak[w] && w != x.verb })
}
