package session

import (
	"bytes"
	"encoding/json"
	"slices"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/redact"
)

// preparedMessage has what each turn needs of a message of its past, so that a turn does not cost more
// the longer its conversation is. It is made once, and never modified.
type preparedMessage struct {
	sent         []llm.Message // an answer as it is sent to the model
	secrets      []string      // of the files that a user's message shows
	placeholders []string      // in the calls of an answer
	proposed     string        // the proposal that the last staging call of an answer has staged or amended
}

// prepare sets m.prepared.
func (r rendering) prepare(m *Message) {
	p := &preparedMessage{proposed: m.proposedLast()}
	if m.Role == llm.User {
		p.secrets = slices.Clip(m.secrets())
	} else {
		p.sent = slices.Clip(r.replayAnswer(m))
	}
	for _, c := range m.Calls {
		p.placeholders = append(p.placeholders, redact.Placeholders(string(c.Arguments))...)
	}
	m.prepared = p
}

// proposedLast returns the id of the proposal that the last staging call of m has staged or amended, or "".
func (m *Message) proposedLast() string {
	for i := len(m.Calls) - 1; i >= 0; i-- {
		var result struct {
			ProposalID string `json:"proposal_id"`
		}
		content := m.Calls[i].Content
		if bytes.Contains(content, []byte(`"proposal_id":"`)) && json.Unmarshal(content, &result) == nil && result.ProposalID != "" {
			return result.ProposalID
		}
	}
	return ""
}

// countSent returns how many messages the model got for those of a path, all of which are prepared.
func countSent(path []Message) (n int) {
	for i := range path {
		switch m := &path[i]; {
		case m.Role != llm.User:
			n += len(m.prepared.sent)
		case m.notice != "":
			n += 2
		default:
			n++
		}
	}
	return n
}
