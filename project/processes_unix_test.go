//go:build linux || darwin

package project_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"ploke-lsp/internal/lease"
	"ploke-lsp/internal/testbed"
)

// TestProcessesThatAreMetAndMissed opens a folder twice, and has somebody lock the index who is not met.
func TestProcessesThatAreMetAndMissed(t *testing.T) {
	t.Parallel()
	state, err := os.MkdirTemp("", "p") // sockets have short paths
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(state) })
	root := t.TempDir()
	p, _ := openIn(t, state, root, &headless{})
	root = p.Workspace.Roots()[0] // without links
	if met, missed := p.Processes(); len(met)+len(missed) > 0 {
		t.Errorf("alone it meets %q and misses %q", met, missed)
	}
	openIn(t, state, root, &headless{})
	want := fmt.Sprintf("process %d (ploke-lsp ), which has %s open, too", os.Getpid(), root)
	var met []string
	testbed.Eventually(t, func() bool { met, _ = p.Processes(); return slices.Equal(met, []string{want}) },
		func() string { return fmt.Sprintf("met %q, want %q", met, want) })

	locks, err := filepath.Glob(filepath.Join(state, "*", "index.lock"))
	if err != nil || len(locks) != 1 {
		t.Fatalf("the locks are %q, %v", locks, err)
	}
	lock := flock.New(locks[0])
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	for name, tt := range map[string]struct {
		owner lease.Owner
		want  string
	}{
		"another process":      {lease.Owner{Host: lease.Host(), PID: 1 << 22}, "process 4194304 writes the index of " + root + " and is not met"},
		"in another container": {lease.Owner{Host: "there pid:[1]", PID: os.Getpid()}, fmt.Sprintf("process %d of there pid:[1] writes the index of ", os.Getpid())},
		"this process":         {lease.New("", time.Hour), ""},
	} {
		text, err := json.Marshal(tt.owner)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(filepath.Dir(locks[0]), "index.writer"), text, 0o600); err != nil {
			t.Fatal(err)
		}
		_, missed := p.Processes()
		if all := strings.Join(missed, "\n"); (tt.want == "") != (len(missed) == 0) || !strings.Contains(all, tt.want) {
			t.Errorf("%s: %q, want %q", name, missed, tt.want)
		}
	}
}
