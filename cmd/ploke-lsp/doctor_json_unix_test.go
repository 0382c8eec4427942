//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// TestDoctorPrintsJSON compares with testdata/doctor.json, which shows the form that docs/commands.md
// promises to scripts. Whatever is wrong has a command that corrects it. On Windows the commands are others.
func TestDoctorPrintsJSON(t *testing.T) {
	const golden = "testdata/doctor.json"
	home := t.TempDir()
	config := filepath.Join(home, ".config/ploke-lsp/config.toml")
	check(t, os.MkdirAll(filepath.Join(home, ".config/helix"), 0o700))
	check(t, os.MkdirAll(filepath.Dir(config), 0o700))
	check(t, os.MkdirAll(filepath.Join(home, "project"), 0o700))
	check(t, os.WriteFile(config, []byte(`model = "local/qwen3"
modle = "x"
fallback = "hosted/big"
providers.local = { type = "ollama", baseUrl = "http://127.0.0.1:1" }
providers.hosted = { type = "anthropic", apiKeyEnv = "MISSING_KEY" }
index.embeddings = { provider = "local", model = "nomic" }
`), 0o600))
	t.Setenv("PATH", t.TempDir())
	var stdout, stderr bytes.Buffer
	env := environment{stdin: io.NopCloser(strings.NewReader("")), stdout: &stdout, stderr: &stderr, getenv: func(name string) string {
		return map[string]string{"HOME": home, "PATH": os.Getenv("PATH"), "PLOKE_STATE_DIR": filepath.Join(home, "state")}[name]
	}}
	if code := run(t.Context(), []string{"doctor", "--json", "--workspace", filepath.Join(home, "project")}, env); code != 1 {
		t.Errorf("exit status %d; want 1", code)
	}
	self, err := os.Executable()
	check(t, err)
	got := strings.NewReplacer(home, "HOME", filepath.Dir(self), "FOLDER", `"version": "`+version+`"`,
		`"version": "VERSION"`).Replace(stdout.String())
	got = regexp.MustCompile(`in \d+\.\d s`).ReplaceAllString(got, "in N s")
	sandbox := regexp.MustCompile(`    \{\s+"level": "\w+",\s+"what": "sandbox",[^}]*\},\n`)
	if !sandbox.MatchString(got) {
		t.Errorf("nothing is said of the sandbox:\n%s", got)
	}
	got = sandbox.ReplaceAllString(got, "") // which differs by machine
	if *update {
		check(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	want, err := os.ReadFile(golden)
	check(t, err)
	if got != string(want) {
		t.Errorf("got\n%s\nwant\n%s\nif it is right, run go test ./cmd/ploke-lsp -run DoctorPrintsJSON -update", got, want)
	}
	var report doctorReport
	check(t, json.Unmarshal(stdout.Bytes(), &report))
	for _, f := range report.Findings {
		if f.Level != "ok" && f.Command == "" && f.What != "sandbox" {
			t.Errorf("no command corrects %+v", f)
		}
	}
}
