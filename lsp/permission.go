package lsp

import (
	"context"
	"sync"

	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session"
	"ploke-lsp/session/bus"
)

// questions puts the engine's questions for permission to the person at the
// editor. Each has a goroutine of its own, which ends when the question is
// settled, by whatever. The zero value is ready.
type questions struct {
	asking sync.WaitGroup

	mu   sync.Mutex
	open map[string]context.CancelFunc // by id
}

// ask asks the client, and hands its answer to the engine.
func (q *questions) ask(client *client, engine *session.Engine, e bus.PermissionAsked) {
	ctx, cancel := context.WithCancel(context.Background())
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.open == nil {
		q.open = map[string]context.CancelFunc{}
	}
	q.open[e.ID] = cancel
	q.asking.Go(func() {
		answer := client.askPermission(ctx, e)
		if answer == ploke.PermissionLater {
			return
		}
		// A question that was settled meanwhile needs no answer.
		_ = engine.Answer(context.WithoutCancel(ctx), e.ID, answer)
	})
}

// settled takes back a question that needs no answer any more.
func (q *questions) settled(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.open[id]()
	delete(q.open, id)
}

// wait returns when nothing is asked any more.
func (q *questions) wait() { q.asking.Wait() }

// permissionChoices are the answers as a message offers them.
var permissionChoices = []struct {
	title  string
	answer session.Answer
}{
	{"Allow", session.AllowOnce},
	{"Always allow", session.AllowAlways},
	{"Reject", session.RejectOnce},
	{"Always reject", session.RejectAlways},
}

// askPermission asks the person: in the way of a client that named the method,
// else as a message with buttons. Whatever is no answer is a rejection.
func (c *client) askPermission(ctx context.Context, e bus.PermissionAsked) session.Answer {
	if c.ploke.Has(ploke.MethodPermissionAsk) {
		var result ploke.PermissionAskResult
		params := &ploke.PermissionAskParams{ID: e.ID, ConversationID: e.ConversationID, TurnID: e.RequestID,
			CallID: e.CallID, Tool: e.Tool, Title: e.Title, Detail: e.Detail}
		if err := protocol.Call(ctx, c.conn, ploke.MethodPermissionAsk, params, &result); err != nil {
			return session.RejectOnce
		}
		return session.Answer(result.Answer)
	}
	text := "ploke: " + e.Title
	if e.Detail != "" {
		text += "\n\n" + e.Detail
	}
	params := &protocol.ShowMessageRequestParams{Type: protocol.MessageTypeWarning, Message: text}
	for _, choice := range permissionChoices {
		params.Actions = append(params.Actions, protocol.MessageActionItem{Title: choice.title})
	}
	var chosen *protocol.MessageActionItem
	if err := protocol.Call(ctx, c.conn, protocol.MethodWindowShowMessageRequest, params, &chosen); err == nil && chosen != nil {
		for _, choice := range permissionChoices {
			if choice.title == chosen.Title {
				return choice.answer
			}
		}
	}
	return session.RejectOnce
}

func (s *Server) permissionAnswer(ctx context.Context, p *ploke.PermissionAnswerParams) (any, error) {
	engine := s.project.engine
	release(ctx)
	return struct{}{}, engine.Answer(ctx, p.ID, session.Answer(p.Answer))
}

func (s *Server) permissionList(ctx context.Context, _ *noParams) (*ploke.PermissionListResult, error) {
	engine := s.project.engine
	release(ctx)
	standing, err := engine.Permissions(ctx)
	result := &ploke.PermissionListResult{Permissions: []ploke.StandingPermission{}}
	for _, a := range standing {
		result.Permissions = append(result.Permissions, ploke.StandingPermission(a))
	}
	return result, err
}

func (s *Server) permissionForget(ctx context.Context, p *ploke.PermissionForgetParams) (any, error) {
	engine := s.project.engine
	release(ctx)
	return struct{}{}, engine.ForgetPermission(ctx, p.Key)
}

// answered is the status of a question that was settled.
func answered(granted bool) string {
	if granted {
		return "granted"
	}
	return "denied"
}
