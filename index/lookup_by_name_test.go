package index

import (
	"bytes"
	"testing"
)

// TestNameMarksIgnoreCase checks that the marks keep apart no names that are equal but for their case.
func TestNameMarksIgnoreCase(t *testing.T) {
	names := []string{"", "x", "X", "serveHTTP", "ServeHttp", "SERVE_2", "serve_2", "kelvin", "KELVIN", "\u212Aelvin", "r\u00E9sum\u00E9", "R\u00C9SUM\u00C9", "mas", "ma\u017F"}
	apart := 0
	for _, a := range names {
		for _, b := range names {
			meet := nameMark([]byte(a))&nameMark([]byte(b)) != 0
			if !meet {
				apart++
			}
			if bytes.EqualFold([]byte(a), []byte(b)) && !meet {
				t.Errorf("the marks keep %q and %q apart", a, b)
			}
		}
	}
	if apart == 0 {
		t.Error("the marks keep no names apart")
	}
}
