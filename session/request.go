package session

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
	"ploke-lsp/session/window"
)

// requestSession runs one turn. Each of its parts knows only those above it: what is stored and shown of the turn,
// what it runs with, the secrets, what the model sees, what goes with a message, and the requests. Only one goroutine
// uses it.
type requestSession struct {
	*turnRecord
	prompt   Prompt
	setup    *turnSetup
	secrets  *turnSecrets // hidden from the model
	view     *modelView
	context  contextBuilder
	requests requester
	guard    loopGuard
	prover   prover
	declined bool // the last answer did not do what was asked
}

// loopGuard has what ends a turn whose model gets nowhere.
type loopGuard struct {
	repairs    int           // responses in a row with only invalid calls
	failures   failureCounts // so far
	askedAgain bool          // the last response was asked for again
}

// limitError ends a turn that reached a limit without failing.
type limitError struct {
	kind bus.ErrorKind
	msg  string
}

func (e *limitError) Error() string { return e.msg }

// newRequestSession returns the turn of a message that was admitted.
func newRequestSession(a *admission) *requestSession {
	s := &requestSession{prompt: a.prompt, guard: loopGuard{failures: failureCounts{}},
		turnRecord: &turnRecord{e: a.e, turn: a.turn, user: a.user, answer: a.answer},
		setup:      &turnSetup{set: a.e.opts.Tools}}
	s.setup.limits, s.setup.fallback = a.e.configured()
	s.secrets = newSecrets(s.turnRecord)
	s.view = &modelView{e: a.e, turn: a.turn, setup: s.setup, secrets: s.secrets, repeats: newRepeats(),
		hidden: &hiddenMessages{conversationID: a.turn.ConversationID}}
	s.context = contextBuilder{turnRecord: s.turnRecord, setup: s.setup, view: s.view}
	s.requests = requester{turnRecord: s.turnRecord, setup: s.setup, secrets: s.secrets, view: s.view}
	return s
}

// run sends requests to the model and runs its calls, until there is an answer, a
// limit is reached, or ctx ends.
func (s *requestSession) run(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			s.e.opts.Logger.Error("turn panicked", "request", s.turn.RequestID, "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("an internal error ended the turn: %v", p)
		}
	}()
	if err := s.construct(ctx); err != nil {
		return err
	}
	for range s.setup.limits.TurnRequests {
		r, err := s.requests.requestModel(ctx)
		if err != nil {
			return err
		}
		if again, err := s.handleResponse(ctx, r); err != nil || !again {
			return err
		}
	}
	return &limitError{bus.ErrorLimit,
		fmt.Sprintf("the turn reached its limit of %d requests to the model; send a message to continue",
			s.setup.limits.TurnRequests)}
}

// handleResponse takes in a response: it runs its calls. It reports whether there is a
// next request.
func (s *requestSession) handleResponse(ctx context.Context, r *response) (again bool, err error) {
	if len(r.calls) == 0 {
		return s.handleAnswer(ctx, r)
	}
	s.guard.askedAgain = false
	limit := s.resultTokens(r)
	ended, err := s.runCalls(ctx, r.calls, limit)
	if err != nil {
		return false, err
	}
	looped := s.addResults(r, ended, limit)
	s.context.noteFilesOf(ctx, ended)
	unread, err := s.context.giveRulesWithNextRequest(ctx, ended)
	if err != nil {
		return false, orElse(context.Cause(ctx), err)
	}
	if err := s.countFailures(ended); err != nil {
		return false, err
	}
	answer := answerIn(ended)
	last := answer != "" && !unread // else the edits may break the rules
	switch {
	case last:
		repair, err := s.prove(ctx)
		if err != nil {
			return false, err
		}
		if last = !repair; last {
			s.answerWith(answer)
		}
	case looped != nil:
		return false, looped
	}
	return s.takeUserInput(ctx, last)
}

// addResults adds a response with calls and their results, of which at most limit tokens are sent, to the
// messages. It returns an error if the model keeps reading what it has read.
func (s *requestSession) addResults(r *response, ended []records.ToolCall, limit int) (looped error) {
	notes, looped := s.view.repeats.add(s.setup.set, ended, s.view.sentWhole)
	st := &s.answer.Responses[len(s.answer.Responses)-1]
	x := s.e.kept.render.Exchange(string(s.text[r.start:]), ended)
	x[0].Opaque = r.opaque
	window.NoteUnchanged(x, notes)
	uncut := slices.Clone(x)
	st.Unchanged, st.Cut = notes, s.view.counter().Cuts(x, limit)
	window.CutResults(x, st.Cut)
	for i, whole := range window.ResultsOf(ended, x) {
		if whole != nil {
			whole.Uncut = uncut[i].Text
			s.view.frame.ownResults[x[i].CallID] = whole
		}
	}
	s.view.messages = append(s.view.messages, x...)
	return looped
}

// answerIn returns the answer that the model has sent along with the calls of a response. It is ""
// if there is none, or if a call failed: then the model has to see that first.
func answerIn(ended []records.ToolCall) (answer string) {
	for _, c := range ended {
		if c.Failed() {
			return ""
		}
		if c.Answer != "" {
			answer = c.Answer
		}
	}
	return answer
}

