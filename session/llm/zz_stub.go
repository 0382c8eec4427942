package llm

import "ploke-lsp/internal/lazyregexp"

var invalidName = lazyregexp.New(`[^a-zA-Z0-9_-]`)

func wireName(name string) string {
	name = invalidName.ReplaceAllString(name, "_")
	if name == "" {
		return "unknown"
	}
	return name[:min(64, len(name))]
}
