package edits

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/gofrs/flock"
)

// acquireLease tells other processes that this process has plans in flight, so they do not
// treat accepted changes as abandoned. It takes a shared lock, which the operating system
// releases if the process dies. Each call needs a releaseLease.
func (m *Manager) acquireLease(ctx context.Context) error {
	if _, err := m.lease.TryRLockContext(ctx, lockRetry); err != nil {
		return fmt.Errorf("wait for another program that recovers abandoned edits: %w", err)
	}
	return nil
}

// releaseLease releases the lease if no plan is in flight any more.
func (m *Manager) releaseLease() {
	if len(m.inFlight) == 0 {
		m.lease.Unlock() // if this fails, other processes only wait longer before they settle accepted changes
	}
}

func (m *Manager) newLease() *flock.Flock {
	return flock.New(filepath.Join(filepath.Dir(m.db.Path()), "applying.lock"))
}
