package client

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/display"
)

// toldApart returns titles as they are shown, of which no two are the same: editors answer with a title, and two
// proposals may have the same.
func toldApart(titles []string) (apart []string) {
	for _, title := range titles {
		title = display.Message(title)
		one := title
		for n := 2; slices.Contains(apart, one); n++ {
			one = fmt.Sprintf("%s (%d)", title, n)
		}
		apart = append(apart, one)
	}
	return apart
}

// Ask asks the person to choose one of several answers, and waits. It returns the answer's
// index, or -1 if the person dismisses the question.
func (c *Client) Ask(ctx context.Context, question string, answers []string) (int, error) {
	return c.ask(ctx, protocol.MessageTypeInfo, question, answers)
}

// AskToAllow is Ask for a question whose answer may do harm.
func (c *Client) AskToAllow(ctx context.Context, question string, answers []string) (int, error) {
	return c.ask(ctx, protocol.MessageTypeWarning, question, answers)
}

func (c *Client) ask(ctx context.Context, kind protocol.MessageType, question string, answers []string) (int, error) {
	params := &protocol.ShowMessageRequestParams{Type: kind, Message: display.Message(question)}
	answers = toldApart(answers)
	for _, a := range answers {
		params.Actions = append(params.Actions, protocol.MessageActionItem{Title: a})
	}
	var chosen *protocol.MessageActionItem
	if err := c.Call(ctx, protocol.MethodWindowShowMessageRequest, params, &chosen); err != nil {
		return -1, errors.New("the editor did not ask: " + err.Error())
	}
	if chosen != nil {
		for i, a := range answers {
			if a == chosen.Title {
				return i, nil
			}
		}
	}
	return -1, nil
}

// MaxChoices is how many proposals the person is asked about at once.
const MaxChoices = 5
