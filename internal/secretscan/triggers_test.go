package secretscan

import (
	"strings"
	"testing"
)

// TestEachTriggerIsSeen looks for each trigger in a text that ends with its word, in both cases, or that lacks its last letter.
func TestEachTriggerIsSeen(t *testing.T) {
	for _, list := range triggers().lists {
		for _, wanted := range list {
			seen := func(text string) (seen bool) {
				eachTrigger(text, func(found *trigger, at int) bool {
					seen = seen || found.word == wanted.word && found.fold == wanted.fold && at == 1
					return true
				})
				return seen
			}
			upper := strings.ToUpper(wanted.word)
			if !seen("."+wanted.word+"\x00") || seen("."+upper+"\x00") != (wanted.fold || upper == wanted.word) ||
				seen("."+wanted.word[:len(wanted.word)-1]+"\x00") {
				t.Errorf("%q is not seen as it should be", wanted.word)
			}
		}
	}
}
