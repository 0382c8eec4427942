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
// The files of migrations, sorted by name, are the versions of the schema: the n-th file
// migrates version n-1 to version n. The statements of a released file never change.
//
//go:embed migrations/*.sql
var migrations embed.FS

// NewerError is the error for a database that a later release has written.
type NewerError struct {
	Path      string
	Version   int // of the file's schema
	Supported int // the newest version that this program supports
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("%s has schema version %d, but this ploke-lsp supports versions up to %d; update ploke-lsp, or choose another folder with --state-dir",
		filepath.Base(e.Path), e.Version, e.Supported)
}

// allMigrations returns the text of every migration, in order.
func allMigrations() []string {
	entries, err := migrations.ReadDir("migrations")
	if err != nil {
		panic(err) // embedded files always exist
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

// migrate applies the steps that the database lacks. Another process may do the same, so
// each transaction reads the version again.
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
		if err := applyMigration(ctx, db, steps, version); err != nil {
			return err
		}
	}
}

// applyMigration migrates the schema from version to version+1, if that is still its
// version.
func applyMigration(ctx context.Context, db *sql.DB, steps []string, version int) error {
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
