package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/internal/testbed"
)

// TestBashCompletes asks bash for what it would offer.
func TestBashCompletes(t *testing.T) {
	bash := testbed.Program(t, "bash")
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
	} {
		cmd := exec.Command(bash, append([]string{"-c", script, "bash"}, c.typed...)...)
		cmd.Dir = t.TempDir() // no file in it is offered
		out, err := cmd.CombinedOutput()
		check(t, err)
		if got := strings.TrimSpace(string(out)); got != c.want {
			t.Errorf("%q: got %q, want %q", c.typed, got, c.want)
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
