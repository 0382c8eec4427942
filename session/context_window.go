package session

import (
	"cmp"

	"ploke-lsp/session/llm"
)

// answerShare is the part of a model's window that is left for its answer, where
// the length of its longest one is not known.
const answerShare = 4

// contextTokens is the size of the model's window.
func (s *requestSession) contextTokens() int {
	return cmp.Or(s.model.ContextTokens, s.limits.ContextTokens)
}

// answerTokens is how much of the window is left for the answer.
func (s *requestSession) answerTokens() int {
	size := s.contextTokens()
	if s.model.AnswerTokens == 0 {
		return size / answerShare
	}
	return min(s.model.AnswerTokens, size/2)
}

// window is how many tokens a request may have.
func (s *requestSession) window() int { return s.contextTokens() - s.answerTokens() }

func (s *requestSession) counter() counter { return newCounter(s.model, s.scales[modelName(s.model)]) }

// size is how many tokens the next request has.
func (s *requestSession) size() int { return s.counter().request(s.messages, s.tools) }

// learnScale learns from what the provider has counted in the last request.
func (s *requestSession) learnScale(u llm.Usage) {
	if scale := scaleOf(u.In, s.counter().raw(s.messages, s.tools)); scale > 0 {
		s.scales[modelName(s.model)] = scale
		s.answer.scale = scale
	}
}

// scalesOf returns what providers have counted on a path, by the model's name.
func scalesOf(path []Message) map[string]float64 {
	scales := map[string]float64{}
	for _, m := range path {
		if m.scale > 0 {
			scales[m.Model] = m.scale
		}
	}
	return scales
}
