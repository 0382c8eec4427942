package current

import (
	"context"
	"slices"
	"strings"
	"sync"

	"ploke-lsp/internal/secretscan"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools/wording"
)

// A rule may need more of a file than a result shows to see that something is a secret.
// So each file that a call reads is scanned as a whole, and the result names the secrets
// that it shows. Results show a secret completely or not at all.

// Readings collects the secrets of the texts that a call reads.
type Readings struct {
	mu      sync.Mutex
	secrets map[string]bool
}

type readingsKey struct{}

// WithReadings returns a context under which [NoteSecrets] adds to a new collection.
func WithReadings(ctx context.Context) (context.Context, *Readings) {
	r := &Readings{secrets: map[string]bool{}}
	return context.WithValue(ctx, readingsKey{}, r), r
}

// NoteSecrets notes the secrets of a file whose text the call may show.
func NoteSecrets(ctx context.Context, file *workspace.File) {
	NoteAll(ctx, secretscan.OfText(file.Hash, file.Text))
}

// NoteAll notes secrets of what the call may show. Each is on one line.
func NoteAll(ctx context.Context, secrets []string) {
	r, ok := ctx.Value(readingsKey{}).(*Readings)
	if !ok {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, secret := range secrets {
		r.secrets[secret] = true
	}
}

// In returns the collected secrets that a JSON text contains, sorted.
func (r *Readings) In(content []byte) (shown []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	text := string(content)
	for secret := range r.secrets {
		if quoted := wording.JSON(secret); strings.Contains(text, quoted[1:len(quoted)-1]) {
			shown = append(shown, secret)
		}
	}
	slices.Sort(shown)
	return shown
}
