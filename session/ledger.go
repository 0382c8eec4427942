package session

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"hash"
	"strconv"
	"time"

	"ploke-lsp/internal/store"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
	"ploke-lsp/session/redact"
)

// ledgerRow is the ledger's record of one request to a provider.
type ledgerRow struct {
	id, requestID, conversationID string
	provider, host, model         string
	sent                          []sentItem
	files                         []SentFile
	usage                         llm.Usage
	latency                       time.Duration
}

// sentItem describes one sent message, or all tools, by size and hash. The conversation
// before the turn is one item, and so are the messages that an earlier request of the
// turn has sent, without a hash: listing them again would make the ledger grow with the
// square of the conversation's length.
type sentItem struct {
	Role    string `json:"role"`
	Bytes   int    `json:"bytes"`
	SHA256  string `json:"sha256,omitempty"`
	Secrets int    `json:"secrets,omitempty"` // number of placeholders
}

// sentHash sums up texts: their bytes and the hash of their concatenation as
// netstrings, so that no two lists of texts have the same input.
type sentHash struct {
	hash   hash.Hash
	bytes  int
	buffer *[4096]byte
}

func newSentHash() *sentHash { return &sentHash{hash: sha256.New(), buffer: new([4096]byte)} }

// clone returns a copy. One goroutine uses both.
func (h *sentHash) clone() *sentHash {
	copied, err := h.hash.(hash.Cloner).Clone()
	if err != nil {
		panic(err) // SHA-256 can be cloned
	}
	return &sentHash{copied, h.bytes, h.buffer}
}

func (h *sentHash) add(texts ...string) {
	for _, text := range texts {
		h.bytes += len(text)
		h.hash.Write(append(strconv.AppendInt(h.buffer[:0], int64(len(text)), 10), ':'))
		for len(text) > 0 { // in pieces, since there are no hashes of strings
			n := copy(h.buffer[:], text)
			h.hash.Write(h.buffer[:n])
			text = text[n:]
		}
		h.hash.Write(append(h.buffer[:0], ','))
	}
}

func (h *sentHash) addMessage(m *llm.Message) {
	h.add(m.Text, m.CallID)
	for i := range m.Calls {
		h.add(m.Calls[i].ID, m.Calls[i].Name, string(m.Calls[i].Arguments))
	}
}

// newSentItem describes texts.
func newSentItem(role string, texts ...string) sentItem {
	h := newSentHash()
	h.add(texts...)
	return h.item(role)
}

func (h *sentHash) item(role string) sentItem {
	return sentItem{Role: role, Bytes: h.bytes, SHA256: hex.EncodeToString(h.hash.Sum(nil))}
}

// newEntry returns the entry of a request. hidden has the number of placeholders in
// each message.
func (q *requester) newEntry(messages []llm.Message, hidden []int) *ledgerRow {
	from := q.firstUnlisted(messages)
	e := &ledgerRow{id: newID(), requestID: q.turn.RequestID, conversationID: q.turn.ConversationID,
		provider: q.setup.model.Provider.Name(), model: q.setup.model.ID}
	if remote, ok := q.setup.model.Provider.(llm.Remote); ok {
		e.host = remote.Host()
	}
	if from > 0 {
		e.sent = append(e.sent, q.ledger.listed.sent)
	} else if len(q.view.tools) > 0 {
		e.sent = append(e.sent, newSentItem("tools", toolTexts(q.view.tools)...))
	}
	list := func(role string, h *sentHash, secrets int) {
		item := h.item(role)
		item.Secrets = secrets
		e.sent = append(e.sent, item)
	}
	listMessage := func(i int) {
		h := newSentHash()
		h.addMessage(&messages[i])
		list(string(messages[i].Role), h, hidden[i])
	}
	files := newSentFiles()
	if past := q.view.pastMessages(len(messages)); from == 0 && past > 0 {
		listMessage(0)
		p := q.view.sentPast(messages, hidden, 1+past)
		list("past", p.hash, p.secrets)
		files = p.files
		from = 1 + past
	}
	for i := from; i < len(messages); i++ {
		listMessage(i)
	}
	addFiles(q.e.kept.render, &files, messages[max(from, 1):]) // the system text shows only an example
	e.files = append([]SentFile{}, files.all...)
	q.ledger.listed = ledgerListed{e.provider, len(messages), sumOf(e.sent)}
	return e
}

