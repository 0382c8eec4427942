package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/window"
)

const (
	// answerShare is the fraction of a model's window, 1/answerShare, that is left for
	// the answer, unless the longest one is shorter.
	answerShare = 4
	// maxRefusals is how often in a row a request is shortened after its server has
	// refused it as too long.
	maxRefusals = 4
)

// noteContextUse notes how full the model's window is after a request. A provider that does not say how
// many tokens it has read is believed to have read what was counted.
func (q *requester) noteContextUse(u llm.Usage) {
	if _, remote := q.setup.model.Provider.(llm.Remote); remote {
		q.answer.Context = bus.ContextUse{Used: cmp.Or(u.In, q.view.size()) + u.Out, Window: q.setup.contextTokens()}
	}
}

// learnScale corrects the token counter by the number of tokens that the provider
// reported for the last request.
func (q *requester) learnScale(tokens int) {
	raw := q.view.rawSize()
	if tokens < raw/2 { // the model's template may have no place for tools
		raw -= q.view.counter().Tools(q.view.tools)
	}
	if scale := window.ScaleOf(tokens, raw); scale > 0 {
		q.view.scales[modelName(q.setup.model)] = scale
		q.answer.Scale = scale
	}
}

// use continues the turn with a model, and with what its server has said of its window.
func (q *requester) use(m llm.Model) {
	q.setup.reportedTokens = m.ContextTokens
	q.setup.model, q.answer.Model = q.e.kept.windows.apply(m), modelName(m)
}

// refusal returns the error of a server that refused a request as too long, or nil if
// err is another error.
func refusal(err error) *llm.Error {
	if e := providerError(err); e != nil && e.Class == llm.ContextTooLong {
		return e
	}
	return nil
}

// providerError returns the error of a provider in err, or nil.
func providerError(err error) *llm.Error {
	var e *llm.Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}

// maybeTooLong reports whether a server may have refused the request as too long in words that are
// not known: it is longer than half of the window.
func (q *requester) maybeTooLong(err error) bool {
	e := providerError(err)
	if e == nil || e.Class != llm.BadResponse || q.view.size() <= q.setup.contextTokens()/2 {
		return false
	}
	return e.Status == http.StatusBadRequest || e.Status == http.StatusUnprocessableEntity
}

// fitRefused shortens the conversation after a server has refused a request as too long.
// It returns an error if there is nothing to shorten.
func (q *requester) fitRefused(ctx context.Context, refused *llm.Error) error {
	before := q.view.rawSize()
	q.learnWindow(refused)
	q.cutLastResults()
	err := q.compact(ctx, q.setup.window())
	var limit *limitError
	if err != nil && !errors.As(err, &limit) {
		return err
	}
	if q.view.rawSize() >= before {
		return refused
	}
	why := "as too long"
	if refused.Class != llm.ContextTooLong {
		why = "(" + refused.Message + "), maybe as too long"
	}
	q.notice(fmt.Sprintf("%s refused the request %s; its window is now taken to have %d tokens", modelName(q.setup.model),
		why, q.setup.contextTokens()))
	return nil
}

// learnWindow corrects the size of the model's window and the token counter by the
// server's words. After it the request no longer fits.
func (q *requester) learnWindow(refused *llm.Error) {
	sent := q.view.size()
	if tokens := max(refused.RequestTokens, refused.ContextTokens); tokens > sent {
		q.learnScale(tokens)
	}
	known := q.setup.contextTokens()
	q.setup.model.ContextTokens = min(cmp.Or(refused.ContextTokens, known), known)
	if q.view.size() <= q.setup.window() { // the server counts more than it says
		q.setup.model.ContextTokens = max(sent*3/4, 1)
	}
	if q.setup.model.ContextTokens == refused.ContextTokens {
		q.e.kept.windows.learn(q.setup.model, q.setup.reportedTokens)
	}
}

// learnedWindows holds the windows that servers named when they refused a request. Each
// holds until its model is described in another way. It is safe for concurrent use.
type learnedWindows struct {
	mu      sync.Mutex
	byModel map[string]learnedWindow
}

type learnedWindow struct{ reported, learned int } // tokens

// apply returns the model with the window that was learned for it. The user's setting
// stays.
func (l *learnedWindows) apply(m llm.Model) llm.Model {
	l.mu.Lock()
	defer l.mu.Unlock()
	if w, ok := l.byModel[modelName(m)]; ok && w.reported == m.ContextTokens && !m.ContextSet {
		m.ContextTokens = w.learned
	}
	return m
}

// learn keeps the window of m, whose provider and settings report another one.
func (l *learnedWindows) learn(m llm.Model, reported int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byModel == nil {
		l.byModel = map[string]learnedWindow{}
	}
	l.byModel[modelName(m)] = learnedWindow{reported, m.ContextTokens}
}

const (
	// leastConversation is how many tokens a request must have for the conversation, besides the system text and the
	// tools.
	leastConversation = 600
	// usefulWindow is the size of a window, in tokens, below which a model sees only small pieces of files at once.
	usefulWindow = 8000
)

// checkWindow ends the turn if the model's window has no room for a conversation, and warns the person at the beginning
// of one if there is little.
func (q *requester) checkWindow() error {
	size := q.setup.contextTokens()
	if !q.setup.remote() || size >= usefulWindow {
		return nil
	}
	counter := window.NewCounter(q.setup.model, 0)
	takes := counter.Scaled(counter.Message(&llm.Message{}, q.view.messages[0].Text) + counter.Tools(q.view.tools))
	if q.setup.window()-takes < leastConversation {
		return &limitError{bus.ErrorContext,
			fmt.Sprintf("the window of %s has %d tokens, but the instructions and tools alone take %d and an answer %d: "+
				"start its server with a larger window, at least %d tokens, or choose another model; "+
				"if its window is larger, say so in providers.*.models.*.contextTokens",
				modelName(q.setup.model), size, takes, q.setup.answerTokens(), usefulWindow)}
	}
	if len(q.view.frame.past.Messages) == 0 {
		q.notice(fmt.Sprintf("the window of %s has %d tokens, so it sees only small pieces of files at once: start its "+
			"server with a larger window, at least %d tokens, or choose another model",
			modelName(q.setup.model), size, usefulWindow))
	}
	return nil
}
