package session

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"ploke-lsp/internal/lease"
	"ploke-lsp/internal/secretscan"
	"ploke-lsp/internal/store"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
)

// Status is the state of a message.
type Status string

// The states of messages. A user's message is always completed.
const (
	Pending     Status = "pending"
	Completed   Status = "completed"
	Cancelled   Status = "cancelled"
	Failed      Status = "failed"
	Interrupted Status = "interrupted" // the program ended before the turn did
)

// Message is a stored message of a conversation.
type Message struct {
	ID, ConversationID, ParentID string
	RequestID                    string // the turn
	Role                         llm.Role
	Text                         string
	Status                       Status
	Model                        string // of an assistant's message
	StopReason                   bus.StopReason
	Error                        string // for people; why a turn failed
	ErrorKind                    bus.ErrorKind
	Usage                        llm.Usage      // of the turn; with its last answer
	Context                      bus.ContextUse // with the turn's last answer
	Attachments                  []Attachment
	Calls                        []ToolCall // in the order in which the model made them
	Proposals                    []string   // ids of the proposals that the turn staged
	CreatedAt, UpdatedAt         time.Time

	steps      []step
	asides     []Aside     // of an assistant's message, in order
	expansion  string      // of a user's message: what the model gets in place of Text; "" is Text
	context    FoundCode   // code found for a user's message
	rules      []Rules     // of folders, given with a user's message
	files      []FileState // shown with a user's message, or told to have changed
	scale      float64     // of an assistant's message; see [counter]
	compaction *compaction // made by the turn; may be nil
	notice     string      // sent to the model with a user's message
	reported   decisions
	owner      *lease.Owner // of a pending message

	stored   *messageRow      // what was stored last; nil in a message that was read
	prepared *preparedMessage // of a message in a turn's past; else nil
}

// Attachment is a piece of a file, or the outline of a folder, that the user attached to a message.
type Attachment struct {
	Path      string `json:"path"`             // absolute
	Folder    bool   `json:"folder,omitempty"` // Text is an outline of this folder
	Whole     bool   `json:"whole,omitempty"`  // the user chose no lines; false in what earlier versions stored
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	Text      string `json:"text"` // the lines StartLine to EndLine
	// Secrets are the secrets in Text, as the whole file shows them, each on one line.
	Secrets []string `json:"secrets,omitempty"`
}

// FoundCode is code that was found for a message, as the model reads it.
type FoundCode struct {
	Text    string
	Secrets []string // in the text, each on one line; the rules may not find them there
}

// request returns what the model is asked: the text of a user's message, or what that stands for.
func (m *Message) request() string { return cmp.Or(m.expansion, m.Text) }

// secrets returns the secrets of the files that a user's message shows.
func (m *Message) secrets() []string {
	if m.prepared != nil {
		return m.prepared.secrets
	}
	return slices.Concat(m.context.Secrets, secretsOf(m.Attachments), rulesSecrets(m.rules))
}

// secretsOf returns the secrets in attachments: those that their files show, and those that the
// rules find before the lines get their numbers.
func secretsOf(attachments []Attachment) (all []string) {
	for _, a := range attachments {
		all = append(all, a.Secrets...)
		all = append(all, secretscan.Secrets(a.Text)...)
	}
	return all
}

// extra holds the columns of a message that are stored as JSON.
type extra struct {
	Attachments []Attachment   `json:"attachments,omitempty"`
	Expansion   string         `json:"expansion,omitempty"`
	Context     string         `json:"context,omitempty"` // code found for a user's message, as it was sent
	Secrets     []string       `json:"secrets,omitempty"` // in the context
	Rules       []Rules        `json:"rules,omitempty"`   // of folders, sent to the model with a user's message
	Files       []FileState    `json:"files,omitempty"`   // shown with a user's message, or told to have changed
	Notice      string         `json:"notice,omitempty"`  // sent to the model with a user's message
	Reported    decisions      `json:"told,omitempty"`    // decisions reported with the message or its steps
	Steps       []step         `json:"steps,omitempty"`
	Owner       *lease.Owner   `json:"owner,omitempty"` // of a pending message
	StopReason  bus.StopReason `json:"stop_reason,omitempty"`
	Error       string         `json:"error,omitempty"`
	ErrorKind   bus.ErrorKind  `json:"error_kind,omitempty"`
	Usage       llm.Usage      `json:"usage,omitzero"`
	Window      bus.ContextUse `json:"window,omitzero"`
	Scale       float64        `json:"scale,omitempty"`
	Compaction  *compaction    `json:"compaction,omitempty"`
}

