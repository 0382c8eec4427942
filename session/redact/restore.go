package redact

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// placeholderLike matches placeholders, and damaged placeholders of models. Their letters are
// of ASCII: a letter that only folds to one of them, such as ſ, may follow a placeholder.
var placeholderLike = lazyregexp.New(`[Pp][Ll][Oo][Kk][Ee][_-][Ss][Ee][Cc][Rr][Ee][Tt][_-](?:\w+|…|\.\.\.|\*+)`)

// UnknownError reports text that resembles a placeholder but is none.
type UnknownError struct {
	Found string   // the text
	Known []string // the most similar placeholders, best first
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("%s is not a placeholder of a secret, or is damaged", e.Found)
}

// Placeholders returns the parts of a text that resemble placeholders, in order.
func Placeholders(text string) []string {
	if !mayHoldPlaceholder(text) {
		return nil
	}
	return placeholderLike.FindAllString(text, -1)
}

// mayHoldPlaceholder is a fast check that rejects most texts.
func mayHoldPlaceholder(text string) bool {
	const name = "ploke"
	for i := len(name); i < len(text); i++ {
		if c := text[i]; (c == '_' || c == '-') && strings.EqualFold(text[i-len(name):i], name) {
			return true
		}
	}
	return false
}

// Restore replaces the placeholders in JSON by their secrets, as write writes them, and
// returns the secrets, too. It returns an [*UnknownError] for an unknown placeholder.
func (v *Vault) Restore(value json.RawMessage,
	write func(secret string) string) (restored json.RawMessage, used []string, err error) {
	text := string(value)
	if !mayHoldPlaceholder(text) {
		return value, nil, nil
	}
	text = placeholderLike.ReplaceAllStringFunc(text, func(found string) string {
		secret, ok := v.Secret(found)
		if !ok && err == nil {
			err = &UnknownError{Found: found, Known: v.nearest(found)}
		}
		used = append(used, secret)
		return inString(write(secret))
	})
	if err != nil {
		return nil, nil, err
	}
	return json.RawMessage(text), used, nil
}

// nearest returns the placeholders that share the longest prefix with found.
func (v *Vault) nearest(found string) []string {
	v.mu.Lock()
	known := slices.Sorted(maps.Keys(v.secrets))
	v.mu.Unlock()
	slices.SortStableFunc(known, func(a, b string) int { return commonPrefix(b, found) - commonPrefix(a, found) })
	return known[:min(len(known), 3)]
}

// commonPrefix returns the length of the common prefix of a and b, ignoring case.
func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && strings.EqualFold(a[n:n+1], b[n:n+1]) {
		n++
	}
	return n
}
