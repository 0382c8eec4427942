package session

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
)

const (
	trialTimeout = time.Minute // for a tiny answer
	trialAnswer  = 64          // tokens
)

// A Trial is the answer of a model to a tiny request.
type Trial struct {
	Text    string
	Usage   llm.Usage
	Latency time.Duration
}

// TryModel requests a one-word answer, which contains nothing of the workspace, and accepts every
// answer. The request is in no ledger, see [Engine.TryModel].
func TryModel(ctx context.Context, model llm.Model) (trial Trial, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, trialTimeout, fmt.Errorf("no answer within %v", trialTimeout))
	defer cancel()
	began := time.Now()
	request := model.Request(trialMessages(), nil, model.ContextTokens)
	request.MaxTokens, request.Reasoning = trialAnswer, false
	for chunk, failure := range model.Provider.Send(ctx, request) {
		if err = failure; err != nil {
			break
		}
		trial.Text += chunk.Text
		if chunk.Usage != nil {
			trial.Usage = *chunk.Usage
		}
	}
	trial.Text, trial.Latency = strings.TrimSpace(trial.Text), time.Since(began)
	if trial.Usage.Cost == 0 && model.Price != nil {
		trial.Usage.Cost = model.Price.Cost(trial.Usage)
	}
	return trial, err
}

// TryModel does the same. The request is in the ledger before it is sent, and its cost counts for
// the day. It fails if the day's budget is spent.
func (e *Engine) TryModel(ctx context.Context, model llm.Model) (trial Trial, err error) {
	switch spent, limit, err := e.Spent(ctx); {
	case err != nil:
		return Trial{}, fmt.Errorf("the day's costs could not be read: %w", err)
	case limit > 0 && spent >= limit:
		return Trial{}, &limitError{bus.ErrorBudget,
			fmt.Sprintf("today's budget of $%.2f is spent; raise limits.dailyCost, or try again tomorrow", limit)}
	}
	item := newSentItem(string(llm.User), trialMessages()[0].Text, "")
	entry := ledgerRow{id: newID(), provider: model.Provider.Name(), model: model.ID, sent: []sentItem{item},
		files: []SentFile{}}
	if remote, ok := model.Provider.(llm.Remote); ok {
		entry.host = remote.Host()
	}
	db := e.opts.DB
	if err := db.Record(ctx, func(tx *sql.Tx) error { return entry.insert(ctx, tx) }); err != nil {
		return Trial{}, fmt.Errorf("the ledger could not be written: %w", err)
	}
	trial, err = TryModel(ctx, model)
	entry.usage, entry.latency = trial.Usage, trial.Latency
	settling := context.WithoutCancel(ctx)
	if stored := db.Record(settling, func(tx *sql.Tx) error { return entry.settle(settling, tx) }); stored != nil &&
		err == nil {
		err = fmt.Errorf("the ledger could not be written: %w", stored)
	}
	return trial, err
}

func trialMessages() []llm.Message {
	return []llm.Message{{Role: llm.User, Text: "Answer with the one word: ready"}}
}
