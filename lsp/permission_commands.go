package lsp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	ploke "ploke-lsp/lsp/protocol"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/display"
	"ploke-lsp/internal/rpc"
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	"ploke-lsp/project"
	"ploke-lsp/session"
)

// permissions answers and lists the permission requests of a project.
type permissions struct {
	project    *project.Project
	client     *client.Client
	background *client.Background
	offered    *offeredChoices
}

// permissionActions answer the permission requests, for clients that can't be asked.
func (ps *permissions) permissionActions(context.Context, *document.Place) (actions []client.Action) {
	if !ps.client.PermitsByActions() {
		return nil
	}
	for _, e := range ps.client.OpenPermissions() {
		for _, choice := range client.ChoicesFor(e) {
			actions = append(actions, client.Action{
				Title: fmt.Sprintf("ploke: %s: %s", strings.ToLower(choice.Title), e.Title), Kind: client.KindQuickFix,
				Command:  ploke.CommandPermissionAnswer,
				Argument: ploke.PermissionAnswerParams{ID: e.ID, Answer: ploke.PermissionAnswer(choice.Answer)},
			})
		}
	}
	return actions
}

// answerCommand answers the newest permission request, or the one with an id. Words are a title of
// permissionChoices.
func (ps *permissions) answerCommand(ctx context.Context, p *ploke.PermissionAnswerParams, words string) (any, error) {
	id, answer := p.ID, p.Answer
	if open := ps.client.OpenPermissions(); id == "" && len(open) > 0 {
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
		return nil, errors.New(`say "allow", "always allow", "always allow exactly this", "reject" or "always reject"`)
	}
	return ps.permissionAnswer(ctx, &ploke.PermissionAnswerParams{ID: id, Answer: answer})
}

// permissionCommands are the commands of standing permissions.
func (ps *permissions) permissionCommands() []command {
	return []command{
		onCommand(ploke.CommandPermissionAnswer, ps.answerCommand),
		onCommand(ploke.CommandPermissionForget, ps.forgetCommand),
	}
}

// forgetCommand deletes the standing answer with a key, which may be given as words. Without one
// it is the only answer, or the one that the person chooses.
func (ps *permissions) forgetCommand(ctx context.Context, p *ploke.PermissionForgetParams, words string) (any, error) {
	if key := cmp.Or(p.Key, words); key != "" {
		return ps.permissionForget(ctx, &ploke.PermissionForgetParams{Key: key})
	}
	engine := ps.project.Engine
	ps.background.Afterwards(func(ctx context.Context) error {
		standing, err := engine.Permissions(ctx)
		if err != nil {
			return err
		}
		slices.SortFunc(standing, func(a, b session.StandingAnswer) int { return b.Since.Compare(a.Since) })
		return choose(ctx, ps.offered, choices[session.StandingAnswer]{
			command: ploke.CommandPermissionForget, question: "which answer do you want to take back?",
			none:     "you have given no answer for always",
			all:      standing,
			title:    standingTitle,
			argument: func(a session.StandingAnswer) any { return ploke.PermissionForgetParams{Key: a.Key} },
			run: func(a session.StandingAnswer) error {
				if err := engine.ForgetPermission(ctx, a.Key); err != nil {
					return err
				}
				ps.client.ShowMessage(protocol.MessageTypeInfo, "ploke: %s", "no longer: "+standingTitle(a))
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

func (ps *permissions) permissionAnswer(ctx context.Context, p *ploke.PermissionAnswerParams) (any, error) {
	engine := ps.project.Engine
	rpc.Release(ctx)
	return struct{}{}, engine.Answer(ctx, p.ID, session.Answer(p.Answer))
}

func (ps *permissions) permissionList(ctx context.Context, _ *rpc.None) (*ploke.PermissionListResult, error) {
	engine := ps.project.Engine
	rpc.Release(ctx)
	standing, err := engine.Permissions(ctx)
	result := &ploke.PermissionListResult{Permissions: []ploke.StandingPermission{}}
	for _, a := range standing {
		result.Permissions = append(result.Permissions, ploke.StandingPermission(a))
	}
	return result, err
}

func (ps *permissions) permissionForget(ctx context.Context, p *ploke.PermissionForgetParams) (any, error) {
	engine := ps.project.Engine
	rpc.Release(ctx)
	return struct{}{}, engine.ForgetPermission(ctx, p.Key)
}
