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
// Rules (rules.go) detect secrets: the formats of well-known keys, private keys in
// PEM, passwords in URLs, and values assigned to names such as password if they are
// irregular. Secrets without such signs are missed. A false positive hides a word
// from the model and has no other effect.
package redact

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
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

// Secret returns the secret of a placeholder.
func (v *Vault) Secret(placeholder string) (secret string, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	secret, ok = v.secrets[placeholder]
	return secret, ok
}

// Hide replaces the secrets in a text: those that rules detect, and the known ones,
// which must each be on one line. It returns the number of placeholders.
func (v *Vault) Hide(text string, known ...string) (hidden string, places int) {
	found := find(text)
	for _, secret := range known {
		found = append(found, occurrences(text, secret)...)
	}
	if len(found) == 0 {
		return text, 0
	}
	found = merged(text, found)
	var b strings.Builder
	at := 0
	for _, s := range found {
		b.WriteString(text[at:s.start])
		b.WriteString(v.placeholder(text[s.start:s.end]))
		at = s.end
	}
	b.WriteString(text[at:])
	return b.String(), len(found)
}

// span is a range of bytes.
type span struct{ start, end int }

// occurrences returns the places where secret is a separate word.
func occurrences(text, secret string) []span {
	var found []span
	for at := 0; ; {
		n := strings.Index(text[at:], secret)
		if n < 0 {
			return found
		}
		start, end := wholeRunes(text, at+n, at+n+len(secret))
		if wordStarts(text, start) && (end == len(text) || !word(text[end-1]) || !word(text[end])) {
			found = append(found, span{start, end})
		}
		at = end
	}
}

// wholeRunes extends a range to the boundaries of UTF-8 encodings, since JSON can't
// hold a part of an encoding.
func wholeRunes(text string, start, end int) (int, int) {
	first, _ := runeAround(text, start)
	_, last := runeAround(text, end)
	return first, last
}

// runeAround returns the range of the rune whose encoding contains the offset inside,
// or the offset itself.
func runeAround(text string, at int) (start, end int) {
	for start = at - 1; start >= max(0, at-utf8.UTFMax+1); start-- {
		if _, size := utf8.DecodeRuneInString(text[start:]); start+size > at {
			return start, start + size
		}
	}
	return at, at
}

// merged sorts spans and joins overlapping and adjacent ones. It extends each span to
// the end of its word, so that the placeholder's end is clear.
func merged(text string, spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end)) })
	var out []span
	for _, s := range spans {
		for s.end < len(text) && word(text[s.end]) {
			s.end++
		}
		if last := len(out) - 1; last >= 0 && s.start <= out[last].end {
			out[last].end = max(out[last].end, s.end)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// wordStarts reports whether a word can start at an offset. The letter of an escape
// such as \n does not belong to the word after it.
func wordStarts(text string, at int) bool {
	if at == 0 || !word(text[at-1]) || !word(text[at]) {
		return true
	}
	return at > 1 && text[at-2] == '\\' && strings.IndexByte("nrt", text[at-1]) >= 0
}

func word(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
