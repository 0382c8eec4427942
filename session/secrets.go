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

// Messages to a remote model have placeholders for secrets. The database, the user
// and the tools get the secrets. A call is stored as the model wrote it, with
// placeholders; they are replaced by the secrets when the call runs. From then on
// the secrets of that call are hidden everywhere, since the model may have put them
// where no rule finds them.

// secrets holds the secrets of a turn's conversation. The bytes of a hidden message
// depend only on that message and the messages before it, so that each request still
// begins with the previous one. One goroutine uses it; the vault may be used by
// others.
type secrets struct {
	vault       *redact.Vault
	hidden      map[string]hiddenText // by the original text
	searchedAll bool                  // the vault has the secrets of the entire conversation
}

type hiddenText struct {
	text   string
	places int
}

// newSecrets uses the conversation's id, which no provider gets, as the key of the
// placeholders.
func newSecrets(conversationID string) secrets {
	return secrets{vault: redact.New(conversationID), hidden: map[string]hiddenText{}}
}

// outgoing returns the messages as they are sent, and the number of placeholders in
// each message.
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

// remote reports whether the model runs outside of this process.
func (s *requestSession) remote() bool {
	_, remote := s.model.Provider.(llm.Remote)
	return remote
}

// hide replaces the secrets in a text by placeholders and returns their number.
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

// addUsedSecrets appends the secrets of the placeholders in a call's arguments.
func (s *requestSession) addUsedSecrets(used []string, arguments json.RawMessage) []string {
	for _, placeholder := range redact.Placeholders(string(arguments)) {
		if secret, ok := s.secret(placeholder); ok && !slices.Contains(used, secret) {
			used = append(used, secret)
		}
	}
	return used
}

// secret returns the secret of a placeholder. On the first miss it also searches the
// messages that were dropped from this turn's requests.
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

// callVault returns the vault for restoring the secrets in calls, or nil if the model
// gets no placeholders.
func (s *requestSession) callVault(calls []bus.ToolCallRequested) *redact.Vault {
	if !s.remote() {
		return nil
	}
	for _, c := range calls {
		s.addUsedSecrets(nil, c.Arguments)
	}
	return s.secrets.vault
}

// restoreSecrets replaces the placeholders in a call by secrets, or returns the
// record of a call that can't run.
func (t callBatch) restoreSecrets(r *bus.ToolCallRequested) (refused *ToolCall) {
	if t.vault == nil {
		return nil
	}
	arguments, err := t.vault.Restore(r.Arguments)
	var unknown *redact.UnknownError
	if errors.As(err, &unknown) {
		c := failure(bus.CodeInvalid, err.Error())
		c.Content = json.RawMessage(marshal(failureContent{Error: c.Error, Code: "unknown_placeholder", Candidates: unknown.Known,
			Hint: "copy a placeholder exactly as shown and never invent one; to keep a secret, edit around it"}))
		return &c
	}
	r.Arguments = arguments
	return nil
}
