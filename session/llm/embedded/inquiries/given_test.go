package inquiries

import (
	"strings"
	"testing"

	"ploke-lsp/session/llm/embedded/lexicon"
)

// TestValuesThatAreAskedFor finds the line that gives a value by the words of a person, and lists several where any may
// be meant.
func TestValuesThatAreAskedFor(t *testing.T) {
	const sentence = "rules don't follow what the code does"
	tests := []struct {
		message, file, text string
		has, not            []string
	}{
		{"how many hops are followed by default", "src/HopMiddleware.php", "class HopMiddleware {\n    public static $defaults = [\n        'max' => 5,\n        'strict' => true,",
			[]string{"`max` is `5`, at src/HopMiddleware.php:3:", sentence}, []string{"not sure", "Probably"}},
		{"how many requests does a Ring send at once if I configure nothing", "src/Ring.php", "  function __construct($requests, $config) {\n    if (!isset($config['concurrency'])) {\n      $config['concurrency'] = 25;",
			[]string{"Probably `concurrency` is `25`, at src/Ring.php:3:"}, nil},
		{"how deep may rings be nested until the reader gives up?", "RingReader.kt", "  fun push(top: Int) {\n    if (size == 256) {\n      throw RingException(\"Nesting too deep\")",
			[]string{"The limit is `256`, by the comparison at RingReader.kt:2:"}, nil},
		{"what's the default wheel width?", "src/app.rs", "  let c = Config {\n    wheel_width: self\n      .get(\"w\")\n      .unwrap_or(\n        if plain {\n          0\n        } else {\n          4\n        },\n      ),",
			[]string{"`wheel_width` is `0 or 4`, at src/app.rs:2:"}, nil},
		{"how long does the retry midleware wait between two tries", "src/RetryMiddleware.php", "\n  public static function exponentialDelay(int $retries): int\n  {\n    return 2 ** $retries;",
			[]string{"By its name, `exponentialDelay` computes it, at src/RetryMiddleware.php:2:"}, nil},
		{"what is the default wheel timeout", "settings.py", "WHEEL_TIMEOUT = 180  # 3mins, not 5\nWHEEL_MAXSIZE = 1024",
			[]string{"`WHEEL_TIMEOUT` is `180`, at settings.py:1:"}, []string{"1024:"}},
		{"what is the default wheel size", "wheel.js", "const wheelSize = 4\nlet wheels = 0\nfunction f(wheelSize = 8) {",
			[]string{"I am not sure which value is meant.", "- `wheelSize`: `4` — wheel.js:1", "- `wheelSize`: `8` — wheel.js:3"}, []string{"wheels"}},
		{"how many wheels are used by default", "wheel.go", "const wheelSeconds = 8", []string{"I am not sure which value"}, []string{"Probably"}},
		{"what is the default history limit", "options.c", "\t{ .name = \"history-limit\",\n\t  .type = NUMBER,\n\t  .default_num = 2000,",
			[]string{"`history-limit` is `2000`, at options.c:3:"}, nil},
		{"how many wheels by default", "lib/dialects/x/wheel.js", "const wheels = 4", []string{"I am not sure"}, nil},
		{"how many wheels by default", "src/wheel_test.go", "const wheels = 4", nil, nil},
		{"how many wheels by default", "src/wheel.rs", "#[test]\nfn f() {\n  let wheels = 4;", nil, nil},
		{"default wheel shape", "wheel.py", "SHAPE_OF_OLD_WHEEL = 'round'", nil, nil},
		{"default wheel shape", "wheel.py", "# wheel_shape = 'round'", nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.message+" "+tt.file, func(t *testing.T) {
			x, ok := lexicon.AmountOf(tt.message)
			if !ok {
				t.Fatal("no amount")
			}
			lines := strings.Split(tt.text, "\n")
			found := matches("/w/"+tt.file, lines...)
			for i, m := range found.Matches {
				found.Matches[i].Before, found.Matches[i].After = lines[:m.Line-1], lines[m.Line:]
			}
			tests := Found{}
			if strings.Contains(tt.text, "#[test]") {
				tests = matches("/w/"+tt.file, lines[0])
			}
			got := ask(t, Given{x}, map[string]string{"/w/" + tt.file: tt.text}, tests, found, found, found, found)
			said(t, got, tt.has, tt.not)
			if tt.has == nil && got != "" {
				t.Errorf("said: %s", got)
			}
		})
	}
}
