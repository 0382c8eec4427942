package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// figuresOfPromises are figures that the pages promise, each with the file that has them and what it has.
var figuresOfPromises = []struct{ page, said, file, has string }{
	{"SECURITY.md", "git gets 30 seconds, 256 MB of output and, on Linux, 512 MB of memory", "index/history/commits.go",
		`Time: 30 \* time.Second, Output: 256 << 20, Memory: 512 << 20`},
	{"SECURITY.md", "prints a key gets 10 seconds, 64 KB of output and, on Linux, 1 GB of memory", "internal/config/keys.go",
		`(?s)keyTimeout   = 10 \* time.Second.*maxKeyOutput = 64 << 10\b.*Time: keyTimeout, .*, Memory: 1 << 30`},
	{"SECURITY.md", "Of arguments above 4 KB", "tools/mcpclient/call.go", `argumentsShown = 4 << 10\b`},
	{"docs/privacy.md", "at most its first 32 KB", "project/rules.go", `rulesBytes = 32 << 10\b`},
	{"docs/privacy.md", "the first and the last 256 KiB are scanned", "tools/running/output.go", `scannedBytes += 256 << 10\b`},
	{"docs/privacy.md", "`history.keepDays` (180)", "internal/config/settings.go", `json:"keepDays"[^\n]*default:"180"`},
	{"docs/privacy.md", "`history.keepMegabytes` (256)", "internal/config/settings.go", `json:"keepMegabytes"[^\n]*default:"256"`},
	{"docs/privacy.md", "the 20 conversations and 200 entries", "session/collect.go", `(?s)alwaysKept = 20\b.*, 10\*alwaysKept`},
	{"docs/privacy.md", "the texts of the last 20 proposals", "edits/text_gc.go", `alwaysKept = 20\b`},
	{"docs/privacy.md", "shorter than eight characters and may be a part of a word", "session/llm/endpoint.go", `shortestKey = 8\b`},
}

// TestFiguresOfPromises compares figures that are promised with the source.
func TestFiguresOfPromises(t *testing.T) {
	for _, f := range figuresOfPromises {
		if words := strings.Join(strings.Fields(page(t, f.page)), " "); !strings.Contains(words, f.said) {
			t.Errorf("%s does not say %q", f.page, f.said)
		}
		if !regexp.MustCompile(f.has).MatchString(page(t, f.file)) {
			t.Errorf("%s does not have %s: is %q still true?", f.file, f.has, f.said)
		}
	}
}

// connecting are the packages of the program that import what opens connections, and with what.
var connecting = map[string]string{
	"acp":               "passes on the client for models",
	"cmd/ploke-lsp":     "says which client models are asked with",
	"internal/peer":     "other processes on this machine",
	"internal/sandbox":  "servers on this machine, for a command that may reach them",
	"lsp":               "passes on the client for models",
	"mcp":               "clients on this machine",
	"project":           "passes on the client for models; asks servers on this machine",
	"session":           "looks at the address of a model",
	"session/llm":       "models",
	"session/telemetry": "the collector",
	"tools/mcpclient":   "MCP servers",
}

// others are folders of which nothing is in the program.
var others = []string{"bench", "docs", "e2e", "editors", "release", "internal/testbed", "build", "dist", "scripts"}

var importsNetwork = regexp.MustCompile(
	`(?m)^(?:import )?\t?(?:\w+ )?"(?:net|net/http|net/rpc|net/smtp|crypto/tls|golang\.org/x/net[^"]*)"$`)

// TestWhoOpensConnections looks at what each package imports: one that is new to the network is new to the page on privacy.
func TestWhoOpensConnections(t *testing.T) {
	found := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		rel = filepath.ToSlash(rel)
		if entry.IsDir() && rel != "." && (slices.Contains(others, rel) || strings.HasPrefix(entry.Name(), ".") ||
			strings.HasSuffix(entry.Name(), "test") || entry.Name() == "testdata") {
			return filepath.SkipDir
		}
		if err != nil || entry.IsDir() || filepath.Ext(rel) != ".go" || strings.HasSuffix(rel, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		if importsNetwork.Match(source) {
			found[filepath.ToSlash(filepath.Dir(rel))] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir := range found {
		if connecting[dir] == "" {
			t.Errorf("%s imports the network: does docs/privacy.md say what it sends?", dir)
		}
	}
	for dir := range connecting {
		if !found[dir] {
			t.Errorf("%s does not import the network", dir)
		}
	}
}
