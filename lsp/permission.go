package lsp

import (
	"cmp"
	"context"
	"slices"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/display"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
	"ploke-lsp/session"
	"ploke-lsp/session/bus"
)

// permissionChoice is a button of a message with its answer.
type permissionChoice struct {
	title  string
	answer session.Answer
}

var permissionChoices = []permissionChoice{
	{"Allow", session.AllowOnce},
	{"Always allow", session.AllowAlways},
	{"Reject", session.RejectOnce},
	{"Always reject", session.RejectAlways},
}

// choicesFor returns the choices that a question has: what is not shown whole is not answered for always.
func choicesFor(e bus.PermissionAsked) []permissionChoice {
	if !e.OnlyOnce {
		return permissionChoices
	}
	return slices.DeleteFunc(slices.Clone(permissionChoices), func(c permissionChoice) bool {
		return c.answer == session.AllowAlways || c.answer == session.RejectAlways
	})
}

// askPermission asks the person with ploke/permission/ask, if the client supports it, else with
// window/showMessageRequest or by code actions. Anything but an explicit answer rejects.
func (c *client) askPermission(ctx context.Context, e bus.PermissionAsked) session.Answer {
	e.Title, e.Detail = display.Name(e.Title), display.Escape(e.Detail)
	c.asked.add(e)
	defer c.asked.remove(e.ID)
	if c.ploke.Has(ploke.MethodPermissionAsk) {
		var result ploke.PermissionAskResult
		params := &ploke.PermissionAskParams{ID: e.ID, ConversationID: e.ConversationID, TurnID: e.RequestID,
			CallID: e.CallID, Tool: e.Tool, Title: e.Title, Detail: e.Detail, OnlyOnce: e.OnlyOnce}
		if err := protocol.Call(ctx, c.conn, ploke.MethodPermissionAsk, params, &result); err != nil {
			return session.RejectOnce
		}
		return session.Answer(result.Answer)
	}
	if c.permitsByActions() {
		return c.askByActions(ctx, e)
	}
	text := "ploke: " + e.Title
	if e.Detail != "" {
		text += "\n\n" + e.Detail
	}
	params := &protocol.ShowMessageRequestParams{Type: protocol.MessageTypeWarning, Message: text}
	for _, choice := range choicesFor(e) {
		params.Actions = append(params.Actions, protocol.MessageActionItem{Title: choice.title})
	}
	var chosen *protocol.MessageActionItem
	if err := protocol.Call(ctx, c.conn, protocol.MethodWindowShowMessageRequest, params, &chosen); err == nil && chosen != nil {
		for _, choice := range choicesFor(e) {
			if choice.title == chosen.Title {
				return choice.answer
			}
		}
	}
	return session.RejectOnce
}

// permissionCommands are the commands of standing permissions.
func (s *Server) permissionCommands() []command {
	return []command{
		onCommand(ploke.CommandPermissionAnswer, s.answerCommand),
		onCommand(ploke.CommandPermissionForget, s.forgetCommand),
	}
}

// forgetCommand deletes the standing answer with a key, which may be given as words. Without one
// it is the only answer, or the one that the person chooses.
func (s *Server) forgetCommand(ctx context.Context, p *ploke.PermissionForgetParams, words string) (any, error) {
	if key := cmp.Or(p.Key, words); key != "" {
		return s.permissionForget(ctx, &ploke.PermissionForgetParams{Key: key})
	}
	engine := s.project.Engine
	s.afterwards(func(ctx context.Context) error {
		standing, err := engine.Permissions(ctx)
		if err != nil {
			return err
		}
		slices.SortFunc(standing, func(a, b session.StandingAnswer) int { return b.Since.Compare(a.Since) })
		return choose(ctx, s, choices[session.StandingAnswer]{
			command: ploke.CommandPermissionForget, question: "which answer do you want to take back?", none: "you have given no answer for always",
			all:      standing,
			title:    standingTitle,
			argument: func(a session.StandingAnswer) any { return ploke.PermissionForgetParams{Key: a.Key} },
			run: func(a session.StandingAnswer) error {
				if err := engine.ForgetPermission(ctx, a.Key); err != nil {
					return err
				}
				s.frontEnd.ShowMessage(project.Info, "no longer: "+standingTitle(a))
				return nil
			},
		})
	})
	return struct{}{}, nil
}

// standingTitle returns what a standing answer says, in one line.
func standingTitle(a session.StandingAnswer) string {
	if a.Allowed {
		return "always allow: " + display.Name(a.Title)
	}
	return "always reject: " + display.Name(a.Title)
}

func (s *Server) permissionAnswer(ctx context.Context, p *ploke.PermissionAnswerParams) (any, error) {
	engine := s.project.Engine
	release(ctx)
	return struct{}{}, engine.Answer(ctx, p.ID, session.Answer(p.Answer))
}

func (s *Server) permissionList(ctx context.Context, _ *noParams) (*ploke.PermissionListResult, error) {
	engine := s.project.Engine
	release(ctx)
	standing, err := engine.Permissions(ctx)
	result := &ploke.PermissionListResult{Permissions: []ploke.StandingPermission{}}
	for _, a := range standing {
		result.Permissions = append(result.Permissions, ploke.StandingPermission(a))
	}
	return result, err
}

func (s *Server) permissionForget(ctx context.Context, p *ploke.PermissionForgetParams) (any, error) {
	engine := s.project.Engine
	release(ctx)
	return struct{}{}, engine.ForgetPermission(ctx, p.Key)
}
