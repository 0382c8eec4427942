package evidence

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"ploke-lsp/internal/lease"
	"ploke-lsp/internal/store"
)

const (
	// ownedFor is how long a process of another host takes a source for running that does not end.
	ownedFor = time.Hour

	otherVersion = "the proposal has changed since"
	otherFiles   = "the files have changed since"
	abandoned    = "the process that ran it has ended"
)

// Store is the evidence in a database. It is safe for concurrent use.
type Store struct {
	db       *store.DB
	self     lease.Owner
	onChange func(proposalID string)
}

// NewStore returns the evidence in db. id is new at each start of the process. onChange is called after a change of a
// proposal's evidence is committed.
func NewStore(db *store.DB, id string, onChange func(proposalID string)) *Store {
	return &Store{db, lease.New(id, ownedFor), onChange}
}

// Put stores what a source says of a version of a proposal, in place of what it has said of any. A version is named by
// the texts of it, as [edits.Version] names them.
func (s *Store) Put(ctx context.Context, proposalID, version string, e Evidence) error {
	e.Bound()
	body, err := json.Marshal(e)
	if err != nil {
		return err
	}
	owner := ""
	if e.State == Running {
		self := s.self
		self.Until = lease.Until(ownedFor)
		data, err := json.Marshal(self)
		if err != nil {
			return err
		}
		owner = string(data)
	}
	return s.write(ctx, proposalID, `INSERT INTO evidence (proposal_id, source, version, owner, body)
		SELECT id, ?2, ?3, ?4, ?5 FROM proposals WHERE id = ?1
		ON CONFLICT (proposal_id, source) DO UPDATE
		SET version = excluded.version, owner = excluded.owner, body = excluded.body`,
		proposalID, e.Source, version, owner, string(body))
}

// Remove forgets what the sources say of a proposal that are not among keep.
func (s *Store) Remove(ctx context.Context, proposalID string, keep []string) error {
	kept, err := json.Marshal(append([]string{}, keep...))
	if err != nil {
		return err
	}
	return s.write(ctx, proposalID,
		`DELETE FROM evidence WHERE proposal_id = ?1 AND source NOT IN (SELECT value FROM json_each(?2))`,
		proposalID, string(kept))
}

// FilesChanged makes what is known of a proposal stale. What runs is left alone: it notices by itself.
func (s *Store) FilesChanged(ctx context.Context, proposalID string) error {
	return s.write(ctx, proposalID, `UPDATE evidence
		SET body = json_set(body, '$.state', ?2, '$.reason', ?3)
		WHERE proposal_id = ?1 AND owner = '' AND body ->> 'state' IN (?4, ?5)`,
		proposalID, string(Stale), otherFiles, string(Passed), string(Failed))
}

// write changes the evidence of a proposal, and tells it if something has changed.
func (s *Store) write(ctx context.Context, proposalID, statement string, args ...any) error {
	var changed int64
	err := s.db.Write(ctx, func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, statement, args...)
		if err == nil {
			changed, err = result.RowsAffected()
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("store the evidence on a proposal: %w", err)
	}
	if changed > 0 {
		s.onChange(proposalID)
	}
	return nil
}

// Of returns what is known of a version of a proposal, by source. What is known of another version is stale.
func (s *Store) Of(ctx context.Context, proposalID, version string) (all []Evidence, err error) {
	rows, err := s.db.Read().QueryContext(ctx,
		`SELECT source, version, owner, body FROM evidence WHERE proposal_id = ? ORDER BY source`, proposalID)
	if err != nil {
		return nil, fmt.Errorf("read the evidence on a proposal: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var r row
		if err := rows.Scan(&r.source, &r.version, &r.owner, &r.body); err != nil {
			return nil, err
		}
		e, err := s.decode(r, version)
		if err != nil {
			return nil, fmt.Errorf("read the evidence on a proposal: %w", err)
		}
		all = append(all, e)
	}
	return all, rows.Err()
}

// row is a row of the table.
type row struct{ source, version, owner, body string }

func (s *Store) decode(r row, version string) (e Evidence, err error) {
	if err := json.Unmarshal([]byte(r.body), &e); err != nil {
		return e, err
	}
	e.Source = r.source
	if e.State == Running {
		var owner lease.Owner
		if err := json.Unmarshal([]byte(r.owner), &owner); err != nil {
			return e, err
		}
		if owner.Dead(s.self.ID, time.Now()) {
			e.State, e.Reason = Unknown, abandoned
		}
	}
	if r.version != version {
		e.stale(otherVersion)
	}
	return e, nil
}
