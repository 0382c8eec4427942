package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"ploke-lsp/internal/testbed"
)

// TestZshCompletes types in zsh on a terminal, and looks at what it completes.
func TestZshCompletes(t *testing.T) {
	zsh := testbed.Program(t, "zsh")
	shell := newCompleting(t)
	functions := t.TempDir()
	check(t, os.WriteFile(filepath.Join(functions, "_ploke-lsp"), []byte(zshCompletion(describeCommands())), 0o600))
	master, terminal := terminals(t)
	g := &guided{Cmd: exec.Command(zsh, "-f", "-i"), t: t, terminal: master}
	g.Stdin, g.Stdout, g.Stderr, g.Dir = terminal, terminal, terminal, shell.dir
	g.Env = append(shell.env, "PS1=READY ")
	check(t, g.Start())
	terminal.Close()
	g.endAfter(20 * time.Second)
	t.Cleanup(func() { g.Process.Kill(); g.Wait() })
	g.answer("READY", "unsetopt zle_bracketed_paste 2>/dev/null; fpath=("+functions+
		" $fpath); autoload -U compinit; compinit -u -D; echo LOAD''ED")
	g.await("LOADED")
	for typed, want := range map[string]string{
		"ploke-lsp edges X --direction implem": "implementers", "ploke-lsp setup kak": "kakoune", "ploke-lsp setup model home": "home/qwen3",
		"ploke-lsp proposals accept " + shell.id[:2]: shell.id, "ploke-lsp ask --model emb": "embedded", "ploke-lsp ask --color alw": "always",
	} {
		_, err := g.terminal.WriteString(typed + "\t")
		check(t, err)
		g.await(want)
		_, err = g.terminal.WriteString("\x15")
		check(t, err)
	}
}
