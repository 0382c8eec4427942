package embedded

import (
	"fmt"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/inquiries"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// setValue gives a limit or a default another value, in the one line that has it. Where several may be meant, it asks.
type setValue struct {
	lexicon.ValueChange
	otherwise instruction
}

// setValueOf returns the change of a value that a message instructs which is otherwise another instruction; nil if that
// is understood, or the message has no change.
func setValueOf(otherwise instruction, message string) instruction {
	change, ok := lexicon.ValueChangeOf(message)
	if _, isAmount := change.Amount(); !ok || !isAmount || !unclear(otherwise, message) {
		return nil
	}
	return setValue{change, otherwise}
}

func (x setValue) next(p progress) step {
	setting := inquiries.SettingOf(x.ValueChange)
	look, made, calls := lookOf(p, setting)
	if len(calls) > 0 {
		return step{calls: calls}
	}
	found := setting.Having(look, x.ValueChange)
	switch {
	case len(found) == 0:
		p.results = p.results[made:] // what follows makes its own calls
		return x.otherwise.next(p)
	case len(found) > 1 || !found[0].Sole && x.From == "":
		return answerWith(look.AskWhich(found))
	case secretFile.MatchString(found[0].File):
		return refuseSecret(found[0].File)
	case len(p.of("apply_code_edit")) == 0:
		edit := args{"mode": "replace", "file": found[0].File, "line": found[0].Line, "old": found[0].Text,
			"new": found[0].Changed}
		return step{calls: []llm.Call{callTool("apply_code_edit", args{"edits": []args{edit}, "reason": "set " +
			"" + found[0].Name +
			" to " + x.To})}}
	}
	return p.staged(fmt.Sprintf("set %s to %s", results.Code(found[0].Name), results.Code(x.To)),
		p.of("apply_code_edit")[0],
		"The line was found by its names. What tests and documentation say of the old value stays as it is.\n")
}
