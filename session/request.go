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
	"ploke-lsp/tools"
)

// requestSession runs one turn. It owns the messages sent to the model and the
// answer. Only one goroutine uses it.
type requestSession struct {
	e            *Engine
	turn         *Turn
	prompt       Prompt
	user, answer records.Message

	setup       turnSetup
	view        modelView
	text        []byte // of the answer so far
	guard       loopGuard
	decided     decidedProposals
	ledger      turnLedger
	secrets     secrets // hidden from the model
	kept        keptTurn
	storeResult chan error // result of storing a message that joins a turn
}

// turnSetup is what a turn runs with.
type turnSetup struct {
	model    llm.Model
	fallback string     // the model to use when model is overloaded
	set      *tools.Set // that the turn may call; the same in all of its requests
	limits   Limits
}

// modelView is what the conversation looks like to the model: the messages of the next request, and what they are
// made from. The package comment says what is kept of it from request to request and from turn to turn.
type modelView struct {
	messages       []llm.Message
	counted        countedMessages    // of the messages
	sent           int                // how many of the messages the turn's last request had
	frame          promptFrame        // the parts of the messages
	rules          givenRules         // of folders, in the messages that are sent
	turnRules      []records.Rules    // those that this turn has given
	proposals      proposalLines      // of the past, once messages are to be dropped
	tools          []llm.ToolSpec     // of the next request
	definitions    definitions        // of tools, from which those of a request are taken
	scales         map[string]float64 // of token counts, by the model's name
	reportedTokens int                // window of the model before anything was learned of it; 0: unknown
}

// loopGuard has what ends a turn whose model gets nowhere.
type loopGuard struct {
	repairs    int           // responses in a row with only invalid calls
	failures   failureCounts // so far
	repeats    repeats       // of the calls since the last message of the user
	askedAgain bool          // the last response was asked for again
}

// decidedProposals is what a turn knows of the proposals of its branch.
type decidedProposals struct {
	reported records.Decisions // that the model was told
	proposed string            // the proposal that was staged or amended last before the turn, by id
	seen     map[string]int64  // versions of proposals that were looked at, by id
	earlier  string            // the proposal that waited when the turn began, by id
}

// turnLedger is what the ledger has of a turn.
type turnLedger struct {
	entry  *entry       // of the last request, until its cost is stored
	listed ledgerListed // messages that were listed
}

// keptTurn is what a turn keeps for the next one of its conversation.
type keptTurn struct {
	calls  int               // made so far
	stored records.EndedTurn // the rows of the messages that have ended, and of the calls
}

// limitError ends a turn that reached a limit without failing.
type limitError struct {
	kind bus.ErrorKind
	msg  string
}

func (e *limitError) Error() string { return e.msg }

func newRequestSession(e *Engine, t *Turn, p Prompt) *requestSession {
	at := now()
	s := &requestSession{e: e, turn: t, prompt: p, secrets: newSecrets(t.ConversationID),
		setup: turnSetup{set: e.opts.Tools},
		guard: loopGuard{failures: failureCounts{}, repeats: newRepeats()}}
	s.setup.limits, s.setup.fallback = e.configured()
	s.user = records.Message{ID: t.UserMessageID, ConversationID: t.ConversationID, RequestID: t.RequestID, Role: llm.User,
		Text: p.Text, Status: records.Completed, CreatedAt: at, UpdatedAt: at,
		Given: records.Given{Expansion: p.Expansion, Attachments: p.Attachments}}
	s.answer = records.Message{ID: t.AssistantMessageID, ConversationID: t.ConversationID, ParentID: t.UserMessageID,
		RequestID: t.RequestID,
		Role:      llm.Assistant, Status: records.Pending, CreatedAt: at, UpdatedAt: at,
		Answered: records.Answered{Model: p.Model}}
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
		r, err := s.requestModel(ctx)
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
	room := s.resultRoom(r)
	records, err := s.runCalls(ctx, r.calls, room)
	if err != nil {
		return false, err
	}
	looped := s.addResults(r, records, room)
	s.noteFilesOf(ctx, records)
	unread, err := s.giveRulesWithNextRequest(ctx, records)
	if err != nil {
		return false, orElse(context.Cause(ctx), err)
	}
	if err := s.countFailures(records); err != nil {
		return false, err
	}
	answer := answerIn(records)
	last := answer != "" && !unread // else the edits may break the rules
	switch {
	case last:
		s.answerWith(answer)
	case looped != nil:
		return false, looped
	}
	return s.takeUserInput(ctx, last)
}

