package redact

import (
	"bytes"
	"encoding/json"
	"strings"
)

// HideJSON is [Vault.Hide] for each string in a JSON text, of which nothing else
// changes by a byte. What is no JSON is hidden as far as strings can be told in it.
func (v *Vault) HideJSON(text string, known ...string) (hidden string, places int) {
	if !suspicious(text) && len(known) == 0 {
		return text, 0
	}
	var b strings.Builder
	at := 0
	for at < len(text) {
		start, end := nextString(text, at)
		plain, n := v.Hide(text[at:start], known...) // of JSON it is numbers and the like
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

// nextString is where the next string literal begins and ends, quotes included; both
// are the text's end if there is none, and the end if it isn't closed.
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

// hideLiteral hides what a string literal says. Its quotes are no part of that.
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

// inString is how text is written within a string of JSON.
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
