package session

import (
	"cmp"

	"ploke-lsp/session/llm"
	"ploke-lsp/tools"
)

// turnSetup is what a turn runs with.
type turnSetup struct {
	model    llm.Model
	fallback string     // the model to use when model is overloaded
	set      *tools.Set // that the turn may call; the same in all of its requests
	limits   Limits

	reportedTokens int // window of the model before anything was learned of it; 0: unknown
}

// contextTokens returns the size of the model's window in tokens.
func (u *turnSetup) contextTokens() int {
	return cmp.Or(u.model.ContextTokens, u.limits.ContextTokens, llm.LikelyContextTokens(u.model))
}

// answerTokens returns the part of the window that is left for the answer.
func (u *turnSetup) answerTokens() int {
	size := u.contextTokens()
	if u.model.AnswerTokens == 0 {
		return size / answerShare
	}
	return min(u.model.AnswerTokens, size/answerShare) // as [llm.Model.Request] asks for
}

// window returns the maximum number of tokens of a request.
func (u *turnSetup) window() int { return u.contextTokens() - u.answerTokens() }

// described returns the tools that can do something now; none if the model can't call any.
func (u *turnSetup) described() (specs []llm.ToolSpec) {
	if !u.callsTools() {
		return nil
	}
	for _, t := range u.set.All() {
		if t.Offered == nil || t.Offered() {
			specs = append(specs, llm.ToolSpec{Name: t.Name, Description: t.Description, Schema: t.Schema()})
		}
	}
	return specs
}

// callsTools reports whether the model can call tools.
func (u *turnSetup) callsTools() bool {
	return u.model.Capabilities == nil || u.model.Capabilities.Tools
}

// rulesBytes returns the maximum size of the rules. It depends on nothing that a server reports
// during a conversation, so that each turn sends the same bytes of them.
func (u *turnSetup) rulesBytes() int {
	return u.contextTokens() / rulesShare * rulesBytesPerToken
}

// followsRules reports whether the model can follow rules. One that searches by itself can't.
func (u *turnSetup) followsRules() bool { return !u.model.FindsContext }

// remote reports whether the model runs outside of this process.
func (u *turnSetup) remote() bool {
	_, remote := u.model.Provider.(llm.Remote)
	return remote
}
