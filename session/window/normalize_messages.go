package window

import (
	"slices"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
	"ploke-lsp/tools"
)

// NormalizeMessages returns messages in the form that providers require: each call
// has exactly one result, right after the response that made it, in the order of the
// calls. A missing result is replaced by a failure, and a result without a call is
// removed. The result is a copy.
func NormalizeMessages(messages []llm.Message) []llm.Message {
	if Normal(messages) {
		return slices.Clone(messages)
	}
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
		results := resultsIn(answers)
		for _, c := range m.Calls {
			out = append(out, resultOf(c, results))
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

// Normal reports whether messages have the form that providers require.
func Normal(messages []llm.Message) bool {
	var open []llm.Call // without a result so far
	for i := range messages {
		m := &messages[i]
		switch {
		case m.Role == llm.Tool:
			if len(open) == 0 || open[0].ID != m.CallID {
				return false
			}
			open = open[1:]
		case len(open) > 0:
			return false
		default:
			open = m.Calls
		}
	}
	return len(open) == 0
}

// resultsIn returns the first result of each call, by the call's id.
func resultsIn(messages []llm.Message) map[string]llm.Message {
	results := make(map[string]llm.Message, len(messages))
	for _, m := range messages {
		if _, known := results[m.CallID]; m.Role == llm.Tool && !known {
			results[m.CallID] = m
		}
	}
	return results
}

// resultOf returns the result that answers c, or a failure.
func resultOf(c llm.Call, results map[string]llm.Message) llm.Message {
	if r, ok := results[c.ID]; ok {
		return r
	}
	lost := records.Failure(bus.CodeCancelled, "the call has no result: it was interrupted")
	return llm.Message{Role: llm.Tool, Text: tools.NewSet().Text(c.Name, lost.Content), Content: lost.Content,
		CallID: c.ID, Name: c.Name}
}
