package session

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"ploke-lsp/internal/secretscan"
	"ploke-lsp/session/records"
	"ploke-lsp/session/window"
)

// knownSecrets are secrets that the rules may not find where they are: those that tools got
// for placeholders, and those of the files that conversations have shown. The zero value is
// empty. It is safe for concurrent use.
type knownSecrets struct {
	mu     sync.Mutex
	listed map[string]bool
	all    []string
}

func (k *knownSecrets) add(secrets ...string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, secret := range secrets {
		if k.listed[secret] {
			continue
		}
		if k.listed == nil {
			k.listed = map[string]bool{}
		}
		k.listed[secret] = true
		k.all = append(k.all, secret)
	}
}

// addLong adds those secrets that are not short enough to be words.
func (k *knownSecrets) addLong(secrets []string) {
	for _, secret := range secrets {
		if len(secret) >= minKnown {
			k.add(secret)
		}
	}
}

// in returns those that a text contains.
func (k *knownSecrets) in(text string) []string { return secretscan.In(text, k.list()) }

// list returns all of them. The slice has no room behind its end.
func (k *knownSecrets) list() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clip(k.all) // only ever appended to
}

// storedSecrets returns the secrets of stored calls. which is a condition in SQL.
func storedSecrets(ctx context.Context, q records.Queryer, which string, args ...any) (all []string, err error) {
	rows, err := q.QueryContext(ctx, `SELECT secrets FROM tool_calls WHERE `+which+` AND secrets NOT IN ('null', '[]')`,
		args...)
	if err != nil {
		return nil, fmt.Errorf("the secrets of stored calls could not be read: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var stored string
		var secrets []string
		if err := rows.Scan(&stored); err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(stored), &secrets); err != nil {
			return nil, err
		}
		all = append(all, secrets...)
	}
	return all, rows.Err()
}

// noteSecrets adds the secrets of the files that the conversation has shown before the turn,
// or that its message shows. Those of its messages that are not fresh are known.
func (s *requestSession) noteSecrets(fresh []window.Message) {
	known := &s.e.kept.known
	known.addLong(s.user.Secrets())
	for i := range fresh {
		for j := range fresh[i].Prepared.Sent {
			known.addLong(fresh[i].Prepared.Sent[j].Secrets)
		}
	}
}

// loadWrittenSecrets adds the secrets that calls, in this or another process, may have written
// to files.
func (e *Engine) loadWrittenSecrets(ctx context.Context) error {
	var names []string
	for _, t := range e.opts.Tools.All() {
		if t.WritesSecrets() {
			names = append(names, t.Name)
		}
	}
	// SQLite compares the names first, and does not read the large results of other tools.
	written, err := storedSecrets(ctx, e.opts.DB.Read(), `tool IN (SELECT value FROM json_each(?))`,
		records.Marshal(names))
	e.kept.known.add(written...)
	return err
}
