package session

import (
	"context"
	"fmt"
	"slices"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/records"
)

// runCalls runs the calls of one response, those that only read side by side, and returns
// their records in the order of the calls.
// limit is how many tokens the results may have.
func (s *requestSession) runCalls(ctx context.Context, calls []bus.ToolCallRequested,
	limit int) ([]records.ToolCall, error) {
	if len(calls) == 0 {
		return nil, nil
	}
	// before publishing, so that no event is missed
	sub := s.e.opts.Bus.ParticipantOf("turn "+s.turn.RequestID, s.endsCall)
	defer sub.Close()
	s.e.dispatcher.bindBatch(s.turn.RequestID,
		callBatch{ctx, s.setup.set, s.user.Request(), newCallOrder(s.setup.set, calls), s.guard.failures, s.callVault(calls),
			s.context.decided.earlier, &s.kept.stored, s.view.counter().Bytes(limit)})
	defer s.e.dispatcher.unbindBatch(s.turn.RequestID)
	ended := make([]records.ToolCall, len(calls))
	open := map[string]int{}
	requests := make([]bus.Event, len(calls))
	for i, c := range calls {
		ended[i] = records.ToolCall{ID: c.ID, CallID: c.CallID, Tool: c.Name, Arguments: c.Arguments}
		open[c.ID] = i
		requests[i] = c
	}
	s.e.opts.Bus.Publish(requests...) // together: what a call does is shown behind all calls, as the history shows it
	for len(open) > 0 {
		// Every call gets a terminal event, at the latest soon after ctx ends.
		event, err := sub.Next(context.Background())
		if err != nil {
			return nil, fmt.Errorf("the event bus ended while tools were running: %w", err)
		}
		id, settle := terminal(event)
		if i, ok := open[id]; ok {
			settle(&ended[i])
			delete(open, id)
		}
	}
	return ended, context.Cause(ctx)
}

// endsCall reports whether an event ends a call of the turn.
func (s *requestSession) endsCall(e bus.Event) bool {
	switch e := e.(type) {
	case bus.ToolCallCompleted:
		return e.RequestID == s.turn.RequestID
	case bus.ToolCallFailed:
		return e.RequestID == s.turn.RequestID
	}
	return false
}

// terminal returns the id of the call that an event ends, and a function that adds
// the result to the call's record.
func terminal(e bus.Event) (id string, settle func(*records.ToolCall)) {
	switch e := e.(type) {
	case bus.ToolCallCompleted:
		return e.ID, func(c *records.ToolCall) {
			c.Content, c.Summary, c.Answer, c.Secrets = e.Content, e.Summary, e.Answer, e.Secrets
		}
	case bus.ToolCallFailed:
		return e.ID, func(c *records.ToolCall) { c.Content, c.Error, c.Code = e.Content, e.Error, e.Code }
	}
	return "", nil
}

// countFailures counts the failed calls of a response. It ends the turn if the model
// keeps making calls that can't work. It counts responses, not calls, since the model
// sees the errors only after its response.
func (s *requestSession) countFailures(batch []records.ToolCall) error {
	if allInvalid(batch) {
		s.guard.repairs++
	} else {
		s.guard.repairs = 0
	}
	if s.guard.repairs > s.setup.limits.Repairs {
		return &limitError{bus.ErrorModel,
			fmt.Sprintf("the model made only calls of unknown tools or with invalid arguments, in %d responses in a row; ask "+
				"again, or choose another model", s.guard.repairs)}
	}
	return s.guard.failures.add(batch)
}

// allInvalid reports whether a response has calls, and none that a tool could run.
func allInvalid(batch []records.ToolCall) bool {
	return len(batch) > 0 &&
		!slices.ContainsFunc(batch, func(c records.ToolCall) bool { return c.Code != bus.CodeInvalid })
}
