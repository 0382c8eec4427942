package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"ploke-lsp/internal/sandbox"
	"ploke-lsp/internal/testbed"
)

// TestChecksInASandbox runs the scripts of testdata/sandbox with the real program.
func TestChecksInASandbox(t *testing.T) {
	_, err := sandbox.New(nil)
	testbed.Need(t, "bubblewrap", err)
	testbed.UserNamespaces(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/sandbox",
		Setup: func(env *testscript.Env) error {
			env.Setenv("PLOKE_STATE_DIR", filepath.Join(env.WorkDir, ".state"))
			env.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(env.WorkDir, "no-bus"))
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			return os.Mkdir(filepath.Join(env.WorkDir, "home"), 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"proposal-id": proposalID},
	})
}
