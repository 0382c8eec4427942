package config_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/testbed"
)

func TestKeysFromEnvironmentAndCommand(t *testing.T) {
	sh := func(script string) []string { return []string{"/bin/sh", "-c", script} }
	for _, tt := range []struct {
		name     string
		provider config.Provider
		key      string
		problem  string
	}{
		{"none named", config.Provider{}, "", ""},
		{"environment", config.Provider{APIKeyEnv: "MINE"}, "from-env", ""},
		{"environment without it", config.Provider{APIKeyEnv: "OTHER"}, "", "the environment variable OTHER"},
		{"command", config.Provider{APIKeyCommand: sh("echo from-command")}, "from-command", ""},
		{"no shell", config.Provider{APIKeyCommand: []string{"/bin/echo", "$HOME;ls"}}, "$HOME;ls", ""},
		{"in the root folder", config.Provider{APIKeyCommand: sh("pwd")}, "/", ""},
		{"command that fails", config.Provider{APIKeyCommand: sh("echo secret; echo not signed in >&2; exit 3")}, "", "exit status 3: not signed in; try it in a terminal"},
		{"command that never stops printing", config.Provider{APIKeyCommand: sh("yes")}, "", "it printed too much"},
		{"command that prints nothing", config.Provider{APIKeyCommand: sh("true")}, "", "it printed nothing"},
		{"command that prints two lines", config.Provider{APIKeyCommand: sh("echo secret; echo secret")}, "", "more than one line"},
		{"command that does not exist", config.Provider{APIKeyCommand: []string{"no-such-program"}}, "", "no-such-program"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			keys := &config.Keys{Getenv: environment{"MINE": "from-env"}.get}
			key, err := keys.Find(t.Context(), tt.provider)
			if key != tt.key || (err == nil) != (tt.problem == "") {
				t.Fatalf("the key is %q, %v", key, err)
			}
			if err != nil && (!strings.Contains(err.Error(), tt.problem) || strings.Contains(err.Error(), "secret")) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

// TestCommandEndsWithItsTurn cancels the context while a command runs. A child of the
// command holds its output open.
func TestCommandEndsWithItsTurn(t *testing.T) {
	fifo, hold := filepath.Join(t.TempDir(), "started"), filepath.Join(t.TempDir(), "hold")
	mkfifo(t, fifo)
	mkfifo(t, hold)
	defer func() { // ends the child
		if f, err := os.OpenFile(hold, os.O_RDWR, 0); err == nil {
			f.Close()
		}
	}()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := (&config.Keys{}).Find(ctx, config.Provider{APIKeyCommand: []string{"/bin/sh", "-c", "cat '" + hold + "' & echo > '" + fifo + "'; wait"}})
		ended <- err
	}()
	if _, err := os.ReadFile(fifo); err != nil { // returns once the command has written
		t.Fatal(err)
	}
	cancel()
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "context canceled") {
		t.Errorf("the error is %v", err)
	}
}

// TestKeysAreCached looks up a key twice. The command succeeds only once.
func TestKeysAreCached(t *testing.T) {
	flag := filepath.Join(t.TempDir(), "asked")
	p := config.Provider{APIKeyCommand: []string{"/bin/sh", "-c", "test ! -e '" + flag + "' && touch '" + flag + "' && echo once"}}
	keys := &config.Keys{}
	for range 2 {
		if key, err := keys.Find(t.Context(), p); key != "once" || err != nil {
			t.Errorf("the key is %q, %v", key, err)
		}
	}
	if _, err := (&config.Keys{}).Find(t.Context(), p); err == nil {
		t.Error("a new cache has a key without running the command")
	}
}

// TestNoKeyring runs without a D-Bus session.
func TestNoKeyring(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "none"))
	_, err := (&config.Keys{}).Find(t.Context(), config.Provider{APIKeyKeyring: "ploke/team"})
	if err == nil || !strings.Contains(err.Error(), "keyring gave no key for ploke/team") ||
		!strings.Contains(err.Error(), "apiKeyEnv or apiKeyCommand") {
		t.Errorf("the error is %v", err)
	}
}

// TestKeyring uses the library's mock keyring, because a real one would prompt the
// person who runs the tests.
func TestKeyring(t *testing.T) {
	keyring.MockInit()
	if err := keyring.Set("ploke", "team/me", "from-keyring"); err != nil {
		t.Fatal(err)
	}
	keys := &config.Keys{}
	if key, err := keys.Find(t.Context(), config.Provider{APIKeyKeyring: "ploke/team/me"}); key != "from-keyring" || err != nil {
		t.Errorf("the key is %q, %v", key, err)
	}
	for name, want := range map[string]string{"ploke/other": "no entry for the service \"ploke\" and the user \"other\"", "ploke": "SERVICE/USER"} {
		if _, err := keys.Find(t.Context(), config.Provider{APIKeyKeyring: name}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}

func mkfifo(t *testing.T, path string) {
	t.Helper()
	testbed.Need(t, "named pipes in folders", testbed.NamedPipe(path))
}
