package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestWhatShowsThatAPlatformWorks looks for the tests that the page on platforms names: they are there,
// and no list has them as tests that can't pass.
func TestWhatShowsThatAPlatformWorks(t *testing.T) {
	tests := everything(t, "cmd/ploke-lsp/*_test.go") + everything(t, "edits/*_test.go")
	untestable := everything(t, "scripts/untestable/*.txt")
	named := regexp.MustCompile("`(Test\\w+)(?:/(\\w+))?`").FindAllStringSubmatch(page(t, "docs/platforms.md"), -1)
	if len(named) < 10 {
		t.Errorf("only %d tests are named", len(named))
	}
	for _, name := range named {
		test, script := name[1], name[2]
		if !strings.Contains(tests, "\nfunc "+test+"(") {
			t.Errorf("there is no test %s", test)
		}
		if _, err := os.Stat(filepath.Join(root, "cmd/ploke-lsp/testdata/script", script+".txtar")); script != "" && err != nil {
			t.Error(err)
		}
		listed := test
		if script != "" {
			listed += "/" + script
		}
		if regexp.MustCompile(`(?m) ` + listed + `(/.*)?$`).MatchString(untestable) {
			t.Errorf("%s is listed as a test that can't pass", listed)
		}
	}
}

// everything returns the text of all files that fit a pattern.
func everything(t *testing.T, pattern string) string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, pattern))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no file fits %s, %v", pattern, err)
	}
	var text strings.Builder
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(data)
	}
	return text.String()
}
