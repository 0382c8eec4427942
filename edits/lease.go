package edits

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/gofrs/flock"
)

// hold says to other processes that this one has plans in flight, so that none
// takes what is accepted for forgotten. The system takes the lock, which many may
// share, from a process that dies. Each hold needs a letGo after it.
func (m *Manager) acquireLease(ctx context.Context) error {
	if _, err := m.lease.TryRLockContext(ctx, lockRetry); err != nil {
		return fmt.Errorf("wait for another program that looks for forgotten edits: %w", err)
	}
	return nil
}

// letGo ends hold if no plan is in flight any more.
func (m *Manager) releaseLease() {
	if len(m.inFlight) == 0 {
		m.lease.Unlock() // if it can't, others leave what is accepted alone for longer
	}
}

func (m *Manager) newLease() *flock.Flock {
	return flock.New(filepath.Join(filepath.Dir(m.db.Path()), "applying.lock"))
}
