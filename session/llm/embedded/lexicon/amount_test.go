package lexicon

import (
	"regexp"
	"testing"
)

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

// TestDefaultsOfWhatAQuestionNames leave out the name of what has them, find those that an argument gives, and no counter.
func TestDefaultsOfWhatAQuestionNames(t *testing.T) {
	x, ok := AmountOf("how many stack frames does DictTransformer keep by default?")
	if !ok || x.Owner != "DictTransformer" || len(x.Things) != 2 {
		t.Fatalf("%v, %+v", ok, x)
	}
	if declares := regexp.MustCompile(x.Declares()); !declares.MatchString("class DictTransformer:") || !declares.MatchString(
		"func (x *T) DictTransformer(") || declares.MatchString("x = DictTransformer()") {
		t.Errorf("%s", declares)
	}
	for line, want := range map[string]bool{"MAX_FRAMES = 50": true, "max_frames = 0": true, "frameCount = 0": false,
		"frameCount: int = 0": false, "frameCount = 10": true, `MAX_FRAME = "MAX_FRAME"`: false} {
		name := Identifiers(line)[0]
		if _, got := x.Fit(name, line, "a.py"); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
	if x, _ = AmountOf("what's the default timestamp format?"); x.Owner != "" {
		t.Errorf("it has %q", x.Owner)
	}
	if _, ok = x.Fit("fmt", `TimeStamper(fmt="%Y-%m-%d", utc=False),`, "config.py"); !ok {
		t.Error("an argument's value is no default")
	}
	if _, ok = x.Fit("fmt", `Other(fmt="%Y-%m-%d", utc=False),`, "config.py"); ok {
		t.Error("an argument of something else is one")
	}
	if x, _ = AmountOf("how many requests run at the same time?"); len(x.Things) != 2 || x.Things[1] != "concurrent" {
		t.Errorf("at the same time is %q", x.Things)
	}
	if _, ok = x.Fit("max_requests", "max_items, max_requests = 0, 0", "a.py"); ok {
		t.Error("variables of a function are a limit")
	}
	x, _ = AmountOf("whats the default pool size")
	for line, want := range map[string]bool{"_ownsPool = true": false, `poolSuffix = "-pool"`: false, `pool_size = "none"`: true,
		"poolSize = 4":       true,
		"  poolDefaults() {": true, "  poolDefault(self, poolDefault: N) {": false, "self.c.poolSize = poolSize.or(0)": false,
		"  poolDefaultsHandler() {": false, "poolDefaults()": false} {
		name := Identifiers(line)[0]
		if name == "self" {
			name = "poolSize"
		}
		if _, got := x.Fit(name, line, "a.js"); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
	x, _ = AmountOf("how often is a backup written")
	for line, want := range map[string]bool{"const backupSeconds = 8": true, `const backupSuffix = ".bak"`: false} {
		if _, got := x.Fit(Identifiers(line)[1], line, "a.go"); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
	x, _ = AmountOf("how many requests run at the same time?")
	if _, ok = x.Fit("maxRequests", "let maxRequests = 0", "a.py"); ok {
		t.Error("a variable that starts at 0 is a limit")
	}
	if x, _ = AmountOf("default MAX_FRAMES?"); x.Owner != "" {
		t.Error("what is asked for is taken for what has it")
	}
}
