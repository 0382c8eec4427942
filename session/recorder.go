package session

import (
	"context"
	"database/sql"
	"log/slog"
	"sync"

	"ploke-lsp/internal/store"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/records"
)

// groupSize is the maximum number of records in one commit.
const groupSize = 64

// recorder stores the records of finished calls and then publishes their terminal
// events. It stores all waiting records in one commit.
type recorder struct {
	db      *store.DB
	bus     *bus.Bus
	log     *slog.Logger
	ended   chan endedCall
	closing sync.Once
	storing sync.WaitGroup
}

type endedCall struct {
	bus.ToolCallRequested
	records.ToolCall
	known  bool               // there is a tool with this name
	stored *records.EndedTurn // gets the row of the call; may be nil
	row    records.CallRow    // once it is stored
}

func newRecorder(o Options) *recorder {
	r := &recorder{db: o.DB, bus: o.Bus, log: o.Logger, ended: make(chan endedCall, groupSize)}
	r.storing.Go(r.loop)
	return r
}

// close waits until all records are stored and their events published.
func (r *recorder) close() {
	r.closing.Do(func() { close(r.ended) })
	r.storing.Wait()
}

func (r *recorder) loop() {
	for first := range r.ended {
		r.settle(r.group(first))
	}
}

// group returns first and the other waiting records.
func (r *recorder) group(first endedCall) []endedCall {
	group := []endedCall{first}
	for len(group) < groupSize {
		select {
		case c, ok := <-r.ended:
			if !ok {
				return group
			}
			group = append(group, c)
		default:
			return group
		}
	}
	return group
}

// settle stores a group, hands the rows to their turns, and publishes its events. If storing fails, it
// stores each record by itself, so that one bad record does not affect the others.
func (r *recorder) settle(group []endedCall) {
	err := r.store(group)
	if err != nil && len(group) > 1 {
		for i := range group {
			r.settle(group[i : i+1])
		}
		return
	}
	for _, c := range group {
		if err != nil {
			r.log.Error("storing a call's record failed", "call", c.ToolCallRequested.ID, "error", err)
			c.ToolCall = records.Failure(bus.CodeError, "the record of the call could not be stored: "+err.Error())
		} else if c.stored != nil {
			c.stored.AddCall(c.row)
		}
		r.logEnd(c)
		r.publish(c.ToolCallRequested, c.ToolCall)
	}
}

// logEnd logs how a call ended. Nothing that a model or a tool has written is logged, not
// even the name of a tool that does not exist.
func (r *recorder) logEnd(c endedCall) {
	tool := "unknown"
	if c.known {
		tool = c.Name
	}
	q := c.ToolCallRequested
	attributes := []any{"turn", q.RequestID, "call", q.ID, "tool", tool, "duration", c.Duration}
	if c.Code != "" {
		r.log.Warn("a tool call failed", append(attributes, "code", c.Code)...)
		return
	}
	r.log.Info("a tool call completed", attributes...)
}

// store commits a group. It ignores the turns' contexts, since the calls have ended
// anyway.
func (r *recorder) store(group []endedCall) error {
	ctx := context.Background()
	return r.db.Record(ctx, func(tx *sql.Tx) (err error) {
		for i := range group {
			c := &group[i]
			if c.row, err = records.StoreCall(ctx, tx, c.ToolCallRequested, c.ToolCall); err != nil {
				return err
			}
		}
		return nil
	})
}

func (r *recorder) publish(q bus.ToolCallRequested, c records.ToolCall) {
	if c.Code != "" {
		r.bus.Publish(bus.ToolCallFailed{CallRef: q.CallRef, Error: c.Error, Code: c.Code, Content: c.Content,
			Duration: c.Duration})
		return
	}
	r.bus.Publish(bus.ToolCallCompleted{CallRef: q.CallRef, Content: c.Content, Summary: c.Summary, Answer: c.Answer,
		Secrets: c.Secrets, Duration: c.Duration})
}
