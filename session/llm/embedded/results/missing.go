package results

import (
	"strings"

	"ploke-lsp/session/llm/embedded/lexicon"
)

// MissingWords returns the words of a message that no result has, if these are more than
// half of its words.
func MissingWords(message string, found []Symbol) (missing []string) {
	asked, text := lexicon.Asked(message), TextOf(found)
	for _, w := range asked {
		if !strings.Contains(text, lexicon.Stem(w)) {
			missing = append(missing, w)
		}
	}
	if len(missing)*2 <= len(asked) {
		return nil
	}
	return missing
}
