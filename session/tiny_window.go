package session

import (
	"fmt"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/window"
)

const (
	// leastRoom is how many tokens a request must have for the conversation, beside the system text and the tools.
	leastRoom = 600
	// usefulWindow is the size of a window, in tokens, below which a model sees only small pieces of files at once.
	usefulWindow = 8000
)

// checkWindow ends the turn if the model's window has no room for a conversation, and warns the person at the beginning
// of one if there is little.
func (s *requestSession) checkWindow() error {
	size := s.contextTokens()
	if !s.remote() || size >= usefulWindow {
		return nil
	}
	counter := window.NewCounter(s.setup.model, 0)
	takes := counter.Scaled(counter.Message(&llm.Message{}, s.view.messages[0].Text) + counter.Tools(s.view.tools))
	if s.window()-takes < leastRoom {
		return &limitError{bus.ErrorContext, fmt.Sprintf("the window of %s has %d tokens, but the instructions and tools alone take %d and an answer %d: start its server with a larger window, "+
			"at least %d tokens, or choose another model; if its window is larger, say so in providers.*.models.*.contextTokens", modelName(s.setup.model), size, takes, s.answerTokens(), usefulWindow)}
	}
	if len(s.view.frame.past.Messages) == 0 {
		s.notice(fmt.Sprintf("the window of %s has %d tokens, so it sees only small pieces of files at once: start its server with a larger window, at least %d tokens, or choose another model",
			modelName(s.setup.model), size, usefulWindow))
	}
	return nil
}
