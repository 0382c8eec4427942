package session

import (
	"slices"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
	"ploke-lsp/session/redact"
)

// preparedMessage has what each turn needs of a message of its past, so that a turn does not cost more
// the longer its conversation is. It is made once.
type preparedMessage struct {
	sent         []llm.Message // as they are sent to the model, without the JSON of results; see [messageCache.trim]
	results      results       // of the calls of an answer, in the order of sent
	secrets      []string      // of the files that a user's message shows
	placeholders []string      // in the calls of an answer
	proposed     string        // the proposal that the last staging call of an answer has staged or amended
}

// pastMessage is a message of the past of a turn, with what was prepared of it.
type pastMessage struct {
	records.Message
	prepared *preparedMessage
}

// secrets returns the secrets of the files that a user's message shows.
func (m *pastMessage) secrets() []string { return m.prepared.secrets }

// prepare prepares a message, and lets go of what only that was made from.
func (r rendering) prepare(m *records.Message) pastMessage {
	p := &preparedMessage{proposed: m.ProposedLast()}
	if m.Role == llm.User {
		p.secrets = slices.Clip(m.Secrets())
		p.sent = slices.Clip(r.userMessages(m))
	} else {
		p.sent = slices.Clip(r.replayAnswer(m))
		p.results = resultsOf(m.Calls, p.sent)
	}
	for i := range p.sent {
		p.sent[i].Content = nil
	}
	for _, c := range m.Calls {
		p.placeholders = append(p.placeholders, redact.Placeholders(string(c.Arguments))...)
	}
	m.Calls = nil
	return pastMessage{*m, p}
}

func (r rendering) prepareAll(messages []records.Message) []pastMessage {
	prepared := make([]pastMessage, len(messages))
	for i := range messages {
		prepared[i] = r.prepare(&messages[i])
	}
	return prepared
}

// results are those of a list of messages, in its order. A message that is no result has nil.
type results []*wholeResult

// at returns the result of a message, or nil.
func (r results) at(i int) *wholeResult {
	if r == nil { // no message is one
		return nil
	}
	return r[i]
}

// resultsOf returns the results of calls in the messages that are sent of them.
func resultsOf(calls []records.ToolCall, sent []llm.Message) results {
	if len(calls) == 0 {
		return nil
	}
	summaries := make(map[string]string, len(calls))
	for _, c := range calls {
		summaries[c.CallID] = c.Summary
	}
	all := make(results, len(sent))
	for i := range sent {
		if m := &sent[i]; m.Role == llm.Tool {
			all[i] = newWholeResult(m, summaries[m.CallID])
		}
	}
	return all
}

// trim lets go of the texts of the shortened results.
func (p *preparedMessage) trim(shortened map[string]bool) {
	for i := range p.sent {
		if m := &p.sent[i]; shortened[m.CallID] && p.results.at(i).trim() {
			m.Text = ""
		}
	}
}

// trim lets go of what only a message that is sent needs.
func (m *pastMessage) trim() {
	p := m.prepared
	if m.Role == llm.User {
		m.Found, m.Rules, m.Files = records.FoundCode{}, nil, nil
	} else {
		m.Text, m.Responses = "", nil
	}
	p.results = nil
	if !p.tells() {
		p.sent = nil
		return
	}
	for i := range p.sent {
		p.sent[i].Text, p.sent[i].Opaque = "", nil
	}
}
