package review

import "testing"

// TestADiffNamesTheVersionThatItsTextShows asks for the version while an editor shows the new text of a diff and the server has
// not had its answer.
func TestADiffNamesTheVersionThatItsTextShows(t *testing.T) {
	doc := &proposalDocument{}
	check := func(when string, want map[string]string) {
		t.Helper()
		for text, version := range want {
			if got := doc.version([]byte(text)); got != version {
				t.Errorf("%s: %q shows %s, want %s", when, text, got, version)
			}
		}
	}
	doc.shown.Store(&shownText{"old", "1"})
	check("at first", map[string]string{"old": "1", "typed": "1"})
	doc.coming.Store(&shownText{"new", "2"})
	check("while it is rewritten", map[string]string{"old": "1", "new": "2", "typed": "1"})
	doc.shown.Store(&shownText{"new", "3"})
	check("once it agrees", map[string]string{"new": "3", "typed": "3"})
}
