package session

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
)

// budget holds the maximum cost of the running requests, so that concurrent turns
// together stay within the daily limit.
type budget struct {
	mu       sync.Mutex
	reserved map[string]float64 // US dollars, by turn
}

// reserveBudget reserves the maximum cost of the next request, or ends the turn if
// the daily budget does not allow it. ctx is the turn's context: the reservation ends
// with it, or with the turn's next request.
func (q *requester) reserveBudget(ctx context.Context) error {
	limit := q.setup.limits.DailyCost
	if limit <= 0 {
		return nil
	}
	if q.setup.model.Price == nil {
		q.warnUnknownPrice()
		return nil
	}
	b := &q.e.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	spent, err := spentSince(ctx, q.e.opts.DB.Read(), midnight(time.Now()))
	if err != nil {
		return orElse(context.Cause(ctx), fmt.Errorf("the day's costs could not be read: %w", err))
	}
	need := q.maxCost()
	if held := b.reservedByOthers(q.turn.RequestID); spent+held+need > limit {
		return &limitError{bus.ErrorBudget, overBudget(limit, spent, held, need)}
	}
	if _, again := b.reserved[q.turn.RequestID]; !again {
		context.AfterFunc(ctx, func() { b.release(q.turn.RequestID) })
	}
	b.reserve(q.turn.RequestID, need)
	return nil
}

// reservedByOthers returns the sum that turns other than this one have reserved. The
// caller holds b.mu, as for reserve.
func (b *budget) reservedByOthers(turn string) float64 {
	sum := 0.0
	for _, id := range slices.Sorted(maps.Keys(b.reserved)) { // float addition depends on the order
		if id != turn {
			sum += b.reserved[id]
		}
	}
	return sum
}

func (b *budget) reserve(turn string, cost float64) {
	if b.reserved == nil {
		b.reserved = map[string]float64{}
	}
	b.reserved[turn] = cost
}

func (b *budget) release(turn string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.reserved, turn)
}

// settle sets a turn's reservation to zero, since the ledger now has all of its
// costs.
func (b *budget) settle(turn string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, ok := b.reserved[turn]; ok {
		b.reserve(turn, 0)
	}
}

// recordCost sets the cost of a request if the provider did not report it, and
// releases the rest of the reservation.
func (q *requester) recordCost(u *llm.Usage) {
	if u.Cost == 0 && q.setup.model.Price != nil {
		u.Cost = q.setup.model.Price.Cost(*u)
	}
	b := &q.e.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, ok := b.reserved[q.turn.RequestID]; ok {
		b.reserve(q.turn.RequestID, u.Cost)
	}
}

// maxCost returns the cost of the next request if all tokens have the highest price
// and the answer has its maximum length.
func (q *requester) maxCost() float64 {
	return q.setup.model.Price.MaxCost(q.view.size(), q.setup.answerTokens())
}

// warnUnknownPrice warns the user once a turn that the budget can't be enforced.
func (q *requester) warnUnknownPrice() {
	if _, remote := q.setup.model.Provider.(llm.Remote); !remote || q.answer.Usage != (llm.Usage{}) {
		return
	}
	q.notice(fmt.Sprintf("the price of %s is not known, so limits.dailyCost does not bound what it costs: set its price "+
		"under providers.%s.models",
		modelName(q.setup.model), q.setup.model.Provider.Name()))
}

func overBudget(limit, spent, held, need float64) string {
	text := fmt.Sprintf("today's budget of $%.2f is not enough for another request: $%.2f is spent", limit, spent)
	if held > 0 {
		text += fmt.Sprintf(", other turns may need $%.2f", held)
	}
	return text + fmt.Sprintf(", and this request may cost up to $%.2f; raise limits.dailyCost, or continue tomorrow",
		need)
}

// spentSince returns the sum of the ledger's costs in US dollars.
func spentSince(ctx context.Context, q records.Queryer, since time.Time) (cost float64, err error) {
	err = q.QueryRowContext(ctx, `SELECT coalesce(sum(cost), 0) FROM ledger WHERE created_at >= ?`,
		since.UnixMilli()).Scan(&cost)
	return cost, err
}

// midnight returns the start of t's day in t's time zone.
func midnight(t time.Time) time.Time {
	year, month, day := t.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, t.Location())
}
