package embedded

import (
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// placeOfEdit matches the number of an edit before what is wrong with it.
var placeOfEdit = lazyregexp.New(`^edits\[\d+\]: `)

// failed reports the error of a tool.
func (p progress) failed(what string, r results.ToolResult) step { return failed(p.Folders, what, r) }

func failed(f results.Folders, what string, r results.ToolResult) step {
	text := what + ": " + placeOfEdit.ReplaceAllString(strings.TrimSuffix(r.Error, "; nothing was staged"), "") + "."
	if r.Hint != "" && !lexicon.ForModels.MatchString(r.Hint) {
		text += " Hint: " + r.Hint + "."
	}
	return answerWith(text + "\n" + f.Near(r.Candidates))
}
