package redact

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"ploke-lsp/internal/secretscan"
)

// HideJSON is like [Vault.Hide] for each string in a JSON text. The other bytes don't
// change. In invalid JSON it hides as much as it can find strings.
func (v *Vault) HideJSON(text string, known ...string) (hidden string, places int) {
	if !secretscan.Suspicious(text) && len(known) == 0 {
		return text, 0
	}
	var b strings.Builder
	at := 0
	for at < len(text) {
		start, end := nextString(text, at)
		plain, n := v.Hide(text[at:start], known...) // in JSON: punctuation, numbers and keywords
		b.WriteString(plain)
		literal, m := v.hideLiteral(text[start:end], known)
		b.WriteString(literal)
		places += n + m
		at = end
	}
	if places == 0 {
		return text, 0
	}
	return b.String(), places
}

// FindInJSON returns the secrets that are detected in the strings of a JSON text, each once.
func FindInJSON(text string) (found []string) {
	v := New("")
	hidden, places := v.HideJSON(text)
	if places == 0 {
		return nil
	}
	for _, placeholder := range Placeholders(hidden) {
		if secret, ok := v.Secret(placeholder); ok && !slices.Contains(found, secret) {
			found = append(found, secret)
		}
	}
	return found
}

// InJSON returns those of the secrets that the strings of a JSON text contain.
func InJSON(text string, secrets []string) (contained []string) {
	for _, secret := range secrets {
		if strings.Contains(text, secret) || strings.Contains(text, inString(secret)) {
			contained = append(contained, secret)
		}
	}
	return contained
}

// nextString returns the range of the next string literal including its quotes. Both
// offsets are the text's length if there is none; the end is the text's length if the
// literal is not closed.
func nextString(text string, at int) (start, end int) {
	n := strings.IndexByte(text[at:], '"')
	if n < 0 {
		return len(text), len(text)
	}
	start = at + n
	for end = start + 1; end < len(text); end++ {
		switch text[end] {
		case '\\':
			end++
		case '"':
			return start, end + 1
		}
	}
	return start, len(text)
}

// hideLiteral hides the secrets in the value of a string literal.
func (v *Vault) hideLiteral(literal string, known []string) (hidden string, places int) {
	var said string
	if json.Unmarshal([]byte(literal), &said) != nil {
		return v.Hide(literal, known...)
	}
	hidden, places = v.Hide(said, known...)
	if places == 0 {
		return literal, 0
	}
	return `"` + inString(hidden) + `"`, places
}

// inString returns text as it is encoded inside a JSON string.
func inString(text string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		panic("redact: a string has no JSON: " + err.Error())
	}
	quoted := strings.TrimSuffix(b.String(), "\n")
	return quoted[1 : len(quoted)-1]
}
