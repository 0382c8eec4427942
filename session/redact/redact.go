// Package redact replaces secrets in messages to a model by placeholders, and
// restores them in the model's calls.
//
// Its promises:
//
//   - The hidden text depends only on the text, the vault's key and the secrets
//     that the caller names, so that equal conversations are equal bytes.
//   - A placeholder reveals nothing about its secret without the key. Both are on
//     one line, so lines keep their numbers.
//   - Restoring hidden text gives the original bytes. Text that resembles a
//     placeholder but is none is an [*UnknownError]; it is never guessed.
//
// Package secretscan detects secrets. A false positive hides a word from the model and
// has no other effect.
package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"sync"

	"ploke-lsp/internal/secretscan"
)

// Vault maps placeholders to secrets. It is safe for concurrent use.
type Vault struct {
	key []byte

	mu      sync.Mutex
	secrets map[string]string // by placeholder
}

// New returns an empty vault. Vaults with the same key make the same placeholders.
// The key must be kept from the recipients of the placeholders.
func New(key string) *Vault {
	return &Vault{key: []byte(key), secrets: map[string]string{}}
}

const (
	placeholderPrefix = "PLOKE_SECRET_"
	hashBytes         = 6 // bytes of the keyed hash in a placeholder
)

// placeholder returns the placeholder of secret, and stores both.
func (v *Vault) placeholder(secret string) string {
	mac := hmac.New(sha256.New, v.key)
	mac.Write([]byte(secret))
	name := placeholderPrefix + hex.EncodeToString(mac.Sum(nil)[:hashBytes])
	v.mu.Lock()
	defer v.mu.Unlock()
	v.secrets[name] = secret
	return name
}

// Add makes the vault know the placeholders of secrets, as if it had hidden them.
func (v *Vault) Add(secrets ...string) {
	for _, secret := range secrets {
		v.placeholder(secret)
	}
}

// Secret returns the secret of a placeholder.
func (v *Vault) Secret(placeholder string) (secret string, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	secret, ok = v.secrets[placeholder]
	return secret, ok
}

// Hide replaces the secrets in a text: those that are detected, and the known ones,
// which must each be on one line. It returns the number of placeholders.
func (v *Vault) Hide(text string, known ...string) (hidden string, places int) {
	found := secretscan.Find(text, known...)
	if len(found) == 0 {
		return text, 0
	}
	var b strings.Builder
	at := 0
	for _, s := range found {
		b.WriteString(text[at:s.Start])
		b.WriteString(v.placeholder(text[s.Start:s.End]))
		at = s.End
	}
	b.WriteString(text[at:])
	return b.String(), len(found)
}
