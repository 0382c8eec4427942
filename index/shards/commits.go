package shards

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/index/history"
	"ploke-lsp/internal/process"
)

// commits is the commit history of a shard's folder in one generation.
type commits struct {
	number int64 // incremented by each change of the history
	log    *history.Log
}

// followHistory updates a shard's history from its repository, in the background.
func (x *Set) followHistory(s *Shard) {
	x.inBackground("reading the history of the repository", s.Root, s.updateHistory)
}

// updateHistory reads new commits, and drops the commits that no longer count.
func (s *Shard) updateHistory(ctx context.Context) error {
	s.historyMu.Lock()
	defer s.historyMu.Unlock()
	if s.historyTooLarge {
		return nil
	}
	err := s.readHistory(ctx)
	if limit := new(process.LimitError); errors.As(err, &limit) {
		s.historyTooLarge = true
		s.notice(fmt.Sprintf("the history of the repository of %s is not used until the next start: %v", s.Root, err))
	}
	return err
}

// readHistory is updateHistory, with the lock held.
func (s *Shard) readHistory(ctx context.Context) error {
	ids, err := history.List(ctx, s.Root)
	if err != nil {
		return err
	}
	known, err := listCommits(ctx, s.db.read)
	if err != nil {
		return s.NoteDamage(err)
	}
	if slices.EqualFunc(ids, known, func(id string, c history.Commit) bool { return id == c.ID }) {
		return nil
	}
	all, err := s.completeCommits(ctx, ids, known)
	if err != nil {
		return err
	}
	return s.exclusively(ctx, func() error {
		next := s.current.next()
		next.commits = commits{s.current.commits.number + 1, history.NewLog(all)}
		return s.commitGeneration(ctx, next, nil,
			func(tx *sql.Tx) error { return replaceCommits(tx, all, next.commits.number) })
	})
}

// completeCommits returns the commits with those IDs. It reads the commits that are not
// among known.
func (s *Shard) completeCommits(ctx context.Context, ids []string, known []history.Commit) ([]history.Commit, error) {
	byID := map[string]history.Commit{}
	for _, c := range known {
		byID[c.ID] = c
	}
	var missing []string
	for _, id := range ids {
		if _, ok := byID[id]; !ok {
			missing = append(missing, id)
		}
	}
	if len(missing) > 0 {
		read, err := history.Read(ctx, s.Root, missing)
		if err != nil {
			return nil, err
		}
		for _, c := range read {
			byID[c.ID] = c
		}
	}
	all := make([]history.Commit, len(ids))
	for i, id := range ids {
		all[i] = byID[id]
	}
	return all, nil
}

// readCommits returns the history in the database. It returns the current generation's if
// that is the same.
func (s *Shard) readCommits(ctx context.Context, tx *sql.Tx) (commits, error) {
	number, err := meta(ctx, tx, "history")
	if err != nil {
		return commits{}, err
	}
	if s.current != nil && s.current.commits.number == number {
		return s.current.commits, nil
	}
	all, err := listCommits(ctx, tx)
	return commits{number, history.NewLog(all)}, err
}

func listCommits(ctx context.Context, db rowQuerier) ([]history.Commit, error) {
	return queryRows(ctx, db, func(rows *sql.Rows) (c history.Commit, err error) {
		var files, renames string
		err = rows.Scan(&c.ID, &c.Subject, &files, &renames)
		c.Files = splitPaths(files)
		for paths := splitPaths(renames); len(paths) >= 2; paths = paths[2:] {
			c.Renames = append(c.Renames, history.Rename{From: paths[0], To: paths[1]})
		}
		return c, err
	}, "SELECT id, subject, files, renames FROM commits ORDER BY place")
}

func replaceCommits(tx *sql.Tx, all []history.Commit, number int64) error {
	if _, err := tx.Exec("DELETE FROM commits"); err != nil {
		return err
	}
	place := 0
	err := execEach(tx, "INSERT INTO commits (place, id, subject, files, renames) VALUES (?, ?, ?, ?, ?)", all,
		func(c history.Commit) []any {
			var renames []string
			for _, r := range c.Renames {
				renames = append(renames, r.From, r.To)
			}
			place++
			return []any{place, c.ID, c.Subject, joinPaths(c.Files), joinPaths(renames)}
		})
	if err != nil {
		return err
	}
	return setMeta(tx, "history", number)
}

// joinPaths returns paths with a NUL after each.
func joinPaths(paths []string) string {
	var joined strings.Builder
	for _, path := range paths {
		joined.WriteString(path + "\x00")
	}
	return joined.String()
}

// splitPaths splits what joinPaths has joined.
func splitPaths(joined string) []string {
	paths := strings.Split(joined, "\x00")
	return paths[:len(paths)-1]
}
