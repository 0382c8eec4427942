package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/testbed"
)

// TestAKeyCommandIsBounded has a command say its own bound of memory, and one that leaves a process behind. Others print without
// end, wait, and wait with a child that does not.
func TestAKeyCommandIsBounded(t *testing.T) {
	find := func(script string) (key string, err error) {
		t.Helper()
		testbed.Returns(t, func() {
			key, err = (&config.Keys{}).Find(t.Context(), config.Provider{APIKeyCommand: []string{"/bin/sh", "-c", script}})
		}, "the key")
		return key, err
	}
	if key, err := find(`while [ "$(ulimit -d)" = unlimited ]; do :; done; ulimit -d`); key != "1048576" {
		t.Errorf("its bound of memory is %q KB, %v", key, err)
	}
	left := filepath.Join(t.TempDir(), "left")
	if key, err := find("sleep 1000 >&- 2>&- & echo $! >'" + left + "'; echo key"); key != "key" {
		t.Errorf("the key is %q, %v", key, err)
	}
	awaitEnd(t, left)

	usual := *config.KeyBounds()
	t.Cleanup(func() { *config.KeyBounds() = usual })
	config.KeyBounds().Time = 200 * time.Millisecond
	for name, script := range map[string]string{
		"it waits":                       "sleep 1000 & echo $! >'" + left + "'; wait",
		"it has printed, and waits":      "echo key; sleep 1000 & echo $! >'" + left + "'; wait",
		"it has ended, a child has not":  "echo key; sleep 1000 & echo $! >'" + left + "'",
		"it has closed its own output":   "sleep 1000 >&- 2>&- & echo $! >'" + left + "'; exec >&- 2>&-; wait",
		"it prints a line again, slowly": "sleep 1000 & echo $! >'" + left + "'; while sleep 0.05; do echo; done",
	} {
		if key, err := find(script); err == nil || !strings.Contains(err.Error(), "it took more than 200ms; try it in a terminal") {
			t.Errorf("%s: the key is %q, %v", name, key, err)
		}
		awaitEnd(t, left)
	}
}

// awaitEnd waits until the process has ended whose id is in a file.
func awaitEnd(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	testbed.Eventually(t, func() bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) },
		func() string { return "the process that the command has left still runs" })
}
