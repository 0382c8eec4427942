package session

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/redact"
)

// What goes to a model elsewhere has placeholders for secrets; what is stored, and
// what the user and the tools see, has the secrets. A call is stored as the model
// wrote it, with placeholders, which the secrets take the place of when it runs. From
// then on a secret that was used in a call is hidden wherever it stands, since the
// model may have put it where no rule finds it.

// secrets are those of a turn's conversation. The engine's rule that a request begins
// with the one before it holds, since what a message becomes depends on it and those
// before it alone. One goroutine uses it; the vault may be used by others.
type secrets struct {
	vault       *redact.Vault
	hidden      map[string]hiddenText // by the text that it was
	searchedAll bool                  // the vault has those of the whole conversation
}

type hiddenText struct {
	text   string
	places int
}

// newSecrets makes placeholders by the conversation's id, which no provider is told.
func newSecrets(conversationID string) secrets {
	return secrets{vault: redact.New(conversationID), hidden: map[string]hiddenText{}}
}

// outgoing is what the model is sent, and how many places of each message were replaced.
func (s *requestSession) outgoing() (messages []llm.Message, places []int) {
	messages = normalizeMessages(s.messages)
	places = make([]int, len(messages))
	if !s.remote() {
		return messages, places
	}
	var used []string
	for _, m := range s.frame.past[:s.frame.firstSent(s.frame.compaction)] {
		for _, c := range m.Calls {
			used = s.addUsedSecrets(used, c.Arguments)
		}
	}
	for i := range messages {
		m := &messages[i]
		places[i] = s.secrets.hide(&m.Text, m.Role == llm.Tool, used)
		m.Calls = slices.Clone(m.Calls)
		for j := range m.Calls {
			c := &m.Calls[j]
			used = s.addUsedSecrets(used, c.Arguments)
			arguments := string(c.Arguments)
			places[i] += s.secrets.hide(&arguments, true, nil)
			c.Arguments = json.RawMessage(arguments)
		}
	}
	return messages, places
}

// remote reports whether the model is elsewhere.
func (s *requestSession) remote() bool {
	_, remote := s.model.Provider.(llm.Remote)
	return remote
}

// hide replaces a text by what is sent of it, and says how many places differ.
func (s *secrets) hide(text *string, isJSON bool, used []string) int {
	hide := s.vault.Hide
	if isJSON {
		hide = s.vault.HideJSON
	}
	h, known := s.hidden[*text]
	if !known {
		h.text, h.places = hide(*text)
		s.hidden[*text] = h
	}
	if slices.ContainsFunc(used, func(secret string) bool { return strings.Contains(h.text, secret) }) {
		h.text, h.places = hide(*text, used...)
	}
	*text = h.text
	return h.places
}

// addUsedSecrets adds the secrets that the placeholders in a call's arguments stand for.
func (s *requestSession) addUsedSecrets(used []string, arguments json.RawMessage) []string {
	for _, placeholder := range redact.Placeholders(string(arguments)) {
		if secret, ok := s.secret(placeholder); ok && !slices.Contains(used, secret) {
			used = append(used, secret)
		}
	}
	return used
}

// secret returns what a placeholder stands for. What was left out of the requests of
// this turn is looked through once somebody asks for what only it had.
func (s *requestSession) secret(placeholder string) (string, bool) {
	secret, ok := s.secrets.vault.Secret(placeholder)
	if !ok && !s.secrets.searchedAll {
		s.secrets.searchedAll = true
		for _, m := range replay(s.frame.past) {
			s.secrets.hide(&m.Text, m.Role == llm.Tool, nil)
		}
		secret, ok = s.secrets.vault.Secret(placeholder)
	}
	return secret, ok
}

// callVault returns the vault that calls are to be completed from, nil if their model
// has seen no placeholders.
func (s *requestSession) callVault(calls []bus.ToolCallRequested) *redact.Vault {
	if !s.remote() {
		return nil
	}
	for _, c := range calls {
		s.addUsedSecrets(nil, c.Arguments)
	}
	return s.secrets.vault
}

// restoreSecrets puts secrets in the place of their placeholders in a call, or says why the
// call can't run.
func (t callBatch) restoreSecrets(r *bus.ToolCallRequested) (refused *ToolCall) {
	if t.vault == nil {
		return nil
	}
	arguments, err := t.vault.Restore(r.Arguments)
	var unknown *redact.UnknownError
	if errors.As(err, &unknown) {
		c := failure(bus.CodeInvalid, err.Error())
		c.Content = json.RawMessage(marshal(failureContent{Error: c.Error, Code: "unknown_placeholder", Candidates: unknown.Known,
			Hint: "copy a placeholder whole, as you were shown it, and make none up; to leave a secret as it is, edit around it"}))
		return &c
	}
	r.Arguments = arguments
	return nil
}
