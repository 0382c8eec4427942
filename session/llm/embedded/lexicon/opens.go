package lexicon

import "ploke-lsp/internal/lazyregexp"

// Opens reports whether a line opens a block without parameters, in which values may follow.
func Opens(line string) bool {
	return opensBlock.MatchString(line) && !takes.MatchString(line) && !controls.MatchString(line)
}

// controls matches a line that decides what goes on.
var controls = lazyregexp.New(`^\W*(?:else |elif |elsif )?(?:if|unless|for|foreach|while|until|match|switch|case|` +
	`return|with|try|when)\b`)

// takes matches the line of what is given values itself.
var takes = lazyregexp.New(`\(\s*[&\w$*]`)

var opensBlock = lazyregexp.New(`[{(\[:]\s*$`)

// endless matches a text that stands for a number.
var endless = lazyregexp.New(`(?i)^(?:none|unlimited|inf\w*|auto|never|max|min)$`)
