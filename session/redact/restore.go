package redact

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// placeholderLike matches placeholders, and what models make of them.
var placeholderLike = regexp.MustCompile(`(?i)ploke[_-]secret[_-](?:\w+|…|\.\.\.|\*+)`)

// UnknownError says that a text holds what looks like a placeholder and is none.
type UnknownError struct {
	Found string   // as it stands in the text
	Known []string // the placeholders most like it, the most like first
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("%s is no placeholder of a secret, or a damaged one", e.Found)
}

// Placeholders returns what looks like placeholders in a text, in order.
func Placeholders(text string) []string {
	if !mayHoldPlaceholder(text) {
		return nil
	}
	return placeholderLike.FindAllString(text, -1)
}

// mayHoldPlaceholder rules most texts out.
func mayHoldPlaceholder(text string) bool {
	const name = "ploke"
	for i := len(name); i < len(text); i++ {
		if c := text[i]; (c == '_' || c == '-') && strings.EqualFold(text[i-len(name):i], name) {
			return true
		}
	}
	return false
}

// Restore puts the secrets back into arguments of a call, which are JSON. Where it
// finds what is no placeholder, it returns an [*UnknownError].
func (v *Vault) Restore(arguments json.RawMessage) (json.RawMessage, error) {
	text := string(arguments)
	if !mayHoldPlaceholder(text) {
		return arguments, nil
	}
	var unknown *UnknownError
	restored := placeholderLike.ReplaceAllStringFunc(text, func(found string) string {
		secret, ok := v.Secret(found)
		if !ok && unknown == nil {
			unknown = &UnknownError{Found: found, Known: v.nearest(found)}
		}
		return inString(secret)
	})
	if unknown != nil {
		return nil, unknown
	}
	return json.RawMessage(restored), nil
}

// nearest are the placeholders that share the longest beginning with what was found.
func (v *Vault) nearest(found string) []string {
	v.mu.Lock()
	known := slices.Sorted(maps.Keys(v.secrets))
	v.mu.Unlock()
	slices.SortStableFunc(known, func(a, b string) int { return commonPrefix(b, found) - commonPrefix(a, found) })
	return known[:min(len(known), 3)]
}

// commonPrefix is the length of two words' common beginning, in either case.
func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && strings.EqualFold(a[n:n+1], b[n:n+1]) {
		n++
	}
	return n
}
