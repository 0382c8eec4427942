package session

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/redact"
	"ploke-lsp/session/window"
)

// hiddenMessages holds the messages of a conversation's last request as they were sent, with placeholders for secrets,
// so that a request looks for secrets only in what is new. Only the running turn uses it.
type hiddenMessages struct {
	conversationID string
	built          builtMessages
	same           int      // how many of built's messages all begins with for certain
	dropped        []string // the secrets that were known before the first message
	all            []hiddenMessage
	sent           []llm.Message // of all; those of requests share its array, so it is only appended to
	places         []int         // of all, likewise
	secret         []int         // indices of those with secrets that the vault knows from them
	pasts          []sentPast    // of messages that all begins with: before each turn, as far as they are the same
}

// hiddenMessage is a message with what is sent of it. Neither has the JSON of a result, which is not sent.
type hiddenMessage struct {
	from, sent llm.Message
	places     int      // number of placeholders in it
	secrets    []string // that the vault knows from it
	known      []string // that are hidden in it and in the messages after it
}

// repeated returns with how many of the same messages the last request began. These are sent as they were hidden then,
// and are not searched for secrets again.
//
// That is right since the hidden form of a message depends on three things only: on the message, on
// the secrets that are known of dropped messages, and on those that the messages before it have
// made known. A secret that becomes known in a message is hidden from there on, never in front of
// it. So if two requests begin with the same known secrets and the same n messages, their first n
// hidden messages are the same, too. The comparison stops at the first difference. A message behind
// it may be the same and still be hidden in another way, since another secret may be known by then.
//
// The first t.same messages need no comparison: the request has them in the array in which the last one had them, and
// nothing changes what is in it.
func (t *hiddenMessages) repeated(messages []llm.Message, dropped []string) (n int) {
	if !slices.Equal(t.dropped, dropped) {
		return 0
	}
	n = t.same
	for n < len(t.all) && n < len(messages) && sameMessage(&t.all[n].from, &messages[n]) {
		n++
	}
	return n
}

// keep lets go of all but the first n messages.
func (t *hiddenMessages) keep(n int) {
	if n == len(t.all) {
		return
	}
	t.all, t.sent, t.places = t.all[:n], slices.Clip(t.sent[:n]), slices.Clip(t.places[:n])
	kept, _ := slices.BinarySearch(t.secret, n)
	t.secret = t.secret[:kept]
}

// keepPasts lets go of the sums of more than the first n messages, one of which is the system text.
func (t *hiddenMessages) keepPasts(n int) {
	for len(t.pasts) > 0 && 1+t.pasts[len(t.pasts)-1].messages > n {
		t.pasts = t.pasts[:len(t.pasts)-1]
	}
}

func (t *hiddenMessages) add(h hiddenMessage) {
	if len(h.secrets) > 0 {
		t.secret = append(t.secret, len(t.all))
	}
	t.all, t.sent, t.places = append(t.all, h), append(t.sent, h.sent), append(t.places, h.places)
}

// sameMessage reports whether two messages are sent as the same bytes, if the same is known before them.
func sameMessage(a, b *llm.Message) bool {
	return a.Role == b.Role && a.Text == b.Text && a.CallID == b.CallID && a.Name == b.Name &&
		bytes.Equal(a.Opaque, b.Opaque) &&
		slices.Equal(a.Secrets, b.Secrets) && slices.Equal(a.InContent, b.InContent) &&
		slices.EqualFunc(a.Calls, b.Calls, sameCall)
}

func sameCall(a, b llm.Call) bool {
	return a.ID == b.ID && a.Name == b.Name && bytes.Equal(a.Arguments, b.Arguments)
}

// hideKey identifies a message without calls by all that its hidden text depends on. Lists are joined by line breaks.
type hideKey struct {
	role                  llm.Role
	text                  string
	known, own, inContent string
}

func keyOf(m *llm.Message, known []string) hideKey {
	return hideKey{m.Role, m.Text, strings.Join(known, "\n"), strings.Join(m.Secrets, "\n"),
		strings.Join(m.InContent, "\n")}
}

// byText returns the hidden messages from the n-th on, less those with calls. After a compaction
// they come behind others.
func (t *hiddenMessages) byText(n int) map[hideKey]hiddenMessage {
	found := make(map[hideKey]hiddenMessage, len(t.all)-n)
	for _, h := range t.all[n:] {
		if len(h.from.Calls) == 0 {
			found[keyOf(&h.from, h.known)] = h
		}
	}
	return found
}

