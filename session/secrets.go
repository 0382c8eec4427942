package session

import (
	"encoding/json"
	"errors"
	"slices"

	"ploke-lsp/internal/secretscan"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
	"ploke-lsp/session/redact"
	"ploke-lsp/session/window"
	"ploke-lsp/tools"
)

// Messages to a remote model have placeholders for secrets. The database and the user
// get the secrets. A call is stored as the model wrote it, with placeholders; when it
// runs, they are replaced by the secrets in the arguments that its tool declares.
//
// A secret that the rules can't find in a message is hidden because it is known: the
// secrets of the files that a result or a message shows, and those that a call has used.
// From then on they are hidden everywhere, since tools may repeat them, and the model may
// have put them where no rule finds them.

// turnSecrets holds the secrets of a turn's conversation. The bytes of a hidden message
// depend only on that message and the messages before it, so that each request still
// begins with the previous one. One goroutine uses it; the vault may be used by
// others.
type turnSecrets struct {
	rec         *turnRecord
	vault       *redact.Vault
	searchedAll bool // the vault has the secrets of the entire conversation
}

// minKnown is the length in bytes from which a secret of a file is hidden in later
// messages, too. A shorter piece, such as the last line of a key, may also be a word.
const minKnown = 8

// newSecrets uses the conversation's id, which no provider gets, as the key of the
// placeholders.
func newSecrets(rec *turnRecord) *turnSecrets {
	return &turnSecrets{rec: rec, vault: redact.New(rec.turn.ConversationID)}
}

// outgoing returns the messages as they are sent, and the number of placeholders in
// each message. Neither must be modified.
func (v *modelView) outgoing() (messages []llm.Message, places []int) {
	messages, same := v.normalMessages()
	if !v.setup.followsRules() {
		messages, same = withoutNestedRules(messages), false
	}
	if v.setup.remote() {
		return v.hideMessages(messages, same)
	}
	for i := range messages {
		v.e.kept.known.addLong(messages[i].Secrets)
	}
	return slices.Clone(messages), make([]int, len(messages))
}

// knownOfDropped returns the secrets that are known from the messages that are not sent any more.
func (v *modelView) knownOfDropped() (known []string) {
	past := &v.frame.past
	first := past.FirstSent(v.frame.compaction)
	for _, i := range past.Telling {
		if i < first {
			known = v.secrets.addDropped(known, past.Messages[i].Prepared)
		}
	}
	return slices.Clip(known)
}

// hide replaces the secrets in a text by placeholders and returns their number. known are
// hidden in all messages, own only in this one.
func (s *turnSecrets) hide(text string, isJSON bool, known, own []string) (hidden string, places int) {
	if isJSON {
		return s.vault.HideJSON(text, append(redact.InJSON(text, known), own...)...)
	}
	return s.vault.Hide(text, append(secretscan.In(text, known), own...)...)
}

// placed returns the secrets of the placeholders, of which there are so many, in a text.
func (s *turnSecrets) placed(text string, places int) (secrets []string) {
	if places == 0 {
		return nil
	}
	for _, placeholder := range redact.Placeholders(text) {
		if secret, ok := s.vault.Secret(placeholder); ok {
			secrets = append(secrets, secret)
		}
	}
	return secrets
}

// addKnown appends the secrets that are known from a message on: those of the files that
// it shows, and those of the placeholders in its calls.
func (s *turnSecrets) addKnown(known []string, m llm.Message) []string {
	known = addLong(known, m.Secrets)
	for _, c := range m.Calls {
		known = s.addOfPlaceholders(known, redact.Placeholders(string(c.Arguments)))
	}
	return known
}

// addDropped is addKnown for a message that is not sent any more.
func (s *turnSecrets) addDropped(known []string, p *window.Prepared) []string {
	known = addLong(known, p.Secrets)
	if len(p.Placeholders) == 0 {
		for i := range p.Sent {
			known = addLong(known, p.Sent[i].Secrets)
		}
		return known
	}
	for _, m := range p.Sent { // in the order of the messages
		known = s.addKnown(known, m)
	}
	return known
}

func addLong(known, secrets []string) []string {
	for _, secret := range secrets {
		if len(secret) >= minKnown && !slices.Contains(known, secret) {
			known = append(known, secret)
		}
	}
	return known
}

func (s *turnSecrets) addOfPlaceholders(known, placeholders []string) []string {
	for _, placeholder := range placeholders {
		if secret, ok := s.secret(placeholder); ok && !slices.Contains(known, secret) {
			known = append(known, secret)
		}
	}
	return known
}

// secret returns the secret of a placeholder. On the first miss it also searches the
// messages that were dropped from this turn's requests.
func (s *turnSecrets) secret(placeholder string) (string, bool) {
	secret, ok := s.vault.Secret(placeholder)
	if !ok && !s.searchedAll {
		s.searchedAll = true
		s.searchPast()
		secret, ok = s.vault.Secret(placeholder)
	}
	return secret, ok
}

// searchPast makes the vault know the secrets of all messages before the turn.
func (s *turnSecrets) searchPast() {
	if s.rec.user.ParentID == "" {
		return
	}
	messages, err := s.rec.e.kept.messages.Branch(s.rec.turn.ctx, s.rec.turn.ConversationID, "", s.rec.user.ParentID)
	if err != nil && s.rec.turn.ctx.Err() == nil {
		s.rec.e.opts.Logger.Error("the conversation was not searched for secrets", "turn", s.rec.turn.RequestID, "error", err)
	}
	for _, m := range window.Replay(messages) {
		s.hideMessage(&m, nil)
	}
}

// callVault returns the vault for restoring the secrets in calls, or nil if the model
// gets no placeholders.
func (s *requestSession) callVault(calls []bus.ToolCallRequested) *redact.Vault {
	if !s.setup.remote() {
		return nil
	}
	for _, c := range calls { // so that the vault has the secrets of dropped messages
		s.secrets.addKnown(nil, llm.Message{Calls: []llm.Call{{Arguments: c.Arguments}}})
	}
	return s.secrets.vault
}

// unknownPlaceholder is the record of a call with a placeholder that is not among the known ones.
func unknownPlaceholder(err error, known []string) *records.ToolCall {
	c := records.Failure(bus.CodeInvalid, err.Error())
	c.Content = json.RawMessage(records.Marshal(records.FailureContent{Error: c.Error, Code: "unknown_placeholder",
		Candidates: known,
		Hint:       "copy a placeholder exactly as shown and never invent one; to keep a secret, edit around it"}))
	return &c
}

// restoreSecrets replaces placeholders in a call by secrets, where the tool wants them. It
// returns the secrets, or the record of a call that can't run.
func (t callBatch) restoreSecrets(tool *tools.Tool,
	r *bus.ToolCallRequested) (used []string, refused *records.ToolCall) {
	if t.vault == nil || len(redact.Placeholders(string(r.Arguments))) == 0 {
		return nil, nil
	}
	arguments, err := tool.RestoreArguments(r.Arguments,
		func(value json.RawMessage, write func(string) string) (json.RawMessage, error) {
			restored, secrets, err := t.vault.Restore(value, write)
			used = append(used, secrets...)
			return restored, err
		})
	var unknown *redact.UnknownError
	if errors.As(err, &unknown) {
		return nil, unknownPlaceholder(err, unknown.Known)
	}
	if err != nil {
		c := records.Failure(bus.CodeError, err.Error())
		return nil, &c
	}
	r.Arguments = arguments
	return used, nil
}
