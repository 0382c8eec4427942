package diskwatch

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"
)

// keptBySystem returns how many changes the system keeps for a program that does not read them.
func keptBySystem(t *testing.T) int {
	t.Helper()
	data, err := os.ReadFile("/proc/sys/fs/inotify/max_queued_events")
	check(t, err)
	kept, err := strconv.Atoi(strings.TrimSpace(string(data)))
	check(t, err)
	return kept
}

func TestTheRootIsRenamed(t *testing.T) {
	w := watch(t, run)
	check(t, os.Rename(w.root, w.root+"x"))
	if err := w.awaitEnd(); !errors.Is(err, ErrOutdated) {
		t.Errorf("the watch ends with %v", err)
	}
}

func TestTooManyFolders(t *testing.T) {
	w := watch(t, func(ctx context.Context, o Options) error { return runWithin(ctx, o, 2) })
	if err := w.awaitEnd(); err == nil || !strings.Contains(err.Error(), "more than 2 folders") {
		t.Errorf("the watch ends with %v", err)
	}
}

// TestTheSystemsLimit reads how many watches the system allows.
func TestTheSystemsLimit(t *testing.T) {
	limit, err := readLimit()
	if err != nil || limit <= 0 {
		t.Errorf("the limit is %d, %v", limit, err)
	}
}
