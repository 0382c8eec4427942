package session

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"ploke-lsp/session/llm"
)

// budget holds what the requests under way may cost at most, so that those of
// several turns together stay within the day's limit.
type budget struct {
	mu       sync.Mutex
	reserved map[string]float64 // US dollars, by turn
}

// reserveBudget reserves what the next request may cost at most, or ends the turn
// if the day's budget doesn't allow it. ctx is the turn's: what is reserved is
// let go of at its end, or by the turn's next request.
func (s *requestSession) reserveBudget(ctx context.Context) error {
	limit := s.limits.DailyCost
	if limit <= 0 {
		return nil
	}
	if s.model.Price == nil {
		s.warnUnknownPrice()
		return nil
	}
	b := &s.e.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	spent, err := spentSince(ctx, s.e.opts.DB.Read(), midnight(time.Now()))
	if err != nil {
		return orElse(context.Cause(ctx), fmt.Errorf("the day's costs could not be added up: %w", err))
	}
	need := s.maxCost()
	if held := b.reservedByOthers(s.turn.RequestID); spent+held+need > limit {
		return &limitError{overBudget(limit, spent, held, need)}
	}
	if _, again := b.reserved[s.turn.RequestID]; !again {
		context.AfterFunc(ctx, func() { b.release(s.turn.RequestID) })
	}
	b.reserve(s.turn.RequestID, need)
	return nil
}

// reservedByOthers is what turns other than this one have reserved; the caller holds
// b.mu, as it does for reserve.
func (b *budget) reservedByOthers(turn string) float64 {
	sum := 0.0
	for _, id := range slices.Sorted(maps.Keys(b.reserved)) { // a sum depends on its order
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

// settle gives back what a turn has reserved, since the ledger has all that it has
// cost so far.
func (b *budget) settle(turn string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, ok := b.reserved[turn]; ok {
		b.reserve(turn, 0)
	}
}

// recordCost says what a request has cost, unless its provider did, and gives back
// what was reserved beyond it.
func (s *requestSession) recordCost(u *llm.Usage) {
	if u.Cost == 0 && s.model.Price != nil {
		u.Cost = s.model.Price.Cost(*u)
	}
	b := &s.e.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, ok := b.reserved[s.turn.RequestID]; ok {
		b.reserve(s.turn.RequestID, u.Cost)
	}
}

// maxCost is what the next request costs if all of it has the highest price
// and the answer takes all the room that it has.
func (s *requestSession) maxCost() float64 {
	return s.model.Price.MaxCost(s.size(), s.answerTokens())
}

// warnUnknownPrice tells the user once a turn that the budget can't be kept.
func (s *requestSession) warnUnknownPrice() {
	if _, remote := s.model.Provider.(llm.Remote); !remote || s.answer.Usage != (llm.Usage{}) {
		return
	}
	s.notice(fmt.Sprintf("the price of %s is not known, so limits.dailyCost does not bound what it costs: set its price under providers.%s.models",
		modelName(s.model), s.model.Provider.Name()))
}

func overBudget(limit, spent, held, need float64) string {
	text := fmt.Sprintf("today's budget of $%.2f is not enough for another request: $%.2f is spent", limit, spent)
	if held > 0 {
		text += fmt.Sprintf(", other turns may need $%.2f", held)
	}
	return text + fmt.Sprintf(", and this request may cost up to $%.2f; raise limits.dailyCost, or go on tomorrow", need)
}

// spentSince adds up the ledger's costs, in US dollars.
func spentSince(ctx context.Context, q queryer, since time.Time) (cost float64, err error) {
	err = q.QueryRowContext(ctx, `SELECT coalesce(sum(cost), 0) FROM ledger WHERE created_at >= ?`, since.UnixMilli()).Scan(&cost)
	return cost, err
}

// midnight is when the day of t began, where t is.
func midnight(t time.Time) time.Time {
	year, month, day := t.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, t.Location())
}
