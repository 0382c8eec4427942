package window

import (
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/internal/display"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
	"ploke-lsp/tools"
	"ploke-lsp/tools/wording"
)

// Rendering turns what is stored into what is sent to a model.
type Rendering struct {
	Tools *tools.Set
	Paths wording.Paths // nil: paths stay as they are

	Results *RenderedResults
}

// Replay returns the messages that were exchanged with the model for the messages of a path, all of which are prepared.
func Replay(path []Message) []llm.Message {
	out := make([]llm.Message, 0, 4*len(path)) // more than most need
	for i := range path {
		out = append(out, path[i].Prepared.Sent...)
	}
	return out
}

// replayAnswer skips calls that could not be stored, since they were never run. A turn that ended
// behind a result ends in words, so that the next message does not look like one that joins it.
func (r Rendering) replayAnswer(m *records.Message) []llm.Message {
	byID := map[string]records.ToolCall{}
	for _, c := range m.Calls {
		byID[c.ID] = c
	}
	var out []llm.Message
	for _, st := range m.Responses {
		var calls []records.ToolCall
		for _, id := range st.Calls {
			if c, stored := byID[id]; stored {
				calls = append(calls, withResult(c))
			}
		}
		var x []llm.Message
		if st.Start < st.End || len(calls) > 0 {
			x = r.Exchange(m.Text[st.Start:st.End], calls)
			x[0].Opaque = st.Opaque
			NoteUnchanged(x, st.Unchanged)
			CutResults(x, st.Cut)
		}
		if len(st.Rules) > 0 {
			x = append(x, NestedRulesMessage(st.Rules))
		}
		if st.Notice != "" {
			x = append(x, llm.Message{Role: llm.System, Text: st.Notice})
		}
		out = append(out, x...)
	}
	answers := slices.ContainsFunc(out, func(m llm.Message) bool { return m.Role == llm.Assistant })
	if !answers || m.StopReason != bus.StopDone && out[len(out)-1].Role != llm.Assistant {
		out = append(out, EmptyAnswer(m))
	}
	return out
}

// withResult adds a failure as the result of a call whose result could not be stored.
func withResult(c records.ToolCall) records.ToolCall {
	if len(c.Content) == 0 {
		lost := records.Failure(bus.CodeError, "the result of the call was lost")
		c.Content, c.Error, c.Code = lost.Content, lost.Error, lost.Code
	}
	return c
}

// Exchange returns one response of the model and the messages that answer it: the
// results in the order of the calls, then a notice of the failed calls.
func (r Rendering) Exchange(text string, ended []records.ToolCall) []llm.Message {
	response := llm.Message{Role: llm.Assistant, Text: text}
	var results []llm.Message
	var failed []string
	for _, c := range ended {
		response.Calls = append(response.Calls, llm.Call{ID: c.CallID, Name: c.Tool, Arguments: c.Arguments})
		text, found := r.rendered(c)
		results = append(results, llm.Message{Role: llm.Tool, Text: text, Content: c.Content,
			CallID: c.CallID, Name: c.Tool, Secrets: c.Secrets, InContent: found})
		if c.Code != "" {
			first, _, _ := strings.Cut(c.Error, "\n") // the result has it all
			failed = append(failed, fmt.Sprintf("Call %s of %s failed (%s): %s", c.CallID, c.Tool, c.Code, first))
		}
	}
	out := append([]llm.Message{response}, results...)
	if len(failed) > 0 {
		out = append(out, llm.Message{Role: llm.System, Text: strings.Join(failed, "\n")})
	}
	return out
}

// UserMessage returns a user's message as it is sent to the model: the code found for
// it, its attachments, the rules for them, then its text.
func (r Rendering) UserMessage(m *records.Message) llm.Message {
	var b strings.Builder
	if m.Found.Text != "" {
		fmt.Fprintf(&b, "Code of the workspace that may matter here:\n\n%s\n\n", strings.TrimSpace(m.Found.Text))
	}
	for _, a := range m.Attachments {
		b.WriteString(r.snippet(a))
	}
	b.WriteString(nestedRulesText(m.Rules))
	b.WriteString(m.Request())
	return llm.Message{Role: llm.User, Text: b.String(), Secrets: m.Secrets()}
}

// snippet returns an attachment as code is shown to a model.
func (r Rendering) snippet(a records.Attachment) string {
	path := a.Path
	if r.Paths != nil {
		path = r.Paths.Rel(path)
	}
	code := wording.NumberedSnippet(path, a.StartLine, a.Text) + "\n\n"
	if a.Cells == nil {
		return code
	}
	lines := "with the line numbers that read_file shows"
	if a.Cells.FirstLine == 0 {
		lines = "as the editor has it, with its own line numbers"
	}
	return fmt.Sprintf("From cell %d of %s, %s:\n\n", a.Cells.Cell, display.Name(path), lines) + code
}

// UserMessages returns a user's message and its notice as they are sent to the model.
func (r Rendering) UserMessages(m *records.Message) []llm.Message {
	messages := []llm.Message{r.UserMessage(m)}
	if m.Notice != "" {
		messages = append(messages, llm.Message{Role: llm.System, Text: m.Notice})
	}
	return messages
}

// EmptyAnswerHead begins the message of [EmptyAnswer].
const EmptyAnswerHead = "(no answer: "

// EmptyAnswer returns the message that stands for an answer without content, or without
// words at its end: some servers require alternating roles.
func EmptyAnswer(m *records.Message) llm.Message {
	return llm.Message{Role: llm.Assistant, Text: fmt.Sprintf("%s%s)", EmptyAnswerHead, m.Status)}
}

// PinnedText returns the text of pinned attachments.
func (r Rendering) PinnedText(all []records.Attachment) string {
	if len(all) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("Attached earlier in this conversation:\n\n")
	for _, a := range all {
		b.WriteString(r.snippet(a))
	}
	return b.String()
}