// addResults adds a response with calls and their results, as far as there is room for them, to the
// messages. It returns an error if the model keeps reading what it has read.
func (s *requestSession) addResults(r *response, records []records.ToolCall, room int) (looped error) {
	notes, looped := s.guard.repeats.add(s.setup.set, records, s.sentWhole)
	st := &s.answer.Responses[len(s.answer.Responses)-1]
	x := s.e.kept.render.Exchange(string(s.text[r.start:]), records)
	x[0].Opaque = r.opaque
	window.NoteUnchanged(x, notes)
	uncut := slices.Clone(x)
	st.Unchanged, st.Cut = notes, s.counter().Cuts(x, room)
	window.CutResults(x, st.Cut)
	for i, whole := range window.ResultsOf(records, x) {
		if whole != nil {
			whole.Uncut = uncut[i].Text
			s.view.frame.ownResults[x[i].CallID] = whole
		}
	}
	s.view.messages = append(s.view.messages, x...)
	return looped
}

// sentWhole reports whether the result of a call of the turn is sent as it was.
func (s *requestSession) sentWhole(callID string) bool {
	return !slices.Contains(s.view.frame.compaction.Shortened, callID)
}

// answerIn returns the answer that the model has sent along with the calls of a response. It is ""
// if there is none, or if a call failed: then the model has to see that first.
func answerIn(records []records.ToolCall) (answer string) {
	for _, c := range records {
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
	next := s.e.nextSteer(s.turn, last)
	if next == nil && last {
		return false, nil
	}
	if err := s.reportDecisionsWithNextRequest(ctx); err != nil {
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
		return s.endLateSteers(ctx, tx,
			late)
	}); saveErr != nil {
		s.e.opts.Logger.Error("storing an answer failed", "message", s.answer.ID, "error", saveErr)
		if errors.Is(saveErr, errTakenOver) {
			err = errTakenOver
		} else {
			err = errors.Join(err, fmt.Errorf("the answer could not be stored: %w", saveErr))
		}
		s.answer.Status, s.answer.StopReason, s.answer.Error, s.answer.ErrorKind = records.Failed, bus.StopError, err.Error(), bus.ErrorInternal
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
			Model: s.answer.Model, Context: s.answer.Context, Usage: tokens(s.answer.Usage)}
}

// save stores the answer, the usage of its last request, and the changes of more. It
// does so even after the turn was stopped. Before the turn ends the commit need not
// be durable: only crash recovery reads it.
func (s *requestSession) save(more func(context.Context, *sql.Tx) error) error {
	ctx := context.Background()
	s.answer.Text, s.answer.UpdatedAt = string(s.text), now()
	x, commit := s.answer.Extra(), s.e.opts.DB.Write
	if s.answer.Status == records.Pending {
		x, commit = s.e.owned(x), s.e.opts.DB.Record
	}
	err := s.e.streamed.Replace(s.answer.ID, func(asides []records.Aside) error {
		return commit(ctx, s.fenced(ctx, func(tx *sql.Tx) error {
			if err := records.UpdateMessage(ctx, tx, &s.answer, x); err != nil {
				return err
			}
			if err := records.InsertAsides(ctx, tx, s.answer.ID, asides); err != nil {
				return err
			}
			if err := s.settleEntry(ctx, tx); err != nil || more == nil {
				return err
			}
			return more(ctx, tx)
		}))
	})
	takenOver := errors.Is(err, errTakenOver)
	if takenOver { // what was sent still counts
		err = errors.Join(err, s.e.opts.DB.Record(ctx, func(tx *sql.Tx) error { return s.settleEntry(ctx, tx) }))
	}
	if err == nil || takenOver {
		s.e.budget.settle(s.turn.RequestID)
	}
	return err
}

// keepStored keeps the rows of a turn that has succeeded for the next turn, unless the result of a
// call could not be stored. If another row could not, the turn has failed.
func (s *requestSession) keepStored() {
	s.kept.stored.AddMessages(&s.user, &s.answer)
	if len(s.kept.stored.Calls) == s.kept.calls {
		s.e.kept.messages.KeepEnded(s.kept.stored)
	}
}

func (s *requestSession) publishUpdate() {
	s.e.opts.Bus.Publish(bus.MessageUpdated{TurnRef: s.turn.TurnRef,
		MessageID: s.answer.ID, Text: string(s.text), Status: string(s.answer.Status)})
}

func (s *requestSession) notice(text string) {
	s.addAside(records.Notice, text)
	s.e.opts.Bus.Publish(bus.Notice{TurnRef: s.turn.TurnRef, Text: text})
}

func tokens(u llm.Usage) bus.Tokens {
	return bus.Tokens{In: u.In, Out: u.Out, Cached: u.Cached, Cost: u.Cost}
}
