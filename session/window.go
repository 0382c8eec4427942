package session

import (
	"cmp"
	"fmt"
	"strings"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
)

// answerShare is the part of a model's window that is left for its answer, where
// the length of its longest one is not known.
const answerShare = 4

// replay turns stored messages into what was sent to and came from the model.
func replay(path []Message) []llm.Message {
	var out []llm.Message
	for i := range path {
		m := &path[i]
		if m.Role == llm.User {
			out = append(out, spoken(m)...)
		} else {
			out = append(out, replayAnswer(m)...)
		}
	}
	return out
}

// replayAnswer leaves out calls that could not be stored: they were not run.
func replayAnswer(m *Message) []llm.Message {
	byID := map[string]ToolCall{}
	for _, c := range m.Calls {
		byID[c.ID] = c
	}
	var out []llm.Message
	for _, st := range m.steps {
		var records []ToolCall
		for _, id := range st.Calls {
			if c, stored := byID[id]; stored {
				records = append(records, withResult(c))
			}
		}
		if st.Start == st.End && len(records) == 0 {
			continue
		}
		x := exchange(m.Text[st.Start:st.End], records)
		x[0].Opaque = st.Opaque
		if st.Notice != "" {
			x = append(x, llm.Message{Role: llm.System, Text: st.Notice})
		}
		out = append(out, x...)
	}
	if len(out) == 0 {
		return []llm.Message{noAnswer(m)}
	}
	return out
}

// withResult gives a call whose result could not be stored one that says so.
func withResult(c ToolCall) ToolCall {
	if len(c.Content) == 0 {
		lost := failure(bus.CodeError, "the result of the call was lost")
		c.Content, c.Error, c.Code = lost.Content, lost.Error, lost.Code
	}
	return c
}

// exchange is one response of the model and what answers it: the results in the
// order of the calls, and after them a notice of those that failed.
func exchange(text string, records []ToolCall) []llm.Message {
	response := llm.Message{Role: llm.Assistant, Text: text}
	var results []llm.Message
	var failed []string
	for _, c := range records {
		response.Calls = append(response.Calls, llm.Call{ID: c.CallID, Name: c.Tool, Arguments: c.Arguments})
		results = append(results, llm.Message{Role: llm.Tool, Text: string(c.Content), CallID: c.CallID, Name: c.Tool})
		if c.Code != "" {
			failed = append(failed, fmt.Sprintf("Call %s of %s failed (%s): %s", c.CallID, c.Tool, c.Code, c.Error))
		}
	}
	out := append([]llm.Message{response}, results...)
	if len(failed) > 0 {
		out = append(out, llm.Message{Role: llm.System, Text: strings.Join(failed, "\n")})
	}
	return out
}

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

// calibrate learns from what the provider has counted in the last request.
func (s *requestSession) calibrate(u llm.Usage) {
	if scale := scaleOf(u.In, s.counter().raw(s.messages, s.tools)); scale > 0 {
		s.scales[modelName(s.model)] = scale
		s.answer.scale = scale
	}
}

// calibrated returns what providers have counted on a path, by the model's name.
func calibrated(path []Message) map[string]float64 {
	scales := map[string]float64{}
	for _, m := range path {
		if m.scale > 0 {
			scales[m.Model] = m.scale
		}
	}
	return scales
}
