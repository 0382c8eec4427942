package query

import (
	"fmt"
	"testing"
)

// TestPhrases weighs what the body of a long text quotes less than what its first line quotes, and than messages.
func TestPhrases(t *testing.T) {
	const later = laterPhraseWeight
	for text, want := range map[string]string{
		`where is "no such file here"`:                              "[no such file here] 1",
		"it fails\n\nwe see `this is bad code` often":               fmt.Sprint("[this is bad code] ", later),
		"it says “this is bad code”\n\nand “this is bad code”":      "[this is bad code] 1, [this is bad code] 1",
		"it fails\n\nValueError: not enough values to unpack":       "[not enough values to unpack] 1",
		"it fails\n\nwith --no-config-file":                         "[no config file] 1",
		"it fails\n\nwith 'some of these words'\nerror: it is late": fmt.Sprint("[some of these words] ", later, ", [it is late] 1"),
	} {
		got := ""
		for i, p := range phrases(text) {
			if i > 0 {
				got += ", "
			}
			got += fmt.Sprint([]string(p.phrase), " ", p.weight)
		}
		if got != want {
			t.Errorf("%q has %s, want %s", text, got, want)
		}
	}
}
