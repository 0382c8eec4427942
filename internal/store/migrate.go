package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"path/filepath"
	"time"
)

// The files of migrations, sorted by name, are the versions of the schema: the n-th file
// migrates version n-1 to version n. The statements of a released file never change.
//
//go:embed migrations/*.sql
var migrations embed.FS

// upgradeWait is how long an upgrade waits until no other process has the database open. An
// editor that starts its server again has the earlier one for up to two seconds.
const upgradeWait = 3 * time.Second

// A schema is what a program can read and write.
type schema struct {
	steps []string      // the n-th migrates version n-1 to version n
	wait  time.Duration // as upgradeWait
}

// newest returns the schema of this program.
func newest() schema {
	entries, err := migrations.ReadDir("migrations")
	if err != nil {
		panic(err) // embedded files always exist
	}
	s := schema{wait: upgradeWait}
	for _, e := range entries {
		text, err := migrations.ReadFile("migrations/" + e.Name())
		if err != nil {
			panic(err)
		}
		s.steps = append(s.steps, string(text))
	}
	return s
}

// version is the version of the schema. Versions count from 1; an empty database has 0.
func (s schema) version() int { return len(s.steps) }

// NewerError is the error for a database that a later release has written.
type NewerError struct {
	Path      string
	Version   int    // of the file's schema
	Supported int    // the newest version that this program supports
	Copy      string // the path of a copy from before the upgrade that this program supports; "" if there is none
}

func (e *NewerError) Error() string {
	text := fmt.Sprintf("%s has schema version %d, but this ploke-lsp supports versions up to %d; update ploke-lsp, or "+
		"choose another folder with --state-dir",
		filepath.Base(e.Path), e.Version, e.Supported)
	if e.Copy != "" {
		text += fmt.Sprintf("; \"ploke-lsp restore %s\" goes back to what was there before the upgrade", e.Copy)
	}
	return text
}

// migrate applies the steps that the database lacks in one transaction.
func (s schema) migrate(ctx context.Context, db *sql.DB, version int) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for n, step := range s.steps[version:] {
		if _, err := tx.ExecContext(ctx, step); err != nil {
			return fmt.Errorf("migrate the schema to version %d: %w", version+n+1, err)
		}
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", s.version())); err != nil {
		return err
	}
	return tx.Commit()
}

func schemaVersion(ctx context.Context, db *sql.DB) (version int, err error) {
	err = db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	return version, err
}
