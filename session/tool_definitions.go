package session

import (
	"slices"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
	"ploke-lsp/session/window"
	"ploke-lsp/tools"
)

const (
	// definitionShare is the fraction of a model's window, 1/definitionShare, that the definitions of tools may take, in
	// tokens of OpenAI's o200k vocabulary: the same in each turn, whatever a server has reported.
	definitionShare = 6
	// smallWindow is the size of a window, in tokens, up to which a result may have to be cut soon, so
	// that it is always said how to get the rest of one.
	smallWindow = 32_768
)

// definitions are the tools that the requests of a turn describe. They are chosen when it begins, so that each request
// begins with the one before it.
type definitions struct {
	chosen []llm.ToolSpec
	recall bool // a result can be recalled from the first request on, or from a request on that repeats nothing
}

// chooseTools chooses the tools that the turn's requests describe: those that can do something now,
// as far as the window has room for them. A call of another one runs like any other.
func (v *modelView) chooseTools(c records.Compaction) {
	size := v.setup.contextTokens()
	d := &v.definitions
	*d = definitions{chosen: v.setup.described(), recall: size <= smallWindow || len(c.Shortened) > 0 ||
		v.frame.past.Cut}
	left := size / definitionShare
	for i := range d.chosen {
		if d.chosen[i].Name != tools.RecallToolResult || d.recall {
			left -= definitionTokens(&d.chosen[i])
		}
	}
	for _, name := range v.setup.set.Spared() {
		if left >= 0 {
			break
		}
		d.chosen = slices.DeleteFunc(d.chosen, func(t llm.ToolSpec) bool {
			if t.Name != name {
				return false
			}
			left += definitionTokens(&t)
			return true
		})
	}
}

func definitionTokens(t *llm.ToolSpec) int {
	return window.TokenCounts.Count(t.Name) + window.TokenCounts.Count(t.Description) +
		window.TokenCounts.Count(string(t.Schema))
}

// definitionsUnder returns the tools that requests describe under a compaction. A result can be recalled only after
// one was shortened, or where one may be soon.
func (v *modelView) definitionsUnder(c records.Compaction) (specs []llm.ToolSpec) {
	for _, t := range v.definitions.chosen {
		if t.Name != tools.RecallToolResult || v.definitions.recall || len(c.Shortened) > 0 {
			specs = append(specs, t)
		}
	}
	return specs
}
