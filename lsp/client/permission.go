package client

import (
	"context"
	"slices"

	"ploke-lsp/internal/display"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session"
	"ploke-lsp/session/bus"
)

// PermissionChoice is a button of a message with its answer.
type PermissionChoice struct {
	Title  string
	Answer session.Answer
}

var PermissionChoices = []PermissionChoice{
	{"Allow", session.AllowOnce},
	{"Always allow", session.AllowAlways},
	{"Always allow exactly this", session.AllowExact},
	{"Reject", session.RejectOnce},
	{"Always reject", session.RejectAlways},
}

// ChoicesFor returns the choices that a question has: what is not shown whole is not answered for always.
func ChoicesFor(e bus.PermissionAsked) []PermissionChoice {
	return slices.DeleteFunc(slices.Clone(PermissionChoices), func(c PermissionChoice) bool {
		return !c.Answer.Fits(e)
	})
}

// AskPermission asks the person with ploke/permission/ask, if the client supports it, else with
// window/showMessageRequest or by code actions. Anything but an explicit answer rejects.
func (c *Client) AskPermission(ctx context.Context, e bus.PermissionAsked) session.Answer {
	e.Title, e.Detail = display.Name(e.Title), display.Escape(e.Detail)
	c.asked.add(e)
	defer c.asked.remove(e.ID)
	if c.Ploke.Has(ploke.MethodPermissionAsk) {
		var result ploke.PermissionAskResult
		params := &ploke.PermissionAskParams{ID: e.ID, ConversationID: e.ConversationID, TurnID: e.RequestID,
			CallID: e.CallID, Tool: e.Tool, Title: e.Title, Detail: e.Detail, OnlyOnce: e.OnlyOnce, Exact: e.Exact}
		if err := c.Call(ctx, ploke.MethodPermissionAsk, params, &result); err != nil {
			return session.RejectOnce
		}
		return session.Answer(result.Answer)
	}
	if c.PermitsByActions() {
		return c.askByActions(ctx, e)
	}
	text := "ploke: " + e.Title
	if e.Detail != "" {
		text += "\n\n" + e.Detail
	}
	choices := ChoicesFor(e)
	var answers []string
	for _, choice := range choices {
		answers = append(answers, choice.Title)
	}
	chosen, err := c.AskToAllow(ctx, text, answers)
	if err != nil || chosen < 0 {
		return session.RejectOnce
	}
	return choices[chosen].Answer
}
