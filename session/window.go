package session

import (
	"fmt"
	"strings"

	"ploke-lsp/session/llm"
)

const (
	bytesPerToken = 4 // an estimate
	answerShare   = 4 // a quarter of the window is left for the answer and its tools
)

// exchanged is a run of messages that stay or go together: a user's message, or
// a response with the results of its calls.
type exchanged []llm.Message

// replay turns stored messages into what was sent to and came from the model.
func replay(path []Message) []exchanged {
	var out []exchanged
	for i := range path {
		m := &path[i]
		if m.Role == llm.User {
			out = append(out, spoken(m))
		} else {
			out = append(out, replayAnswer(m)...)
		}
	}
	return out
}

func replayAnswer(m *Message) []exchanged {
	if len(m.steps) == 0 {
		return []exchanged{{noAnswer(m)}}
	}
	byID := map[string]ToolCall{}
	for _, c := range m.Calls {
		byID[c.ID] = c
	}
	var out []exchanged
	for _, st := range m.steps {
		var records []ToolCall
		for _, id := range st.Calls {
			records = append(records, byID[id])
		}
		x := exchange(m.Text[st.Start:st.End], records)
		x[0].Opaque = st.Opaque
		if st.Notice != "" {
			x = append(x, llm.Message{Role: llm.System, Text: st.Notice})
		}
		out = append(out, x)
	}
	return out
}

// exchange is one response of the model and what answers it: the results in the
// order of the calls, and after them a notice of those that failed.
func exchange(text string, records []ToolCall) exchanged {
	response := llm.Message{Role: llm.Assistant, Text: text}
	var results exchanged
	var failed []string
	for _, c := range records {
		response.Calls = append(response.Calls, llm.Call{ID: c.CallID, Name: c.Tool, Arguments: c.Arguments})
		results = append(results, llm.Message{Role: llm.Tool, Text: string(c.Content), CallID: c.CallID, Name: c.Tool})
		if c.Code != "" {
			failed = append(failed, fmt.Sprintf("Call %s of %s failed (%s): %s", c.CallID, c.Tool, c.Code, c.Error))
		}
	}
	out := append(exchanged{response}, results...)
	if len(failed) > 0 {
		out = append(out, llm.Message{Role: llm.System, Text: strings.Join(failed, "\n")})
	}
	return out
}

// window is how many tokens a request may have.
func (s *requestSession) window() int {
	size := s.model.ContextTokens
	if size == 0 {
		size = s.limits.ContextTokens
	}
	return size - size/answerShare
}

// fit returns the newest part of past that fits into room tokens and begins
// with a user's message, and how many messages were left out.
func fit(past []exchanged, room int) (kept []llm.Message, dropped int) {
	from := len(past)
	for i := len(past) - 1; i >= 0; i-- {
		if room -= estimate(past[i]...); room < 0 {
			break
		}
		if past[i][0].Role == llm.User {
			from = i
		}
	}
	for i, x := range past {
		if i < from {
			dropped += len(x)
		} else {
			kept = append(kept, x...)
		}
	}
	return kept, dropped
}

// estimate guesses the tokens of messages.
func estimate(messages ...llm.Message) int {
	const overhead = 4 // of a message, beside its text
	n := 0
	for _, m := range messages {
		size := len(m.Text)
		for _, c := range m.Calls {
			size += len(c.Name) + len(c.Arguments)
		}
		n += size/bytesPerToken + overhead
	}
	return n
}

func specTokens(specs []llm.ToolSpec) int {
	n := 0
	for _, t := range specs {
		n += len(t.Name) + len(t.Description) + len(t.Schema)
	}
	return n / bytesPerToken
}