// hideMessages returns the messages with placeholders for secrets, and the number of placeholders
// in each. same says that they are v.messages.
//
// The first messages are those of the last request (see [hiddenMessages.repeated]): the vault only learns again which
// secrets they have. Behind them, a message without calls whose text was hidden before under the same known secrets
// is taken from there, since a compaction moves messages but seldom changes them. Only the rest is searched for
// secrets.
//
// A placeholder in a call may stand for a secret that only a later message tells. Then the call is hidden in another
// way once the secret is known, so nothing from this message on is kept for the next request.
func (v *modelView) hideMessages(messages []llm.Message, same bool) (sent []llm.Message, places []int) {
	dropped, hidden := v.knownOfDropped(), v.hidden
	if !same {
		hidden.same = 0
	}
	n, known := hidden.repeated(messages, dropped), dropped
	byText := hidden.byText(n)
	hidden.keep(n)
	hidden.dropped = dropped
	hidden.keepPasts(n)
	for _, i := range hidden.secret {
		v.secrets.vault.Add(hidden.all[i].secrets...)
	}
	if n > 0 {
		known = hidden.all[n-1].known
	}
	settled := len(messages)
	for i := n; i < len(messages); i++ {
		m := &messages[i]
		v.e.kept.known.addLong(m.Secrets)
		known = v.secrets.addKnown(known, *m)
		h, ok := byText[keyOf(m, known)]
		if ok && len(m.Calls) == 0 {
			v.secrets.vault.Add(h.secrets...)
			h.from, h.sent = withText(m, m.Text), withText(m, h.sent.Text)
		} else {
			h = v.secrets.hideMessage(m, known)
		}
		h.known = slices.Clip(known)
		hidden.add(h)
		if settled > i && v.secrets.hasUnknownPlaceholder(m) {
			settled = i
		}
	}
	sent, places = slices.Clip(hidden.sent), hidden.places
	hidden.keep(settled)
	hidden.same = 0
	if same {
		hidden.same = min(settled, len(hidden.built.messages))
	}
	return sent, places
}

// hasUnknownPlaceholder reports whether a call has a placeholder whose secret a later message may tell.
func (s *turnSecrets) hasUnknownPlaceholder(m *llm.Message) bool {
	for i := range m.Calls {
		for _, placeholder := range redact.Placeholders(string(m.Calls[i].Arguments)) {
			if _, ok := s.vault.Secret(placeholder); !ok {
				return true
			}
		}
	}
	return false
}

// hideMessage hides the secrets in a message. known are hidden in all messages from this one on. A
// result of a tool may be a rendering in which the rules do not find what they find in its content,
// such as a key whose lines are numbered.
func (s *turnSecrets) hideMessage(m *llm.Message, known []string) hiddenMessage {
	s.vault.Add(m.InContent...) // the model may have read them before the text was shortened
	isJSON := m.Role == llm.Tool && json.Valid([]byte(m.Text))
	text, places := s.hide(m.Text, isJSON, known, slices.Concat(m.Secrets, m.InContent))
	h := hiddenMessage{from: withText(m, m.Text), sent: withText(m, text), places: places}
	h.sent.Calls = slices.Clone(m.Calls)
	for i := range h.sent.Calls {
		arguments, n := s.hide(string(m.Calls[i].Arguments), true, known, nil)
		h.sent.Calls[i].Arguments = json.RawMessage(arguments)
		h.places += n
		h.secrets = append(h.secrets, s.placed(arguments, n)...)
	}
	h.secrets = slices.Concat(m.InContent, s.placed(text, places), h.secrets)
	return h
}

// withText returns a message with a text, and without the JSON of a result.
func withText(m *llm.Message, text string) llm.Message {
	changed := *m
	changed.Text, changed.Content = text, nil
	return changed
}

// hiddenCache holds the hidden messages of the conversations that were used last. It is safe for concurrent use.
type hiddenCache struct {
	mu      sync.Mutex
	entries []*hiddenMessages // most recently used first
}

// take removes the messages of a conversation from the cache, for a turn that begins.
func (c *hiddenCache) take(conversationID string) *hiddenMessages {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.IndexFunc(c.entries, func(t *hiddenMessages) bool { return t.conversationID == conversationID })
	if i < 0 {
		return &hiddenMessages{conversationID: conversationID}
	}
	t := c.entries[i]
	c.entries = slices.Delete(c.entries, i, i+1)
	return t
}

// put returns the messages after a turn.
func (c *hiddenCache) put(t *hiddenMessages) {
	if len(t.all) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries = slices.Insert(c.entries, 0, t)
	if n := len(c.entries); n > window.MaxCached {
		c.entries = slices.Delete(c.entries, window.MaxCached, n)
	}
}
