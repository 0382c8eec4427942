package lexicon

import "testing"

// TestHeadingsThatAreTheQuestion tells headings that answer a question from those that only share words with it.
func TestHeadingsThatAreTheQuestion(t *testing.T) {
	for _, c := range []struct {
		question, heading string
		fits              bool
	}{
		{"how many threads does it start if I don't configure anything?", "How many threads will Rayon spawn?", true},
		{"how do I configure the proxy", "Configuring the proxy", true},
		{"what happens if I add middleware after the first request", "Request Middleware", false},
		{"where is the cache of the parser kept", "Parser", false},
	} {
		if fits := HeadingFit(c.question, c.heading, "rayon") > 0; fits != c.fits {
			t.Errorf("%s: %s: %v", c.question, c.heading, fits)
		}
	}
}
