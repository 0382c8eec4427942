package edits

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"ploke-lsp/internal/store"
	"ploke-lsp/internal/workspace"
)

// NotFoundError says that there is no such proposal.
type NotFoundError struct{ ID string }

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("there is no proposal %s; list the proposals to see their ids", e.ID)
}

// proposalBody is the JSON column of a proposal's row.
type proposalBody struct {
	Reason         string   `json:"reason,omitempty"`
	DecisionReason string   `json:"decision_reason,omitempty"`
	Origins        []Origin `json:"origins,omitempty"`
	Content        string   `json:"content,omitempty"` // as in Proposal
	Follows        bool     `json:"follows,omitempty"` // as in Proposal
}

const proposalColumns = `SELECT id, conversation_id, request_id, call_id, title, body, in_flight, created_at, updated_at,
	(SELECT '[' || coalesce(group_concat(change, ',' ORDER BY position), '') || ']' FROM proposal_changes WHERE proposal_id = proposals.id)
	FROM proposals `

// someChange is the condition that a change of a proposal has a piece of JSON, which is an expression.
func someChange(piece string) string {
	return `EXISTS (SELECT 1 FROM proposal_changes WHERE proposal_id = proposals.id AND instr(change, ` + piece + `))`
}

func (s *Proposals) queryProposals(ctx context.Context, where string, args ...any) ([]*Proposal, error) {
	rows, err := s.db.Read().QueryContext(ctx, proposalColumns+where, args...)
	if err != nil {
		return nil, fmt.Errorf("read proposals: %w", err)
	}
	defer rows.Close()
	var ps []*Proposal
	for rows.Next() {
		p, err := scanProposal(rows)
		if err != nil {
			return nil, fmt.Errorf("read proposals: %w", err)
		}
		ps = append(ps, p)
	}
	return ps, rows.Err()
}

// storedVersion names a stored state of a proposal.
type storedVersion struct {
	id        string
	updatedAt int64
}

// versionsFor returns the turn's last proposal and the one that waited when the turn began, each
// unless it has been decided on as a whole.
func (s *Proposals) versionsFor(ctx context.Context, turn Turn) (found []storedVersion, err error) {
	rows, err := s.db.Read().QueryContext(ctx, `
		SELECT * FROM (SELECT id, updated_at, status FROM proposals WHERE request_id = ?1 ORDER BY created_at DESC, id DESC LIMIT 1)
		UNION ALL SELECT id, updated_at, status FROM proposals WHERE id = ?2`, turn.ID, turn.Earlier)
	if err != nil {
		return nil, fmt.Errorf("read proposals: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var v storedVersion
		var status State
		if err := rows.Scan(&v.id, &v.updatedAt, &status); err != nil {
			return nil, fmt.Errorf("read proposals: %w", err)
		}
		twice := len(found) > 0 && found[0].id == v.id
		if !twice && (status == Staged || status == Partial) {
			found = append(found, v)
		}
	}
	return found, rows.Err()
}

func scanProposal(rows *sql.Rows) (*Proposal, error) {
	var p Proposal
	var data, inFlight, changes []byte
	var created int64
	err := rows.Scan(&p.ID, &p.ConversationID, &p.RequestID, &p.CallID, &p.Title, &data, &inFlight, &created, &p.updatedAt,
		&changes)
	if err != nil {
		return nil, err
	}
	var b proposalBody
	if err := errors.Join(json.Unmarshal(data, &b), json.Unmarshal(inFlight, &p.inFlight),
		json.Unmarshal(changes, &p.Changes)); err != nil {
		return nil, err
	}
	p.Reason, p.DecisionReason, p.Origins = b.Reason, b.DecisionReason, b.Origins
	p.content, p.follows = b.Content, b.Follows
	p.CreatedAt = time.UnixMilli(created)
	return &p, nil
}

var errTextGone = errors.New("the text that the change was made against is not kept any more; change the file by hand")

// errRaced says that another process changed the proposal at the same time.
var errRaced = errors.New("the proposal was changed in another window just now; look at it again")

// save stores p and the given texts, durably. It fails if the stored proposal is not the
// version that p was made from.
func (s *Proposals) save(ctx context.Context, p *Proposal, texts ...[]byte) error {
	return s.saveAnd(ctx, p, texts, func(*sql.Tx) error { return nil })
}

// saveAnd is like save, and calls more in the same transaction.
func (s *Proposals) saveAnd(ctx context.Context, p *Proposal, texts [][]byte, more func(*sql.Tx) error) error {
	data, err := json.Marshal(proposalBody{Reason: p.Reason, DecisionReason: p.DecisionReason, Origins: p.Origins,
		Content: p.content, Follows: p.follows})
	if err != nil {
		return err
	}
	inFlight, err := json.Marshal(p.inFlight)
	if err != nil {
		return err
	}
	changed, err := p.changedRows()
	if err != nil {
		return err
	}
	updated := max(time.Now().UnixMilli(), p.updatedAt+1)
	kept := packTexts(append(texts, p.unsaved...)) // before the transaction, which others wait for
	err = s.db.Write(ctx, func(tx *sql.Tx) error {
		for _, text := range kept {
			if err := text.save(ctx, tx); err != nil {
				return err
			}
		}
		result, err := tx.ExecContext(ctx, `
			INSERT INTO proposals (id, conversation_id, request_id, call_id, title, body, in_flight, status, created_at, updated_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (id) DO UPDATE
			SET request_id = excluded.request_id, title = excluded.title, body = excluded.body, in_flight = excluded.in_flight, status = excluded.status, updated_at = excluded.updated_at
			WHERE updated_at = ?`,
			p.ID, p.ConversationID, p.RequestID, p.CallID, p.Title, string(data), string(inFlight), string(p.Status()),
			p.CreatedAt.UnixMilli(), updated, p.updatedAt)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, errRaced)
		}
		if err := p.saveChanges(ctx, tx, changed); err != nil {
			return err
		}
		return more(tx)
	})
	if err != nil {
		return fmt.Errorf("store the proposal: %w", err)
	}
	p.updatedAt, p.unsaved = updated, nil
	return nil
}

