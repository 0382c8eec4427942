package records

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
	CreatedAt, UpdatedAt         time.Time

	Given    // with a user's message
	Answered // of an assistant's message

	Owner *lease.Owner // of a pending message
	Row   *MessageRow  // what was stored last; nil in a message that was read
}

// Given is what a model gets with a user's message.
type Given struct {
	Attachments []Attachment
	Expansion   string      // what the model gets in place of the text; "" is the text
	Found       FoundCode   // code found for the message
	Rules       []Rules     // of folders
	Files       []FileState // shown with the message, or told to have changed
	Notice      string      // sent after the message
	Reported    Decisions   // in the notices of this message, or of its responses
}

// Answered is what an assistant's message has besides its text.
type Answered struct {
	Model      string
	Responses  []Response // in order
	Calls      []ToolCall // in the order in which the model made them
	asides     []Aside    // in order
	Proposals  []string   // ids of the proposals that the turn staged
	StopReason bus.StopReason
	Error      string // for people; why a turn failed
	ErrorKind  bus.ErrorKind
	Usage      llm.Usage      // of the turn; with its last answer
	Context    bus.ContextUse // with the turn's last answer
	Scale      float64        // the ratio of the provider's token count to ours; 0 if unknown
	Compaction *Compaction    // made by the turn; may be nil
}

// Attachment is a piece of a file, or the outline of a folder, that the user attached to a message.
type Attachment struct {
	Path      string `json:"path"`             // absolute
	Folder    bool   `json:"folder,omitempty"` // Text is an outline of this folder
	Whole     bool   `json:"whole,omitempty"`  // the user chose no lines; false in what earlier versions stored
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	Text      string `json:"text"` // the lines StartLine to EndLine
	// Cells is where the lines are in a notebook, whose cells are the text; nil if they are lines of the file.
	Cells *CellPlace `json:"cells,omitempty"`
	// Secrets are the secrets in Text, as the whole file shows them, each on one line.
	Secrets []string `json:"secrets,omitempty"`
}

// A CellPlace is where lines of a notebook's cells are. All counts from 1.
type CellPlace struct {
	Cell      int `json:"cell"`                 // of the first line
	FirstLine int `json:"first_line,omitempty"` // of the notebook's JSON; 0 for a cell that was not saved
	LastLine  int `json:"last_line,omitempty"`
}

// FoundCode is code that was found for a message, as the model reads it.
type FoundCode struct {
	Text    string
	Secrets []string // in the text, each on one line; the rules may not find them there
}

// Request returns what the model is asked: the text of a user's message, or what that stands for.
func (m *Message) Request() string { return cmp.Or(m.Expansion, m.Text) }

// Secrets returns the secrets of the files that a user's message shows.
func (m *Message) Secrets() []string {
	return slices.Concat(m.Found.Secrets, SecretsOf(m.Attachments), RulesSecrets(m.Rules))
}

// SecretsOf returns the secrets in attachments: those that their files show, and those that the
// rules find before the lines get their numbers.
func SecretsOf(attachments []Attachment) (all []string) {
	for _, a := range attachments {
		all = append(all, a.Secrets...)
		all = append(all, secretscan.Secrets(a.Text)...)
	}
	return all
}

// Extra holds the columns of a message that are stored as JSON.
type Extra struct {
	ExtraGiven
	Steps      []Response     `json:"steps,omitempty"`
	Owner      *lease.Owner   `json:"owner,omitempty"` // of a pending message
	StopReason bus.StopReason `json:"stop_reason,omitempty"`
	Error      string         `json:"error,omitempty"`
	ErrorKind  bus.ErrorKind  `json:"error_kind,omitempty"`
	Usage      llm.Usage      `json:"usage,omitzero"`
	Window     bus.ContextUse `json:"window,omitzero"`
	Scale      float64        `json:"scale,omitempty"`
	Compaction *Compaction    `json:"compaction,omitempty"`
}

// ExtraGiven is the part of [Extra] that stores a [Given].
type ExtraGiven struct {
	Attachments []Attachment `json:"attachments,omitempty"`
	Expansion   string       `json:"expansion,omitempty"`
	Context     string       `json:"context,omitempty"` // code found for a user's message, as it was sent
	Secrets     []string     `json:"secrets,omitempty"` // in the context
	Rules       []Rules      `json:"rules,omitempty"`   // of folders, sent to the model with a user's message
	Files       []FileState  `json:"files,omitempty"`   // shown with a user's message, or told to have changed
	Notice      string       `json:"notice,omitempty"`  // sent to the model with a user's message
	Reported    Decisions    `json:"told,omitempty"`    // decisions reported with the message or its steps
}

// Response is one response of the model within an assistant's message: the bytes
// [Start,End) of the text, and the ids of its calls.
type Response struct {
	Start int      `json:"start"`
	End   int      `json:"end"`
	Calls []string `json:"calls,omitempty"`

	Files  []FileState `json:"files,omitempty"`  // that the calls have shown or changed
	Rules  []Rules     `json:"rules,omitempty"`  // of folders, sent to the model after the step
	Notice string      `json:"notice,omitempty"` // sent to the model after the rules
	Opaque llm.Opaque  `json:"opaque,omitempty"` // state of the model's provider

	Unchanged map[string]string `json:"unchanged,omitempty"` // notes on results, by the calls' ids that the model knows
	Cut       map[string]int    `json:"cut,omitempty"`       // bytes that are sent of results, by the same ids
}

