package lsp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session"
	"ploke-lsp/session/bus"
)

// askedPermissions holds the open permission requests, the newest first. The zero value is empty.
// It is safe for concurrent use.
type askedPermissions struct {
	mu   sync.Mutex
	open []bus.PermissionAsked
}

func (a *askedPermissions) add(e bus.PermissionAsked) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.open = slices.Insert(a.open, 0, e)
}

func (a *askedPermissions) remove(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.open = slices.DeleteFunc(a.open, func(e bus.PermissionAsked) bool { return e.ID == id })
}

func (a *askedPermissions) all() []bus.PermissionAsked {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.open)
}

// permitsByActions reports whether the client can't ask the person.
func (c *client) permitsByActions() bool {
	return !c.ploke.Has(ploke.MethodPermissionAsk) && !c.showsMessageRequests
}

// permissionActions answer the permission requests, for clients that can't be asked.
func (s *Server) permissionActions(context.Context, *place) (actions []action) {
	if !s.client.permitsByActions() {
		return nil
	}
	for _, e := range s.client.asked.all() {
		for _, choice := range choicesFor(e) {
			actions = append(actions, action{
				title: fmt.Sprintf("ploke: %s: %s", strings.ToLower(choice.title), e.Title), kind: kindQuickFix,
				command: ploke.CommandPermissionAnswer, argument: ploke.PermissionAnswerParams{ID: e.ID, Answer: ploke.PermissionAnswer(choice.answer)},
			})
		}
	}
	return actions
}

// askByActions tells the person of a permission request, which code actions answer until ctx
// ends. Ctx ends when the request is settled.
func (c *client) askByActions(ctx context.Context, e bus.PermissionAsked) session.Answer {
	detail := strings.Join(strings.Fields(e.Detail), " ")
	c.showMessage(protocol.MessageTypeWarning, "ploke: %s? Code actions in any file allow or reject it. %s", e.Title, detail)
	<-ctx.Done()
	return session.RejectOnce
}

// answerCommand answers the newest permission request, or the one with an id. Words are a title of
// permissionChoices.
func (s *Server) answerCommand(ctx context.Context, p *ploke.PermissionAnswerParams, words string) (any, error) {
	id, answer := p.ID, p.Answer
	if open := s.client.asked.all(); id == "" && len(open) > 0 {
		id = open[0].ID
	}
	for _, choice := range permissionChoices {
		if strings.EqualFold(choice.title, words) {
			answer = cmp.Or(answer, ploke.PermissionAnswer(choice.answer))
		}
	}
	switch {
	case id == "":
		return nil, errors.New("no permission is asked for")
	case answer == "":
		return nil, errors.New(`say "allow", "always allow", "reject" or "always reject"`)
	}
	return s.permissionAnswer(ctx, &ploke.PermissionAnswerParams{ID: id, Answer: answer})
}