// step is one response of the model within an assistant's message: the bytes
// [Start,End) of the text, and the ids of its calls.
type step struct {
	Start int      `json:"start"`
	End   int      `json:"end"`
	Calls []string `json:"calls,omitempty"`

	Files  []FileState `json:"files,omitempty"`  // that the calls have shown or changed
	Rules  []Rules     `json:"rules,omitempty"`  // of folders, sent to the model after the step
	Notice string      `json:"notice,omitempty"` // sent to the model after the rules
	Opaque llm.Opaque  `json:"opaque,omitempty"` // state of the model's provider

	Unchanged map[string]string `json:"unchanged,omitempty"` // notes on results, by the calls' ids that the model knows; see [noteUnchanged]
	Cut       map[string]int    `json:"cut,omitempty"`       // bytes that are sent of results, by the same ids; see [cutResults]
}

// hasResponse reports whether one of the steps has text or calls.
func (m *Message) hasResponse() bool {
	return slices.ContainsFunc(m.steps, func(st step) bool { return st.Start < st.End || len(st.Calls) > 0 })
}

// takeCalls adds the calls that this message made, which are among calls by their ids. The turn's other calls belong to
// other answers.
func (m *Message) takeCalls(calls map[string]ToolCall) {
	for _, st := range m.steps {
		for _, id := range st.Calls {
			if c, stored := calls[id]; stored {
				m.Calls = append(m.Calls, c)
			}
		}
	}
}

// addRest adds a step for the text after the last step: a response that broke off.
func (m *Message) addRest() {
	start := 0
	if n := len(m.steps); n > 0 {
		end := m.steps[n-1].End
		start = len(m.Text) - len(strings.TrimLeft(m.Text[end:], "\n")) // after the paragraph break
	}
	if start < len(m.Text) {
		m.steps = append(m.steps, step{Start: start, End: len(m.Text)})
	}
}

func (m *Message) extra() extra {
	return extra{Attachments: m.Attachments, Expansion: m.expansion, Context: m.context.Text, Secrets: m.context.Secrets, Rules: m.rules, Files: m.files, Notice: m.notice, Reported: m.reported, Steps: m.steps,
		StopReason: m.StopReason, Error: m.Error, ErrorKind: m.ErrorKind, Usage: m.Usage, Window: m.Context, Scale: m.scale, Compaction: m.compaction}
}

// longExtra is the length in bytes from which the JSON of a message is stored compressed.
const longExtra = 1 << 10

// messageRow is a row of a message, as it is stored and as it is read.
type messageRow struct {
	id, conversationID, parentID string
	role                         llm.Role
	text                         string
	status                       Status
	requestID, model             string
	created, updated             int64
	extra                        store.Text // JSON
}

// row returns what is stored of a message.
func (m *Message) row(x extra) *messageRow {
	return &messageRow{m.ID, m.ConversationID, m.ParentID, m.Role, m.Text, m.Status, m.RequestID, m.Model,
		m.CreatedAt.UnixMilli(), m.UpdatedAt.UnixMilli(), store.Text(marshal(x))}
}

// extraColumns returns what is stored in the columns extra and long_extra. Of a pending message, extra has
// everything, since its owner is looked for there.
func (r *messageRow) extraColumns() (short string, long any) {
	if r.status == Pending || len(r.extra) < longExtra {
		return string(r.extra), nil
	}
	return "{}", r.extra
}

