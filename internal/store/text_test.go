package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestTextsAreStoredCompressed reads each text back, and looks at what the column has.
func TestTextsAreStoredCompressed(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "state.db"))
	if err := addConversation(t.Context(), db, "c"); err != nil {
		t.Fatal(err)
	}
	random := make([]byte, 10_000)
	for i := range random {
		random[i] = byte(rand.N(256))
	}
	for _, tt := range []struct {
		name, text, as string
		atMost         int // bytes in the column
	}{
		{"empty", "", "text", 0},
		{"short", `{"ok":true}`, "text", 11},
		{"long", strings.Repeat(`{"id":"/home/a/b.go#12:40","kind":"function"},`, 400), "blob", 400},
		{"what does not get shorter", string(random), "text", len(random)},
		{"beyond one buffer", strings.Repeat("ä line of text\n", 300_000), "blob", 30_000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := db.Write(t.Context(), func(tx *sql.Tx) error {
				_, err := tx.Exec(`INSERT INTO tool_calls (id, request_id, conversation_id, call_id, tool, started_at, content) VALUES (?1, 'r', `+
					`'c', ?1, 'x', 1, ?2)`, tt.name, Text(tt.text))
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			var got Text
			var as string
			var size int
			err = db.Read().QueryRow(`SELECT content, typeof(content), length(CAST(content AS BLOB)) FROM tool_calls WHERE id = ?`,
				tt.name).Scan(&got, &as, &size)
			if err != nil || string(got) != tt.text {
				t.Fatalf("%d bytes came back of %d: %v", len(got), len(tt.text), err)
			}
			if as != tt.as || size > tt.atMost {
				t.Errorf("it is a %s of %d bytes, want a %s of at most %d", as, size, tt.as, tt.atMost)
			}
		})
	}
}

func TestADamagedCompressedTextIsAnError(t *testing.T) {
	stored, packed := Pack([]byte(strings.Repeat("text ", 1000)))
	if !packed {
		t.Fatal("not compressed")
	}
	for n := range stored {
		var text Text
		if err := text.Scan(stored[:n]); err == nil {
			t.Errorf("%d of %d bytes are taken for a text", n, len(stored))
		}
	}
}

func TestTextsArePackedSideBySide(t *testing.T) {
	var packing sync.WaitGroup
	for i := range 8 {
		packing.Go(func() {
			for j := range 50 {
				want := strings.Repeat(fmt.Sprintf("%d of %d\n", j, i), 100)
				stored, packed := Pack([]byte(want))
				got, err := Unpack(stored)
				if !packed || err != nil || string(got) != want {
					t.Errorf("%d bytes came back: %v", len(got), err)
				}
			}
		})
	}
	packing.Wait()
}

// TestUpgradesKeepTexts compares the texts of each release with those after the upgrade.
func TestUpgradesKeepTexts(t *testing.T) {
	for release, file := range releases(t) {
		t.Run(release, func(t *testing.T) {
			path := stateOf(t, file)
			before, err := openReadOnly(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			want, err := texts(t.Context(), before)
			if err := errors.Join(err, before.Close()); err != nil {
				t.Fatal(err)
			}
			got, err := texts(t.Context(), open(t, path).Read())
			if err != nil {
				t.Fatal(err)
			}
			if got != want || !strings.Contains(want, "a.go") {
				t.Errorf("after the upgrade:\n%s\n\nbefore:\n%s", got, want)
			}
		})
	}
}

// texts returns the texts of calls and of the ledger, in their order.
func texts(ctx context.Context, db *sql.DB) (string, error) {
	var b strings.Builder
	for _, query := range []string{
		`SELECT tool, arguments, content FROM tool_calls ORDER BY request_id, seq`,
		`SELECT sent, host, files FROM ledger ORDER BY rowid`,
		`SELECT status, '', extra FROM messages ORDER BY rowid`,
	} {
		rows, err := db.QueryContext(ctx, query)
		if err != nil {
			return "", err
		}
		defer rows.Close()
		for rows.Next() {
			var x, y, z Text
			if err := rows.Scan(&x, &y, &z); err != nil {
				return "", err
			}
			fmt.Fprintln(&b, x, y, z)
		}
		if err := rows.Err(); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}
