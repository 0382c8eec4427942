package window

import (
	"slices"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
	"ploke-lsp/session/redact"
)

// Prepared has what each turn needs of a message of its past, so that a turn does not cost more
// the longer its conversation is. It is made once.
type Prepared struct {
	Sent         []llm.Message // as they are sent to the model, without the JSON of results; see [Cache.trim]
	Results      Results       // of the calls of an answer, in the order of sent
	Secrets      []string      // of the files that a user's message shows
	Placeholders []string      // in the calls of an answer
	proposed     string        // the proposal that the last staging call of an answer has staged or amended
}

// Message is a message of the past of a turn, with what was prepared of it.
type Message struct {
	records.Message
	Prepared *Prepared
}

// Secrets returns the secrets of the files that a user's message shows.
func (m *Message) Secrets() []string { return m.Prepared.Secrets }

// prepare prepares a message, and lets go of what only that was made from.
func (r Rendering) prepare(m *records.Message) Message {
	p := &Prepared{proposed: m.ProposedLast()}
	if m.Role == llm.User {
		p.Secrets = slices.Clip(m.Secrets())
		p.Sent = slices.Clip(r.UserMessages(m))
	} else {
		p.Sent = slices.Clip(r.replayAnswer(m))
		p.Results = ResultsOf(m.Calls, p.Sent)
	}
	for i := range p.Sent {
		p.Sent[i].Content = nil
	}
	for _, c := range m.Calls {
		p.Placeholders = append(p.Placeholders, redact.Placeholders(string(c.Arguments))...)
	}
	m.Calls = nil
	return Message{*m, p}
}

func (r Rendering) prepareAll(messages []records.Message) []Message {
	prepared := make([]Message, len(messages))
	for i := range messages {
		prepared[i] = r.prepare(&messages[i])
	}
	return prepared
}

// Results are those of a list of messages, in its order. A message that is not a result has nil.
type Results []*Result

// At returns the result of a message, or nil.
func (r Results) At(i int) *Result {
	if r == nil { // no message is one
		return nil
	}
	return r[i]
}

// ResultsOf returns the results of calls in the messages that are sent of them.
func ResultsOf(calls []records.ToolCall, sent []llm.Message) Results {
	if len(calls) == 0 {
		return nil
	}
	summaries := make(map[string]string, len(calls))
	for _, c := range calls {
		summaries[c.CallID] = c.Summary
	}
	all := make(Results, len(sent))
	for i := range sent {
		if m := &sent[i]; m.Role == llm.Tool {
			all[i] = NewResult(m, summaries[m.CallID])
		}
	}
	return all
}

// trim lets go of the texts of the shortened results.
func (p *Prepared) trim(shortened map[string]bool) {
	for i := range p.Sent {
		if m := &p.Sent[i]; shortened[m.CallID] && p.Results.At(i).trim() {
			m.Text = ""
		}
	}
}

// trim lets go of what only a message that is sent needs.
func (m *Message) trim() {
	p := m.Prepared
	if m.Role == llm.User {
		m.Found, m.Rules, m.Files = records.FoundCode{}, nil, nil
	} else {
		m.Text, m.Responses = "", nil
	}
	p.Results = nil
	if !p.tells() {
		p.Sent = nil
		return
	}
	for i := range p.Sent {
		p.Sent[i].Text, p.Sent[i].Opaque = "", nil
	}
}
