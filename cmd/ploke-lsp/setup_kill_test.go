package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"ploke-lsp/internal/testbed"
)

// TestSetupIsKilled kills setup at many moments. The client's file always has one of its two
// texts, and the next run succeeds.
func TestSetupIsKilled(t *testing.T) {
	testbed.Long(t)
	home := t.TempDir()
	file := filepath.Join(home, ".config/helix/languages.toml")
	check(t, os.MkdirAll(filepath.Dir(file), 0o700))
	const without = "# mine\n"
	check(t, os.WriteFile(file, []byte(without), 0o600))
	setup := func(args ...string) func(time.Duration) error {
		return func(life time.Duration) error {
			cmd := program(t, append([]string{"setup", "helix"}, args...)...)
			cmd.Env = []string{"HOME=" + home}
			cmd.Dir = t.TempDir()
			check(t, cmd.Start())
			kill := time.AfterFunc(life, func() { cmd.Process.Kill() })
			defer kill.Stop()
			return cmd.Wait()
		}
	}
	write, undo := setup("--write"), setup("--undo")
	text := func() string {
		data, err := os.ReadFile(file)
		check(t, err)
		return string(data)
	}
	begin := time.Now()
	check(t, write(time.Minute))
	whole := time.Since(begin)
	with := text()
	const moments = 12
	for n := range moments {
		for _, run := range []func(time.Duration) error{undo, write} {
			run(whole * time.Duration(n+1) / moments) // an error if it was killed in time
			if got := text(); got != with && got != without {
				t.Fatalf("the file is %q", got)
			}
		}
	}
	check(t, write(time.Minute))
	check(t, undo(time.Minute))
	if got := text(); got != without {
		t.Errorf("the file is %q", got)
	}
}
