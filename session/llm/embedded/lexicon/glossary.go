package lexicon

import "ploke-lsp/internal/glossary"

// Translate returns the English words of the glossary for a message, in their order, each once.
func Translate(message string) []string { return glossary.English(glossary.Translate(message)) }