// sentPast sums up the messages up to the index end, which are those before the turn.
func (v *modelView) sentPast(messages []llm.Message, hidden []int, end int) sentPast {
	if !v.setup.remote() { // only what is sent to remote models is compared with the last request
		return newSentPast().extended(v.e.kept.render, messages, hidden, end)
	}
	h := v.hidden
	h.keepPasts(end)
	last := newSentPast()
	if n := len(h.pasts); n > 0 {
		last = h.pasts[n-1]
	}
	if last.messages < end-1 {
		last = last.extended(v.e.kept.render, messages, hidden, end)
		h.pasts = append(h.pasts, last)
	}
	return last
}

// sumOf returns the item that stands for these items in later requests of the turn.
func sumOf(items []sentItem) sentItem {
	sum := sentItem{Role: "earlier"}
	for _, item := range items {
		sum.Bytes += item.Bytes
		sum.Secrets += item.Secrets
	}
	return sum
}

// toolTexts returns the texts of tools that are sent, before the provider's encoding.
func toolTexts(specs []llm.ToolSpec) (texts []string) {
	for _, t := range specs {
		texts = append(texts, t.Name, t.Description, string(t.Schema))
	}
	return texts
}

func (e *ledgerRow) insert(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO ledger (id, request_id, conversation_id, provider, host, model, sent, files, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, e.id, e.requestID, e.conversationID, e.provider, e.host, e.model,
		records.Marshal(e.sent), store.Text(records.Marshal(e.files)), time.Now().UnixMilli())
	return err
}

// settle stores the request's usage.
func (e *ledgerRow) settle(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx,
		`UPDATE ledger SET tokens_in = ?, tokens_out = ?, tokens_cached = ?, cost = ?, latency_ms = ? WHERE id = ?`,
		e.usage.In, e.usage.Out, e.usage.Cached, e.usage.Cost, e.latency.Milliseconds(), e.id)
	return err
}

func (q *requester) publishRequestStarted() {
	q.e.opts.Bus.Publish(bus.RequestStarted{TurnRef: q.turn.TurnRef, ParentID: q.user.ID,
		ID: q.ledger.entry.id, Model: modelName(q.setup.model)})
}

func (q *requester) publishRequestFinished(err error) {
	e := bus.RequestFinished{TurnRef: q.turn.TurnRef, ParentID: q.user.ID,
		ID: q.ledger.entry.id, Model: modelName(q.setup.model), Tokens: busTokens(q.ledger.entry.usage)}
	if err != nil {
		e.Error = err.Error()
	}
	q.e.opts.Bus.Publish(e)
}

// ToAgents is the provider of the ledger's entries that are not requests to a model, but what another program's agent
// was given over MCP.
const ToAgents = "MCP"

// HandedOver is what another program's agent is given of one call.
type HandedOver struct {
	Agent string // what the program calls itself
	Call  string // the tool's name, or what kind of resource was read
	Texts []string
	Took  time.Duration
}

// RecordHandedOver stores an entry of the ledger. What it describes may be given only if there is no error.
func (e *Engine) RecordHandedOver(ctx context.Context, h HandedOver) error {
	item := newSentItem("result", h.Texts...)
	files := newSentFiles()
	for _, text := range h.Texts {
		item.Secrets = max(item.Secrets, len(redact.Placeholders(text))) // the texts say the same in two forms
		addFiles(e.kept.render, &files, []llm.Message{{Role: llm.Tool, Text: text}})
	}
	entry := ledgerRow{id: newID(), provider: ToAgents, host: h.Agent, model: h.Call, sent: []sentItem{item},
		files: append([]SentFile{}, files.all...), latency: h.Took}
	err := e.opts.DB.Record(ctx, func(tx *sql.Tx) error {
		if err := entry.insert(ctx, tx); err != nil {
			return err
		}
		return entry.settle(ctx, tx)
	})
	if err != nil {
		return fmt.Errorf("the ledger could not be written, so nothing is handed over: %w", err)
	}
	return nil
}
