// Package redact replaces the secrets in what is sent to a model by placeholders,
// and puts them back in what the model sends.
//
// Its promises:
//
//   - What a text becomes depends on nothing but the text, the vault's key and the
//     secrets that the caller names, so that equal conversations are equal bytes.
//   - A placeholder says nothing of its secret to whoever lacks the key. It keeps to
//     one line, as its secret does: lines have the numbers that they had before.
//   - Putting back what was hidden gives the same bytes. What looks like a
//     placeholder and is none is an [*UnknownError], and never a guess.
//
// Secrets are told by rules (rules.go): the shapes of well-known keys, private keys
// in PEM, passwords in URLs, and what is assigned to a name such as password if it
// is as irregular as passwords are. Rules miss what has no such sign. A false alarm
// costs the model a word that it can't read, and nothing else.
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

// Vault knows secrets by their placeholders. It is safe for concurrent use.
type Vault struct {
	key []byte

	mu      sync.Mutex
	secrets map[string]string // by placeholder
}

// New returns an empty vault. Vaults of one key give equal placeholders; the key must
// not be told to whom the placeholders are.
func New(key string) *Vault {
	return &Vault{key: []byte(key), secrets: map[string]string{}}
}

const (
	placeholderPrefix = "PLOKE_SECRET_"
	hashBytes         = 6 // of the keyed hash in a placeholder
)

// placeholder returns what stands for secret, and remembers it.
func (v *Vault) placeholder(secret string) string {
	mac := hmac.New(sha256.New, v.key)
	mac.Write([]byte(secret))
	name := placeholderPrefix + hex.EncodeToString(mac.Sum(nil)[:hashBytes])
	v.mu.Lock()
	defer v.mu.Unlock()
	v.secrets[name] = secret
	return name
}

// Secret returns what a placeholder stands for.
func (v *Vault) Secret(placeholder string) (secret string, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	secret, ok = v.secrets[placeholder]
	return secret, ok
}

// Hide replaces the secrets in a text, those that rules find and those that are
// known to be some, each in one line, and says how many places it has replaced.
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

// occurrences are the places where secret stands as a word of its own.
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

// wholeRunes widens a range so that it cuts no encoding of a character in two: half of
// one has no place in JSON.
func wholeRunes(text string, start, end int) (int, int) {
	first, _ := runeAround(text, start)
	_, last := runeAround(text, end)
	return first, last
}

// runeAround is where the character begins and ends whose encoding a place is within;
// the place itself if there is none.
func runeAround(text string, at int) (start, end int) {
	for start = at - 1; start >= max(0, at-utf8.UTFMax+1); start-- {
		if _, size := utf8.DecodeRuneInString(text[start:]); start+size > at {
			return start, start + size
		}
	}
	return at, at
}

// merged orders spans and makes one of those that touch. A word that goes on after a
// span belongs to it, so that a placeholder's end can be told.
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

// wordStarts reports whether a word may begin at a place: it goes on with none that began
// before, where the letter of an escape such as \n is none.
func wordStarts(text string, at int) bool {
	if at == 0 || !word(text[at-1]) || !word(text[at]) {
		return true
	}
	return at > 1 && text[at-2] == '\\' && strings.IndexByte("nrt", text[at-1]) >= 0
}

func word(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