// changeRow is a change as it is stored.
type changeRow struct {
	position int
	change   []byte // JSON
}

// changedRows returns the changes that are not stored yet as they are in p.
func (p *Proposal) changedRows() (rows []changeRow, err error) {
	for i, c := range p.Changes {
		if i < len(p.stored) && p.stored[i] == c {
			continue
		}
		data, err := json.Marshal(c)
		if err != nil {
			return nil, err
		}
		rows = append(rows, changeRow{i, data})
	}
	return rows, nil
}

// saveChanges stores these changes of p, and removes those behind the last one of p.
func (p *Proposal) saveChanges(ctx context.Context, tx *sql.Tx, changed []changeRow) error {
	for _, row := range changed {
		_, err := tx.ExecContext(ctx, `INSERT INTO proposal_changes (proposal_id, position, change) VALUES (?, ?, ?)
			ON CONFLICT (proposal_id, position) DO UPDATE SET change = excluded.change`, p.ID, row.position, string(row.change))
		if err != nil {
			return err
		}
	}
	_, err := tx.ExecContext(ctx, `DELETE FROM proposal_changes WHERE proposal_id = ? AND position >= ?`, p.ID,
		len(p.Changes))
	return err
}

// packedText is a text as it is stored.
type packedText struct {
	hash   string // of the text
	stored []byte
	packed bool // stored is compressed
}

func packTexts(texts [][]byte) (all []packedText) {
	for _, text := range texts {
		stored, packed := store.Pack(text)
		if stored == nil {
			stored = []byte{} // nil would be NULL
		}
		all = append(all, packedText{workspace.Hash(text), stored, packed})
	}
	return all
}

func (t packedText) save(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx,
		`INSERT INTO blobs (hash, text, packed, used_at) VALUES (?, ?, ?, ?)
			ON CONFLICT (hash) DO UPDATE SET used_at = excluded.used_at`,
		t.hash, t.stored, t.packed, time.Now().UnixMilli())
	return err
}

// textOf returns the text with the given hash, which is stored or will be stored with p.
func (s *Proposals) textOf(ctx context.Context, p *Proposal, hash string) (text []byte, err error) {
	for _, text := range p.unsaved {
		if workspace.Hash(text) == hash {
			return text, nil
		}
	}
	return s.text(ctx, hash)
}

// text returns the stored text with the given hash.
func (s *Proposals) text(ctx context.Context, hash string) (text []byte, err error) {
	var packed bool
	err = s.db.Read().QueryRowContext(ctx, `SELECT text, packed FROM blobs WHERE hash = ?`, hash).Scan(&text, &packed)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, errTextGone
	}
	if err == nil && packed {
		text, err = store.Unpack(text)
	}
	if err != nil {
		return nil, fmt.Errorf("read the text that a change was made against: %w", err)
	}
	return text, nil
}
