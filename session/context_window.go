package session

import (
	"cmp"

	"ploke-lsp/session/llm"
)

// answerShare is the fraction of a model's window, 1/answerShare, that is left for
// the answer if its maximum length is unknown.
const answerShare = 4

// contextTokens returns the size of the model's window in tokens.
func (s *requestSession) contextTokens() int {
	return cmp.Or(s.model.ContextTokens, s.limits.ContextTokens)
}

// answerTokens returns the part of the window that is left for the answer.
func (s *requestSession) answerTokens() int {
	size := s.contextTokens()
	if s.model.AnswerTokens == 0 {
		return size / answerShare
	}
	return min(s.model.AnswerTokens, size/2)
}

// window returns the maximum number of tokens of a request.
func (s *requestSession) window() int { return s.contextTokens() - s.answerTokens() }

func (s *requestSession) counter() counter { return newCounter(s.model, s.scales[modelName(s.model)]) }

// size returns the number of tokens of the next request.
func (s *requestSession) size() int { return s.counter().request(s.messages, s.tools) }

// learnScale corrects the token counter by the usage that the provider reported for
// the last request.
func (s *requestSession) learnScale(u llm.Usage) {
	if scale := scaleOf(u.In, s.counter().raw(s.messages, s.tools)); scale > 0 {
		s.scales[modelName(s.model)] = scale
		s.answer.scale = scale
	}
}

// scalesOf returns the last scale of each model on a path, by the model's name.
func scalesOf(path []Message) map[string]float64 {
	scales := map[string]float64{}
	for _, m := range path {
		if m.scale > 0 {
			scales[m.Model] = m.scale
		}
	}
	return scales
}
