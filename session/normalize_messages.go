package session

import (
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
)

// normalizeMessages returns messages in the form that providers require: each call
// has exactly one result, right after the response that made it, in the order of the
// calls. A missing result is replaced by a failure, and a result without a call is
// removed. Messages in that form are returned unchanged.
func normalizeMessages(messages []llm.Message) []llm.Message {
	out := make([]llm.Message, 0, len(messages))
	for i := 0; i < len(messages); {
		m := messages[i]
		end := i + 1
		for end < len(messages) && messages[end].Role != llm.User && messages[end].Role != llm.Assistant {
			end++
		}
		if m.Role != llm.Tool {
			out = append(out, m)
		}
		answers := messages[i+1 : end]
		for _, c := range m.Calls {
			out = append(out, resultOf(c, answers))
		}
		for _, a := range answers {
			if a.Role != llm.Tool {
				out = append(out, a)
			}
		}
		i = end
	}
	return out
}

// resultOf returns the first result that answers c, or a failure.
func resultOf(c llm.Call, results []llm.Message) llm.Message {
	for _, r := range results {
		if r.Role == llm.Tool && r.CallID == c.ID {
			return r
		}
	}
	lost := failure(bus.CodeCancelled, "the call has no result: it was interrupted")
	return llm.Message{Role: llm.Tool, Text: string(lost.Content), CallID: c.ID, Name: c.Name}
}
