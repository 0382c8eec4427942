package mcpclient

import (
	"errors"
	"strings"
	"unicode"

	"ploke-lsp/internal/display"
)

// shorten returns text in one line of at most limit bytes. What could drive a terminal or deceive a reader is
// escaped.
func shorten(text string, limit int) string {
	return cut(display.Name(strings.Join(strings.Fields(text), " ")), limit)
}

// errorLength bounds the text of an error, in bytes. A server may have written it.
const errorLength = 500

// brief returns an error for people to read.
func brief(err error) error { return errors.New(shorten(err.Error(), errorLength)) }

// cut returns the beginning of a text of at most limit bytes, with a mark if it is not the whole. It
// cuts between words, since a part of a secret is not recognized.
func cut(text string, limit int) string {
	const mark = "…"
	if len(text) <= limit {
		return text
	}
	end := strings.LastIndexFunc(text[:limit-len(mark)], unicode.IsSpace)
	return strings.TrimSpace(text[:max(end, 0)]) + mark
}
