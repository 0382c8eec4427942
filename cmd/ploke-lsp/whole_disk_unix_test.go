//go:build unix

package main

import (
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/acp/acptest"
	acpprotocol "ploke-lsp/acp/protocol"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

// TestNoDoorOpensTheHomeOfTheAccount starts the servers without variables, as cron and containers do, and with a HOME that is
// another folder. Each refuses the home folder that the account database names, and a link to it.
func TestNoDoorOpensTheHomeOfTheAccount(t *testing.T) {
	account, err := user.Current()
	check(t, err)
	link := filepath.Join(t.TempDir(), "link")
	check(t, os.Symlink(account.HomeDir, link))
	bare := kept(append([]string{"PATH"}, ofGo...)...)
	for name, environment := range map[string][]string{
		"env -i":       bare,
		"another HOME": append([]string{"HOME=" + t.TempDir()}, bare...),
	} {
		t.Run(name, func(t *testing.T) {
			acp := acptest.StartProcess(t, acptest.Options{}, environment, program(t).Path, "acp", "--state-dir", t.TempDir())
			acp.Initialize()
			for _, dir := range []string{account.HomeDir, link} {
				if err := acp.Error(acpprotocol.MethodSessionNew, acptest.Params("", dir)); !strings.Contains(err.Message, "is not a project") {
					t.Errorf("acp opens %s: %v", dir, err)
				}
			}

			server := serveIn(t, environment, "--state-dir", t.TempDir())
			editor := lsptest.Connect(t, server, lsptest.Options{Roots: []string{account.HomeDir, link}})
			var status ploke.IndexStatus
			editor.Call(ploke.MethodIndexStatus, nil, &status)
			if status.Files > 0 || status.State == ploke.IndexIndexing {
				t.Errorf("serve indexes it: %+v", status)
			}
			stop(t, server, editor)
		})
	}
}