// HasResponse reports whether one of the steps has text or calls.
func (m *Message) HasResponse() bool {
	return slices.ContainsFunc(m.Responses, func(st Response) bool { return st.Start < st.End || len(st.Calls) > 0 })
}

// takeCalls adds the calls that this message made, which are among calls by their ids. The turn's other calls belong to
// other answers.
func (m *Message) takeCalls(calls map[string]ToolCall) {
	for _, st := range m.Responses {
		for _, id := range st.Calls {
			if c, stored := calls[id]; stored {
				m.Calls = append(m.Calls, c)
			}
		}
	}
}

// AddRest adds a step for the text after the last step: a response that broke off.
func (m *Message) AddRest() {
	start := 0
	if n := len(m.Responses); n > 0 {
		end := m.Responses[n-1].End
		start = len(m.Text) - len(strings.TrimLeft(m.Text[end:], "\n")) // after the paragraph break
	}
	if start < len(m.Text) {
		m.Responses = append(m.Responses, Response{Start: start, End: len(m.Text)})
	}
}

// Extra returns what is stored of a message as JSON, less its owner.
func (m *Message) Extra() Extra {
	return Extra{
		ExtraGiven: ExtraGiven{Attachments: m.Attachments, Expansion: m.Expansion, Context: m.Found.Text,
			Secrets: m.Found.Secrets,
			Rules:   m.Rules, Files: m.Files, Notice: m.Notice, Reported: m.Reported},
		Steps: m.Responses, StopReason: m.StopReason, Error: m.Error, ErrorKind: m.ErrorKind, Usage: m.Usage,
		Window: m.Context, Scale: m.Scale, Compaction: m.Compaction}
}

// Queryer is a transaction or a pool of readers.
type Queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// NewestLeafQuery reads only the newest message of a conversation.
const NewestLeafQuery = `SELECT id FROM messages WHERE conversation_id = ? ORDER BY rowid DESC LIMIT 1`

// NewestLeaf returns the id of the newest message, or "" if there is none. Messages
// are stored after their parents, so the newest message has no child.
func NewestLeaf(ctx context.Context, q Queryer, conversationID string) (string, error) {
	var id string
	err := q.QueryRowContext(ctx, NewestLeafQuery, conversationID).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return id, err
}

// LastAnswer returns the id of a turn's last answer.
func LastAnswer(ctx context.Context, q Queryer, requestID string) (id string, err error) {
	err = q.QueryRowContext(ctx, `SELECT id FROM messages WHERE request_id = ? AND role = ? ORDER BY rowid DESC LIMIT 1`,
		requestID, llm.Assistant).Scan(&id)
	return id, err
}

// ParentOf returns the id of the message that a message follows, or "" if it is the first one.
func ParentOf(ctx context.Context, q Queryer, id string) (parent string, err error) {
	err = q.QueryRowContext(ctx, `SELECT coalesce(parent_id, '') FROM messages WHERE id = ?`, id).Scan(&parent)
	return parent, err
}

// MoveBelow moves what follows the parent of a message, other than the message, to behind an answer: in the
// tree, and in the order in which messages are stored, in which parents come before their children.
func MoveBelow(ctx context.Context, tx *sql.Tx, m *Message, answerID string) error {
	rows, err := tx.QueryContext(ctx, `
		WITH RECURSIVE below (id) AS (
			SELECT id FROM messages WHERE conversation_id = ?1 AND parent_id = ?2 AND id != ?3
			UNION ALL
			SELECT m.id FROM messages m JOIN below ON m.conversation_id = ?1 AND m.parent_id = below.id
		)
		SELECT m.id FROM messages m JOIN below ON m.id = below.id ORDER BY m.rowid`, m.ConversationID, m.ParentID, m.ID)
	if err != nil {
		return err
	}
	defer rows.Close()
	var moved []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return err
		}
		moved = append(moved, id)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	rows.Close() // a transaction has only one connection for the next query
	for _, id := range moved {
		_, err := tx.ExecContext(ctx, `UPDATE messages SET rowid = (SELECT max(rowid) + 1 FROM messages),
			parent_id = CASE parent_id WHEN ?1 THEN ?2 ELSE parent_id END WHERE id = ?3`, m.ParentID, answerID, id)
		if err != nil {
			return err
		}
	}
	return nil
}

// Marshal is json.Marshal for structs of this package, which can't fail.
func Marshal(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// HasRules reports whether rules of folders are sent with the message.
func (m *Message) HasRules() bool {
	return len(m.Rules) > 0 || slices.ContainsFunc(m.Responses, func(st Response) bool { return len(st.Rules) > 0 })
}

// ShowsFiles reports whether the model was shown files with the message or by its calls.
func (m *Message) ShowsFiles() bool {
	return len(m.Files) > 0 || slices.ContainsFunc(m.Responses, func(st Response) bool { return len(st.Files) > 0 })
}

// HasCuts reports whether results of the message's calls were cut.
func (m *Message) HasCuts() bool {
	return slices.ContainsFunc(m.Responses, func(st Response) bool { return len(st.Cut) > 0 })
}

// FilePaths returns the absolute paths of the files that were attached to a message, or that it or its calls have shown
// or changed, the last ones first.
func (m *Message) FilePaths() (paths []string) {
	for _, r := range slices.Backward(m.Responses) {
		for _, f := range r.Files {
			paths = append(paths, f.Path)
		}
	}
	for _, a := range m.Attachments {
		if !a.Folder {
			paths = append(paths, a.Path)
		}
	}
	for _, f := range m.Files {
		paths = append(paths, f.Path)
	}
	return paths
}
