package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"path/filepath"
)

// The files of migrations, in the order of their names, are the schema's
// versions: the n-th brings version n-1 to n. A released one is never changed.
//
//go:embed migrations/*.sql
var migrations embed.FS

// NewerError says that a database was written by a later release.
type NewerError struct {
	Path      string
	Version   int // of the file's schema
	Supported int // the newest one that this program knows
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("%s has schema version %d, and this ploke-lsp knows versions up to %d; update ploke-lsp, or choose another folder with --state-dir",
		filepath.Base(e.Path), e.Version, e.Supported)
}

// latest returns the text of every migration, in order.
func latest() []string {
	entries, err := migrations.ReadDir("migrations")
	if err != nil {
		panic(err) // embedded: it is there
	}
	var steps []string
	for _, e := range entries {
		text, err := migrations.ReadFile("migrations/" + e.Name())
		if err != nil {
			panic(err)
		}
		steps = append(steps, string(text))
	}
	return steps
}

// migrate applies the steps that the database does not have yet. Another
// process may be doing the same: the version is looked at inside of each
// transaction.
func migrate(ctx context.Context, db *sql.DB, path string, steps []string) error {
	for {
		version, err := schemaVersion(ctx, db)
		switch {
		case err != nil:
			return err
		case version > len(steps):
			return &NewerError{Path: path, Version: version, Supported: len(steps)}
		case version == len(steps):
			return nil
		}
		if err := step(ctx, db, steps, version); err != nil {
			return err
		}
	}
}

// step brings the schema from version to version+1, if it is still there.
func step(ctx context.Context, db *sql.DB, steps []string, version int) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	now, err := schemaVersion(ctx, tx)
	if err != nil || now != version {
		return err
	}
	if _, err := tx.ExecContext(ctx, steps[version]); err != nil {
		return fmt.Errorf("migrate the schema to version %d: %w", version+1, err)
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version+1)); err != nil {
		return err
	}
	return tx.Commit()
}

type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func schemaVersion(ctx context.Context, db querier) (version int, err error) {
	err = db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	return version, err
}
