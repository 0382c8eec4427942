package llmtest

import (
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

var markedPart = lazyregexp.New(`(?s)(?:\n\n)?<(system|user|project)-(?:notice|message|rules)>\n(.*?)\n</[a-z-]+>`)

// Parts returns the messages of a request, with each marked part of a message as a message of its
// own behind it: of role system, user or project.
func (r *Request) Parts() []Message {
	var all []Message
	for _, m := range r.Messages {
		marked := markedPart.FindAllStringSubmatch(m.Content, -1)
		m.Content = strings.TrimPrefix(markedPart.ReplaceAllString(m.Content, ""), "\n\n")
		if m.Content != "" || len(marked) == 0 {
			all = append(all, m)
		}
		for _, part := range marked {
			all = append(all, Message{Role: part[1], Content: part[2]})
		}
	}
	return all
}
