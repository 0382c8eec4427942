package rooted

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestIncompleteCopiesAreTold compares a copy with the file that it was to become.
func TestIncompleteCopiesAreTold(t *testing.T) {
	for name, tt := range map[string]struct {
		copied, from string
		torn         bool
	}{
		"nothing yet":         {"", "text", true},
		"its beginning":       {"te", "text", true},
		"zeros":               {"te\x00\x00", "text", true},
		"all of it":           {"text", "text", false},
		"another file":        {"tax", "text", false},
		"a longer file":       {"texts", "text", false},
		"zeros and more text": {"\x00\x00xs", "text", false},
	} {
		dir := t.TempDir()
		for file, text := range map[string]string{"copied": tt.copied, "from": tt.from} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		roots := Roots{}
		torn, err := roots.IsTorn(Path{dir, "copied"}, Path{dir, "from"})
		if torn != tt.torn || err != nil {
			t.Errorf("%s: %v, %v", name, torn, err)
		}
		if torn, err := roots.IsTorn(Path{dir, "copied"}, Path{dir, "gone"}); torn || err != nil {
			t.Errorf("%s, of a file that is gone: %v, %v", name, torn, err)
		}
		roots.Close()
	}
}

// TestNoCopyReplacesAFile copies to a name that is taken, and through a name outside of the root.
func TestNoCopyReplacesAFile(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	for _, file := range []string{filepath.Join(dir, "a"), filepath.Join(dir, "taken"), filepath.Join(outside, "b")} {
		if err := os.WriteFile(file, []byte(filepath.Base(file)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	roots := Roots{}
	defer roots.Close()
	if err := roots.Copy(Path{dir, "a"}, Path{dir, "taken"}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("onto a file: %v", err)
	}
	if text, err := roots.Read(Path{dir, "taken"}); string(text) != "taken" || err != nil {
		t.Errorf("the file has %q, %v", text, err)
	}
	up := filepath.Join("..", filepath.Base(outside), "b")
	if text, err := roots.Read(Path{dir, up}); err == nil {
		t.Errorf("outside of the root: %q", text)
	}
	if err := roots.Copy(Path{dir, "a"}, Path{dir, "free"}); err != nil {
		t.Error(err)
	}
	if text, err := roots.Read(Path{dir, "free"}); string(text) != "a" || err != nil {
		t.Errorf("the copy has %q, %v", text, err)
	}
}
