package query

import (
	"bytes"
	"fmt"
	"testing"
)

// TestNameMarksIgnoreCase checks that a set of one name may have all names that are equal but for their case.
func TestNameMarksIgnoreCase(t *testing.T) {
	names := []string{"", "x", "X", "serveHTTP", "ServeHttp", "SERVE_2", "serve_2", "kelvin", "KELVIN", "\u212Aelvin", "r\u00E9sum\u00E9", "R\u00C9SUM\u00C9", "mas", "ma\u017F",
		"inAllKelvins", "INALLKELVINS", "inAll\u212Aelvins", "eightEig", "EIGHTEIG", "eightEightEightEight", "EIGHTEIGHTEIGHTEIGHT"}
	for _, a := range names {
		var marks nameMarks
		marks.add([]byte(a))
		for _, b := range names {
			if bytes.EqualFold([]byte(a), []byte(b)) && !marks.mayHave([]byte(b)) {
				t.Errorf("a set of %q does not have %q", a, b)
			}
		}
	}
}

// TestNameMarksTellApart asks sets of names about others that have the same length, beginning and end.
func TestNameMarksTellApart(t *testing.T) {
	for _, form := range []string{"%04d", "a%04db", "OpLongBeginning%04dAndEnd", "OpLongerBeginning%04dAndEnd", "OpLongestBeginning%04dAndLongEnd"} {
		var marks nameMarks
		for i := range 32 {
			marks.add(fmt.Appendf(nil, form, i))
		}
		others := 0
		for i := 1000; i < 2000; i++ {
			if marks.mayHave(fmt.Appendf(nil, form, i)) {
				others++
			}
		}
		if others > 100 {
			t.Errorf("a set of 32 names of the form %s may have %d of 1000 others, want 32 by chance", form, others)
		}
	}
}
