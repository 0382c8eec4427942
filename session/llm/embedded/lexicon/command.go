package lexicon

import "ploke-lsp/internal/lazyregexp"

// CommandIn returns the command whose entry point a message without courtesies asks for, "" if it names none.
func CommandIn(message string) string {
	m := ofCommand.FindStringSubmatch(message)
	if m == nil {
		return ""
	}
	return Bare(m[1] + m[2] + m[3])
}

var ofCommand = lazyregexp.New(`(?i)(?:entry ?points?|main(?: function| file)?) (?:of|for) (?:the )?(\S+)|` +
	`\b(?:the )?(\S+) (?:command|cli|binary|executable)\b|\b(?:run|type|call|start) (\S+)$`)
