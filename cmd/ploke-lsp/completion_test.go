package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/internal/testbed"
)

// A completing shell runs in a folder without files in which a proposal waits, with a model in the settings.
type completing struct {
	dir, id string
	env     []string
}

func newCompleting(t *testing.T) completing {
	t.Helper()
	home := t.TempDir()
	path := filepath.Dir(named(t, "ploke-lsp")) + string(os.PathListSeparator) + os.Getenv("PATH")
	c := completing{dir: t.TempDir(), env: append(ofTerminal(t), "HOME="+home, "PATH="+path)}
	settings := filepath.Join(home, ".config", "ploke-lsp", "config.toml")
	check(t, os.MkdirAll(filepath.Dir(settings), 0o700))
	check(t, os.WriteFile(settings, []byte("[providers.home]\ntype = \"ollama\"\nbaseUrl = \"http://127.0.0.1:1\"\n"+
		"[providers.home.models.qwen3]\ncontextTokens = 9000\n"), 0o600))
	c.run(t, program(t, "ask", `create new.txt with "hello"`))
	c.id, _, _ = strings.Cut(c.run(t, program(t, "proposals")), " ")
	return c
}

// run runs a command there and returns its output.
func (c completing) run(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	cmd.Dir, cmd.Env = c.dir, c.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v: %s", cmd, err, out)
	}
	return strings.TrimSpace(string(out))
}

// TestBashCompletes asks bash for what it would offer.
func TestBashCompletes(t *testing.T) {
	bash := testbed.Program(t, "bash")
	shell := newCompleting(t)
	script := bashCompletion(describeCommands()) + `
complete_line() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _ploke_lsp; printf '%s\n' "${COMPREPLY[@]}"; }
complete_line "$@"`
	for _, c := range []struct {
		typed []string
		want  string
	}{
		{[]string{"ploke-lsp", "se"}, "serve\nsearch\nsetup"},
		{[]string{"ploke-lsp", "ask", "--wo"}, "--workspace"},
		{[]string{"ploke-lsp", "index", "--force", "--v"}, "--vectors"},
		{[]string{"ploke-lsp", "proposals", "re"}, "reject\nredo"},
		{[]string{"ploke-lsp", "completion", "f"}, "fish"},
		{[]string{"ploke-lsp", "setup", "h"}, "helix"},
		{[]string{"ploke-lsp", "edges", "X", "--direction", "calle"}, "callers\ncallees"},
		{[]string{"ploke-lsp", "edges", "X", "--direction", "=", "imp"}, "implementers"},
		{[]string{"ploke-lsp", "symbol", "X", "--kind", "str"}, "struct"},
		{[]string{"ploke-lsp", "ask", "--color", ""}, "auto\nalways\nnever"},
		{[]string{"ploke-lsp", "ask", "--model", "e"}, "embedded"},
		{[]string{"ploke-lsp", "ask", "--model", "home/"}, "home/qwen3"},
		{[]string{"ploke-lsp", "setup", "model", "home/"}, "home/qwen3"},
		{[]string{"ploke-lsp", "proposals", "accept", ""}, shell.id},
		{[]string{"ploke-lsp", "proposals", "list", shell.id[:4]}, ""},
	} {
		if got := shell.run(t, exec.Command(bash, append([]string{"-c", script, "bash"}, c.typed...)...)); got != c.want {
			t.Errorf("%q: got %q, want %q", c.typed, got, c.want)
		}
	}
}

// TestFishCompletes asks fish for what it would offer.
func TestFishCompletes(t *testing.T) {
	fish := testbed.Program(t, "fish")
	shell := newCompleting(t)
	script := filepath.Join(t.TempDir(), "ploke-lsp.fish")
	check(t, os.WriteFile(script, []byte(fishCompletion(describeCommands())), 0o600))
	for typed, want := range map[string]string{
		"ploke-lsp edges X --direction calle": "callees callers", "ploke-lsp setup kak": "kakoune", "ploke-lsp proposals re": "redo reject",
		"ploke-lsp ask --model home/": "home/qwen3", "ploke-lsp setup model home/": "home/qwen3", "ploke-lsp proposals accept " + shell.id[:2]: shell.id,
		"ploke-lsp ask --color a": "always auto",
	} {
		out := shell.run(t, exec.Command(fish, "--no-config", "-c", "source "+script+"; complete -C "+quoted(typed)))
		var got []string
		for line := range strings.Lines(out) {
			word, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
			got = append(got, word)
		}
		slices.Sort(got)
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%s: fish offers %q, want %q", typed, got, want)
		}
	}
}

// TestEveryShellAndTheManualKnowAllCommandsAndFlags reads the words of each.
func TestEveryShellAndTheManualKnowAllCommandsAndFlags(t *testing.T) {
	all := describeCommands()
	unescape := strings.NewReplacer(`\-`, "-")
	texts := map[string]string{"manual": unescape.Replace(manual(all))}
	for shell, completion := range shells {
		texts[shell] = completion(all)
	}
	for name, text := range texts {
		words := strings.FieldsFunc(text, func(r rune) bool { return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz-", r) })
		for i, w := range words {
			words[i] = strings.TrimLeft(w, "-")
		}
		for _, d := range all {
			if !slices.Contains(words, d.name) {
				t.Errorf("%s has no command %s", name, d.name)
			}
			for _, f := range d.flags {
				if !slices.Contains(words, f.name) && !slices.Contains(words, "fB--"+f.name) {
					t.Errorf("%s has no flag %s of %s", name, f.name, d.name)
				}
			}
		}
	}
}
