package setup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

// fileOf returns a client's file in a home folder of its own.
func fileOf(t *testing.T, client string) File {
	t.Helper()
	c := Find(client)
	home := t.TempDir()
	path, err := c.Path(environment(home, nil))
	if err != nil {
		t.Fatal(err)
	}
	return File{Client: c, Location: Location{Path: path, Home: home, WorkDir: t.TempDir()}}
}

func environment(home string, variables map[string]string) Environment {
	return Environment{GOOS: "linux", Getenv: func(name string) string {
		if name == "HOME" {
			return home
		}
		return variables[name]
	}}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, f File, languages ...string) Change {
	t.Helper()
	change, err := f.Write(languages, noon)
	if err != nil {
		t.Fatal(err)
	}
	return change
}

func undo(t *testing.T, f File) Change {
	t.Helper()
	change, err := f.Undo(noon)
	if err != nil {
		t.Fatal(err)
	}
	return change
}

func TestUndoRestoresTheBytes(t *testing.T) {
	for client, texts := range configurations {
		for _, text := range texts {
			f := fileOf(t, client)
			put(t, f.Path, text)
			change, err := f.Write(nil, noon)
			if text == "[" {
				if err == nil || get(t, f.Path) != text {
					t.Errorf("%s: %q was written to: %v", client, text, err)
				}
				continue
			}
			if err != nil || !change.Done {
				t.Errorf("%s: %q was refused: %v", client, text, err)
				continue
			}
			if got := get(t, change.Copy); got != text {
				t.Errorf("%s: the copy of %q is %q", client, text, got)
			}
			written := get(t, f.Path)
			if again := write(t, f); again.Done || get(t, f.Path) != written {
				t.Errorf("%s: writing again changes %q", client, text)
			}
			if strings.Contains(text, "\r\n") && strings.Count(written, "\n") != strings.Count(written, "\r\n") {
				t.Errorf("%s: the line endings of %q were mixed: %q", client, text, written)
			}
			if change := undo(t, f); change.Copy != "" || get(t, f.Path) != text {
				t.Errorf("%s: %q became %q", client, text, get(t, f.Path))
			}
		}
	}
}

func TestCreatedFileIsRemoved(t *testing.T) {
	for client := range configurations {
		f := fileOf(t, client)
		if change := write(t, f); !change.Done || change.Copy != "" || f.State() != "set up" {
			t.Errorf("%s: %+v, %s", client, change, f.State())
		}
		if change := undo(t, f); !change.Removed || exists(f.Path) {
			t.Errorf("%s: the file is still there", client)
		}
		if change := undo(t, f); change.Done {
			t.Errorf("%s: undoing again did something", client)
		}
	}
}

// TestCreatedJSON has no comma behind the only member, which not every reader accepts.
func TestCreatedJSON(t *testing.T) {
	f := fileOf(t, "sublime")
	write(t, f)
	want := `{
  /* >>> ploke-lsp setup sublime >>> */
  "ploke": {
    "enabled": true,
    "command": ["ploke-lsp", "serve"],
    "selector": "source | text"
  }
  /* <<< ploke-lsp setup sublime <<< */` + " \n}\n"
	if got := get(t, f.Path); got != want {
		t.Errorf("the file is %s", got)
	}
}

// TestUndoAfterEdits undoes after the person has edited around the block and in it.
func TestUndoAfterEdits(t *testing.T) {
	f := fileOf(t, "helix")
	put(t, f.Path, "a = 1\n")
	write(t, f, "go")
	edited := "b = 2\n" + strings.Replace(get(t, f.Path), `args = ["serve"]`, `args = ["serve"] # mine`, 1) + "[c]\n"
	put(t, f.Path, edited)
	change := undo(t, f)
	if got := get(t, f.Path); got != "b = 2\na = 1\n[c]\n" {
		t.Errorf("the file is %q", got)
	}
	if get(t, change.Copy) != edited {
		t.Error("what was typed in the block is lost")
	}
}

// TestUpdateKeepsThePlace writes other languages after the person has moved the block.
func TestUpdateKeepsThePlace(t *testing.T) {
	f := fileOf(t, "helix")
	write(t, f, "go")
	put(t, f.Path, "a = 1\n"+get(t, f.Path)+"\n[c]\n")
	write(t, f, "rust")
	got := get(t, f.Path)
	if !strings.HasPrefix(got, "a = 1\n# >>>") || !strings.HasSuffix(got, "<<<\n\n[c]\n") || strings.Contains(got, "gopls") ||
		!strings.Contains(got, "rust-analyzer") {
		t.Errorf("the file is %s", got)
	}
}

func TestTwoClientsShareAFile(t *testing.T) {
	eglot, lsp := fileOf(t, "eglot"), fileOf(t, "lsp-mode")
	lsp.Path, lsp.Home = eglot.Path, eglot.Home
	put(t, eglot.Path, ";; mine\n")
	write(t, eglot)
	write(t, lsp)
	undo(t, eglot)
	if eglot.State() != "not set up" || lsp.State() != "set up" {
		t.Errorf("Eglot is %s, lsp-mode is %s", eglot.State(), lsp.State())
	}
	undo(t, lsp)
	if got := get(t, eglot.Path); got != ";; mine\n" {
		t.Errorf("the file is %q", got)
	}
}

// TestBlockAfterByteOrderMark takes out a block that is all of the file but for the mark, and
// whose last line ending the person has removed.
func TestBlockAfterByteOrderMark(t *testing.T) {
	f := fileOf(t, "neovim")
	put(t, f.Path, string(bom))
	write(t, f)
	put(t, f.Path, strings.TrimSuffix(get(t, f.Path), "\n"))
	undo(t, f)
	if got := get(t, f.Path); got != string(bom) {
		t.Errorf("the file is %q", got)
	}
}
