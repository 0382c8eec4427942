package setup

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

var noon = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

// fileOf returns a client's file in a home folder of its own.
func fileOf(t *testing.T, client string) File {
	t.Helper()
	c, err := Find(client)
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	path, err := c.Path(environment(home, nil))
	if err != nil {
		t.Fatal(err)
	}
	return File{Client: c, Path: path, Home: home, WorkDir: t.TempDir()}
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

// configurations are texts that people may have in the file of each client.
var configurations = map[string][]string{
	"neovim":   {"-- mine\nrequire('x')\nreturn { 1 }", "\ufeff-- mine\r\nvim.o.x = 1\r\n", "\n", "--[[\nlong\n]]\n"},
	"helix":    {"# mine\n[editor] # x\na = 1", "[[language]]\r\nname = \"go\"\r\n", "[language-server.gopls]\nconfig = { a = 1 }\n\n\n", "# only\n# two"},
	"eglot":    {";;; init.el -*- lexical-binding: t -*-\n(setq x 1)\n", ";; only a comment", "(x)"},
	"lsp-mode": {";;; init.el\r\n;; two\r\n(setq x \"a\r\nb\")\r\n", "\ufeff;; x\n"},
	"kakoune":  {"eval %sh{kak-lsp}\nlsp-enable\n", "x %{"},
	"ale":      {"\" mine\nset nu\n"},
	"coc":      {"{}", "{\"a\": 1}", "{\r\n\t// mine\r\n\t\"a\": 1, /* b */\r\n}\r\n", "// top\n{\"languageserver\": {}, }", "{\n    \"languageserver\": {\n        \"x\": {}\n    }\n}"},
	"sublime":  {"{\n\t\"gopls\": {\"enabled\": true},\n}\n", " { } ", "[", ""},
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
	if !strings.HasPrefix(got, "a = 1\n# >>>") || !strings.HasSuffix(got, "<<<\n\n[c]\n") || strings.Contains(got, "gopls") || !strings.Contains(got, "rust-analyzer") {
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

func TestHelixKeepsThePersonsServers(t *testing.T) {
	f := fileOf(t, "helix")
	put(t, f.Path, `
[[language]]
name = "rust"
language-servers = ["rust-analyzer"]
[[language]]
name = "go"
auto-format = false
[[language]]
name = "python"
language-servers = [{ name = "ploke", only-features = ["code-action"] }]
`)
	change := write(t, f)
	if got := strings.Join(change.ByHand, "\n"); got != `add "ploke" to the language-servers of rust` {
		t.Errorf("by hand: %s", got)
	}
	_, block, _ := strings.Cut(get(t, f.Path), ">>>")
	for name, want := range map[string]bool{"rust": false, "python": false, "go": true, "markdown": true} {
		if strings.Contains(block, `name = "`+name+`"`) != want {
			t.Errorf("the block has an entry for %s: %v, want %v", name, !want, want)
		}
	}
}

// TestTwoAtOnce writes and undoes many times at once. The file is always one of the two texts.
func TestTwoAtOnce(t *testing.T) {
	f := fileOf(t, "helix")
	put(t, f.Path, "a = 1")
	write(t, f)
	with := get(t, f.Path)
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			for range 10 {
				if n%2 == 0 {
					f.Write(nil, noon) // may find that the file has changed
				} else {
					f.Undo(noon)
				}
				if got, err := os.ReadFile(f.Path); err != nil || string(got) != with && string(got) != "a = 1" {
					t.Errorf("the file is %q: %v", got, err)
				}
			}
		})
	}
	all.Wait()
	entries, err := os.ReadDir(filepath.Dir(f.Path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".ploke-lsp") {
			t.Errorf("%s was left", e.Name())
		}
	}
}

func TestMode(t *testing.T) {
	f := fileOf(t, "helix")
	put(t, f.Path, "")
	if err := os.Chmod(f.Path, 0o604); err != nil {
		t.Fatal(err)
	}
	change := write(t, f)
	for _, path := range []string{f.Path, change.Copy} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o604 {
			t.Errorf("%s has the mode %v: %v", path, info.Mode(), err)
		}
	}
}

// FuzzRoundTrip writes into any text and undoes it.
func FuzzRoundTrip(f *testing.F) {
	for client, texts := range configurations {
		for _, text := range texts {
			f.Add(client, []byte(text))
		}
	}
	f.Fuzz(func(t *testing.T, name string, text []byte) {
		c, err := Find(name)
		if err != nil || c.format == nil || string(text) == emptyObject {
			t.Skip()
		}
		config, err := c.Config(nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.format.remove(text, name); err != errNoBlock {
			t.Skip()
		}
		with, err := c.format.write(bytes.Clone(text), name, config)
		if err != nil {
			t.Skip()
		}
		again, err := c.format.write(with, name, config)
		if err != nil || !bytes.Equal(again, with) {
			t.Fatalf("writing again: %v\n%q\n%q", err, with, again)
		}
		rest, err := c.format.remove(with, name)
		if err != nil || !bytes.Equal(rest, text) {
			t.Fatalf("%v\n%q\n%q\n%q", err, text, with, rest)
		}
	})
}
