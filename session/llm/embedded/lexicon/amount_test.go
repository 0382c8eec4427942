package lexicon

import "testing"

// TestNamesThatFitAnAmount says which names in which lines may be a limit that is asked for.
func TestNamesThatFitAnAmount(t *testing.T) {
	if _, ok := AmountOf("how does the max ring work"); ok {
		t.Error("how something works is no amount")
	}
	x, ok := AmountOf("max ring cookies in jars")
	if !ok {
		t.Fatal("it is no amount")
	}
	tests := []struct {
		name, line, file string
		want             bool
	}{
		{"maxRings", "maxRings = 3", "a.go", false},
		{"maxJars", "maxJars = 3", "a.go", true}, // what is named last is most often meant
		{"ringCookies", "ringCookies = 3", "a.go", false},
		{"maxRingCookieJars", "f(maxRingCookieJars)", "a.go", true},
		{"maxRingCookies", "f(maxRingCookies)", "a.go", false},
		{"maxRingCookies", "// maxRingCookies: 3", "a.go", false},
		{"maxRingCookies", "// maxRingCookies defaults to 3", "a.go", true},
		{"max", "max := 3", "ring_cookies.go", true},
		{"admin", "admin = 3", "ring_cookies.go", false},
		{"MAX_RING_COOKIES", "MAX_RING_COOKIES: usize = 3;", "a.rs", true},
		{"maxRingCookies", "maxRingCookies = opts.max || 3", "a.js", true},
		{"maxRingCookies", "maxRingCookies = slow ? 3 : 4", "a.js", true},
		{"maxRingCookies", "if maxRingCookies == 3 {", "a.go", false},
	}
	for _, tt := range tests {
		if _, got := x.Fit(tt.name, tt.line, tt.file); got != tt.want {
			t.Errorf("%s in %q of %s: %v", tt.name, tt.line, tt.file, got)
		}
	}
}
