package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// What follows are the environments in which a test starts a process. Nothing else comes from who runs the tests, so that
// a test sees what a process has in life, whatever is set here. HOME is an empty folder.

// ofGo are the variables that only a program built for tests reads: without the first, one with the race detector waits
// for a second before it ends.
var ofGo = []string{"GORACE", "GOCOVERDIR"}

// ofMCPClient is what the SDKs of MCP pass on to a server's program: six variables, and on Windows others.
func ofMCPClient(t testing.TB) []string {
	names := []string{"PATH"}
	own := []string{"HOME=" + t.TempDir(), "LOGNAME=person", "SHELL=/bin/sh", "TERM=xterm-256color", "USER=person"}
	if runtime.GOOS == "windows" {
		own = nil
		names = strings.Fields("APPDATA HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PROCESSOR_ARCHITECTURE SYSTEMDRIVE SYSTEMROOT TEMP USERNAME " +
			"USERPROFILE")
	}
	return append(own, kept(append(names, ofGo...)...)...)
}

// ofDesktop is what an editor that was started from a desktop passes on to its server. It has no bus, so that no test
// gets at the machine's keyring. The model is that of the test; see [useModel].
func ofDesktop(t testing.TB) []string {
	runtimeDir := t.TempDir()
	desktop := []string{"LANG=en_US.UTF-8", "DISPLAY=:0", "XDG_RUNTIME_DIR=" + runtimeDir, "XDG_SESSION_TYPE=x11", "XDG_CURRENT_DESKTOP=GNOME",
		"DBUS_SESSION_BUS_ADDRESS=unix:path=" + filepath.Join(runtimeDir, "no-bus")}
	return append(append(withoutTerminal(ofMCPClient(t)), desktop...), kept("PLOKE_BASE_URL", "PLOKE_API_KEY", "PLOKE_MODEL")...)
}

// ofTerminal is what a shell in a terminal of that desktop passes on.
func ofTerminal(t testing.TB) []string {
	folder := t.TempDir()
	return append(ofDesktop(t), "TERM=xterm-256color", "COLORTERM=truecolor", "TMPDIR="+folder, "PWD="+folder, "SHLVL=1")
}

// kept returns the variables of this process that are set.
func kept(names ...string) (all []string) {
	for _, name := range names {
		if value, ok := os.LookupEnv(name); ok {
			all = append(all, name+"="+value)
		}
	}
	return all
}

func withoutTerminal(environment []string) (rest []string) {
	for _, variable := range environment {
		if !strings.HasPrefix(variable, "TERM=") {
			rest = append(rest, variable)
		}
	}
	return rest
}

// forgetRunner removes the variables of who runs the tests that would tell the program of other settings, models or
// folders. A test that runs a part of the program in its own process does not see them either.
func forgetRunner() {
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, "XDG_") || strings.HasPrefix(name, "PLOKE_") && !strings.HasPrefix(name, "PLOKE_TEST_") {
			os.Unsetenv(name)
		}
	}
}
