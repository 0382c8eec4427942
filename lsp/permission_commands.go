package lsp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	ploke "ploke-lsp/lsp/protocol"

	"ploke-lsp/internal/display"
	"ploke-lsp/internal/rpc"
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	"ploke-lsp/project"
	"ploke-lsp/session"
)

// permissionActions answer the permission requests, for clients that can't be asked.
func (s *Server) permissionActions(context.Context, *document.Place) (actions []client.Action) {
	if !s.client.PermitsByActions() {
		return nil
	}
	for _, e := range s.client.OpenPermissions() {
		for _, choice := range client.ChoicesFor(e) {
			actions = append(actions, client.Action{
				Title: fmt.Sprintf("ploke: %s: %s", strings.ToLower(choice.Title), e.Title), Kind: client.KindQuickFix,
				Command: ploke.CommandPermissionAnswer, Argument: ploke.PermissionAnswerParams{ID: e.ID, Answer: ploke.PermissionAnswer(choice.Answer)},
			})
		}
	}
	return actions
}

// answerCommand answers the newest permission request, or the one with an id. Words are a title of
// permissionChoices.
func (s *Server) answerCommand(ctx context.Context, p *ploke.PermissionAnswerParams, words string) (any, error) {
	id, answer := p.ID, p.Answer
	if open := s.client.OpenPermissions(); id == "" && len(open) > 0 {
		id = open[0].ID
	}
	for _, choice := range client.PermissionChoices {
		if strings.EqualFold(choice.Title, words) {
			answer = cmp.Or(answer, ploke.PermissionAnswer(choice.Answer))
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
	s.background.Afterwards(func(ctx context.Context) error {
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
	rpc.Release(ctx)
	return struct{}{}, engine.Answer(ctx, p.ID, session.Answer(p.Answer))
}

func (s *Server) permissionList(ctx context.Context, _ *rpc.None) (*ploke.PermissionListResult, error) {
	engine := s.project.Engine
	rpc.Release(ctx)
	standing, err := engine.Permissions(ctx)
	result := &ploke.PermissionListResult{Permissions: []ploke.StandingPermission{}}
	for _, a := range standing {
		result.Permissions = append(result.Permissions, ploke.StandingPermission(a))
	}
	return result, err
}

func (s *Server) permissionForget(ctx context.Context, p *ploke.PermissionForgetParams) (any, error) {
	engine := s.project.Engine
	rpc.Release(ctx)
	return struct{}{}, engine.ForgetPermission(ctx, p.Key)
}
