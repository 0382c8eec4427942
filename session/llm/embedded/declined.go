package embedded

import "ploke-lsp/internal/lazyregexp"

// declining are the beginnings of answers that do not do what was asked, or that have found nothing. Programs that ask
// are told so, since they do not read the text.
var declining = lazyregexp.New(`^(?:I understand English best\. )?` +
	`(?:I (?:can't|could not|did not|found no(?:thing)?|changed nothing|deleted nothing|moved nothing)\b|` +
	`Documenting code needs |There is no file |` +
	`Where\? |Which one do you mean\? \x60|No (?:calls|uses|implementations|tests?|line)\b|No file (?:of|that)\b)`)

// declines reports whether an answer does not do what was asked.
func declines(answer string) bool { return declining.MatchString(answer) }