func insertMessage(ctx context.Context, tx *sql.Tx, m *Message, x extra) error {
	r := m.row(x)
	short, long := r.extraColumns()
	_, err := tx.ExecContext(ctx, `
		INSERT INTO messages (id, conversation_id, parent_id, role, text, status, request_id, model, created_at, updated_at, extra, long_extra)
		VALUES (?, ?, nullif(?, ''), ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		r.id, r.conversationID, r.parentID, r.role, r.text, r.status, r.requestID, r.model, r.created, r.updated, short, long)
	m.stored = r
	return err
}

// updateMessage stores a message with all of its text.
func updateMessage(ctx context.Context, tx *sql.Tx, m *Message, x extra) error {
	r := m.row(x)
	short, long := r.extraColumns()
	_, err := tx.ExecContext(ctx, `UPDATE messages SET text = ?, status = ?, model = ?, updated_at = ?, extra = ?, long_extra = ? WHERE id = ?`,
		r.text, r.status, r.model, r.updated, short, long, r.id)
	if err != nil {
		return err
	}
	m.stored = r
	_, err = tx.ExecContext(ctx, `DELETE FROM streamed_text WHERE message_id = ?`, m.ID)
	return err
}

// messageText is the text of a message with what was streamed since.
const messageText = `m.text || coalesce((SELECT group_concat(text, '' ORDER BY id) FROM streamed_text WHERE message_id = m.id), '')`

const messageColumns = `m.id, m.conversation_id, coalesce(m.parent_id, ''), m.role, ` + messageText + `, m.status, m.request_id, m.model,
	m.created_at, m.updated_at, coalesce(m.long_extra, m.extra)`

func scanMessage(rows *sql.Rows) (*Message, error) {
	var r messageRow
	err := rows.Scan(&r.id, &r.conversationID, &r.parentID, &r.role, &r.text, &r.status, &r.requestID, &r.model,
		&r.created, &r.updated, &r.extra)
	if err != nil {
		return nil, err
	}
	return r.message()
}

// message returns the message of a row.
func (r *messageRow) message() (*Message, error) {
	var x extra
	if err := json.Unmarshal([]byte(r.extra), &x); err != nil {
		return nil, err
	}
	return &Message{ID: r.id, ConversationID: r.conversationID, ParentID: r.parentID, RequestID: r.requestID, Role: r.role,
		Text: r.text, Status: r.status, Model: r.model, CreatedAt: time.UnixMilli(r.created), UpdatedAt: time.UnixMilli(r.updated),
		Attachments: x.Attachments, expansion: x.Expansion, context: FoundCode{x.Context, x.Secrets}, rules: x.Rules, files: x.Files,
		notice: x.Notice, reported: x.Reported, steps: x.Steps, owner: x.Owner, StopReason: x.StopReason, Error: x.Error,
		ErrorKind: x.ErrorKind, Usage: x.Usage, Context: x.Window, scale: x.Scale, compaction: x.Compaction}, nil
}

// queryer is a transaction or a pool of readers.
type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// newestLeafQuery reads only the newest message of a conversation.
const newestLeafQuery = `SELECT id FROM messages WHERE conversation_id = ? ORDER BY rowid DESC LIMIT 1`

// newestLeaf returns the id of the newest message, or "" if there is none. Messages
// are stored after their parents, so the newest message has no child.
func newestLeaf(ctx context.Context, q queryer, conversationID string) (string, error) {
	var id string
	err := q.QueryRowContext(ctx, newestLeafQuery, conversationID).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return id, err
}

// lastAnswer returns the id of a turn's last answer.
func lastAnswer(ctx context.Context, q queryer, requestID string) (id string, err error) {
	err = q.QueryRowContext(ctx, `SELECT id FROM messages WHERE request_id = ? AND role = ? ORDER BY rowid DESC LIMIT 1`,
		requestID, llm.Assistant).Scan(&id)
	return id, err
}

// marshal is json.Marshal for structs of this package, which can't fail.
func marshal(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}
