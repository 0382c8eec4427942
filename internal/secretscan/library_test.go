package secretscan

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"ploke-lsp/internal/testbed"
)

// TestStandardLibrariesHaveFewPlaceholders scans code that has no secrets, apart from the
// keys that the tests of cryptography are made with. With -short it scans a sample.
func TestStandardLibrariesHaveFewPlaceholders(t *testing.T) {
	const perMillion = 12
	for name, library := range map[string]struct {
		dir     func(t *testing.T) string
		pattern string
	}{
		"Go":     {func(t *testing.T) string { return goSource(t) }, "*.go"},
		"Python": {func(t *testing.T) string { return pythonSource(t) }, "*.py"},
	} {
		t.Run(name, func(t *testing.T) {
			lines, places, bytes := 0, []string{}, 0
			var spent time.Duration
			eachFile(t, library.dir(t), library.pattern, func(path, text string) {
				began := time.Now()
				found := Find(text)
				spent += time.Since(began)
				lines += strings.Count(text, "\n")
				bytes += len(text)
				for _, s := range found {
					places = append(places, fmt.Sprintf("%s:%d: %.60s", path, 1+strings.Count(text[:s.Start], "\n"), text[s.Start:s.End]))
				}
			})
			t.Logf("%d placeholders in %d lines, %.0f MB/s:\n%s", len(places), lines, float64(bytes)/1e6/spent.Seconds(), strings.Join(places, "\n"))
			if limit := max(1, lines*perMillion/1_000_000); len(places) > limit {
				t.Errorf("%d placeholders in %d lines; at most %d are expected", len(places), lines, limit)
			}
		})
	}
}

func goSource(t testing.TB) string { return filepath.Join(runtime.GOROOT(), "src") }

func pythonSource(t testing.TB) string {
	out, err := exec.Command(testbed.Program(t, "python3"), "-c", "import os; print(os.path.dirname(os.__file__))").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// eachFile calls visit with the text files of a folder, or with a sample of them.
func eachFile(t testing.TB, dir, pattern string, visit func(path, text string)) {
	t.Helper()
	n, every := 0, testbed.Size(1, 8)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == "site-packages" {
			return fs.SkipDir
		}
		if fits, _ := filepath.Match(pattern, d.Name()); !fits || !d.Type().IsRegular() {
			return nil
		}
		if n++; n%max(every, 1) != 0 {
			return nil
		}
		text, err := os.ReadFile(path)
		if err == nil && bytes.IndexByte(text, 0) < 0 {
			visit(strings.TrimPrefix(path, dir+"/"), string(text))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