// answerWith adds a text to the answer as if the model had sent it in a response of its own.
func (s *requestSession) answerWith(text string) {
	r := &response{start: len(s.text)}
	s.appendText(r, llm.Chunk{Text: text})
	s.addStep(r)
	s.view.messages = append(s.view.messages, s.e.kept.render.Exchange(text, nil)...)
}

// takeUserInput takes in the user's decisions and messages since the last request. It
// reports whether there is a next request; there always is one if the response had
// calls.
func (s *requestSession) takeUserInput(ctx context.Context, last bool) (again bool, err error) {
	next := s.e.turns.nextSteer(s.turn, last)
	if next == nil && last {
		return false, nil
	}
	if err := s.context.reportDecisionsWithNextRequest(ctx); err != nil {
		return false, orElse(context.Cause(ctx), err)
	}
	if next != nil {
		err = s.steer(next)
	}
	return true, err
}

// finish stores the outcome of the turn, and returns the event that reports it.
func (s *requestSession) finish(err error) (Outcome, bus.TurnFinished) {
	var limit *limitError
	switch {
	case err == nil:
		s.answer.Status, s.answer.StopReason = records.Completed, bus.StopDone
	case errors.As(err, &limit):
		s.answer.Status, s.answer.StopReason = records.Completed, bus.StopLimit
	case errors.Is(err, errStopped):
		s.answer.Status, s.answer.StopReason, err = records.Cancelled, bus.StopCancelled, nil
	case errors.Is(err, errClosed):
		s.answer.Status, s.answer.StopReason = records.Interrupted, bus.StopCancelled
	default:
		s.answer.Status, s.answer.StopReason = records.Failed, bus.StopError
	}
	if err != nil {
		s.answer.Error, s.answer.ErrorKind = err.Error(), errorKind(err)
	}
	s.answer.Text = string(s.text)
	s.answer.AddRest()
	late := s.closeToSteers()
	if saveErr := s.save(func(ctx context.Context, tx *sql.Tx) error {
		return s.endLateSteers(ctx, tx, late)
	}); saveErr != nil {
		s.e.opts.Logger.Error("storing an answer failed", "message", s.answer.ID, "error", saveErr)
		if errors.Is(saveErr, errTakenOver) {
			err = errTakenOver
		} else {
			err = errors.Join(err, fmt.Errorf("the answer could not be stored: %w", saveErr))
		}
		s.answer.Status, s.answer.StopReason = records.Failed, bus.StopError
		s.answer.Error, s.answer.ErrorKind = err.Error(), bus.ErrorInternal
	}
	if s.answer.StopReason == bus.StopDone {
		s.keepStored()
	}
	s.publishUpdate()
	proposals, listErr := records.ProposalsOf(context.Background(), s.e.opts.DB.Read(), s.turn.RequestID)
	if listErr != nil {
		err = errors.Join(err, listErr)
	}
	return Outcome{Text: string(s.text), StopReason: s.answer.StopReason, Err: err, Usage: s.answer.Usage,
			Proposals: proposals},
		bus.TurnFinished{TurnRef: s.turn.TurnRef, ParentID: s.user.ID,
			MessageID: s.answer.ID, StopReason: s.answer.StopReason, Error: s.answer.Error, ErrorKind: s.answer.ErrorKind,
			Model: s.answer.Model, Context: s.answer.Context, Usage: busTokens(s.answer.Usage), Declined: s.declined}
}

func busTokens(u llm.Usage) bus.Tokens {
	return bus.Tokens{In: u.In, Out: u.Out, Cached: u.Cached, Cost: u.Cost}
}

// errorKinds are the kinds of the errors of models.
var errorKinds = map[llm.Class]bus.ErrorKind{
	llm.Auth:           bus.ErrorAuth,
	llm.Quota:          bus.ErrorQuota,
	llm.RateLimit:      bus.ErrorBusy,
	llm.Overloaded:     bus.ErrorBusy,
	llm.ContextTooLong: bus.ErrorContext,
	llm.ContentFilter:  bus.ErrorRefused,
	llm.Network:        bus.ErrorNetwork,
	llm.Stalled:        bus.ErrorNetwork,
	llm.TLS:            bus.ErrorNetwork,
	llm.Redirect:       bus.ErrorNetwork,
	llm.NotFound:       bus.ErrorModel,
	llm.BadResponse:    bus.ErrorModel,
	llm.Template:       bus.ErrorModel,
	llm.Schema:         bus.ErrorModel,
	llm.NoTools:        bus.ErrorModel,
	llm.TooLarge:       bus.ErrorLimit,
}

// errorKind returns the kind of an error that ended a turn; "" if the turn can just go on.
func errorKind(err error) bus.ErrorKind {
	var limit *limitError
	var provider *llm.Error
	switch {
	case errors.As(err, &limit):
		return limit.kind
	case errors.As(err, &provider):
		return errorKinds[provider.Class]
	case errors.Is(err, errClosed), errors.Is(err, errTakenOver):
		return ""
	}
	return bus.ErrorInternal
}
