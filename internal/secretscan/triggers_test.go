package secretscan

import (
	"strings"
	"testing"
)

// TestEachTriggerIsSeen looks for each trigger in a text that ends with its word, in both cases, or that lacks its last letter.
func TestEachTriggerIsSeen(t *testing.T) {
	_, lists := triggers()
	for _, list := range lists {
		for i := range list {
			wanted := &list[i]
			seen := func(text string) (seen bool) {
				eachTrigger(text, func(found *trigger, at int) bool {
					seen = seen || found.word == wanted.word && found.fold == wanted.fold && at == 1
					return true
				})
				return seen
			}
			upper := strings.ToUpper(wanted.word)
			if !seen("."+wanted.word) || seen("."+upper) != (wanted.fold || upper == wanted.word) || seen("."+wanted.word[:len(wanted.word)-1]) {
				t.Errorf("%q is not seen as it should be", wanted.word)
			}
		}
	}
}
