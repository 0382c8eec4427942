package lsp

import (
	"context"
	"errors"
	"sync"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
)

// choices are the things that a command without arguments can mean, the likeliest first.
type choices[T any] struct {
	command  string
	question string // which of several is meant
	none     string // what to say if there is none
	all      []T
	title    func(T) string
	argument func(T) any // of the command, to mean this one
	run      func(T) error
}

// offered returns the titles of all, and the code actions that mean them.
func (c choices[T]) offered() (titles []string, actions []client.Action) {
	for _, one := range c.all {
		titles = append(titles, c.title(one))
		actions = append(actions,
			client.Action{Title: "ploke: " + c.title(one), Kind: client.KindQuickFix, Command: c.command,
				Argument: c.argument(one)})
	}
	return titles, actions
}

// choose runs a command for the only thing that it can mean, or for the one that the person
// chooses. A client that can't ask gets a code action for each, until the command runs again.
// It waits for the person.
func choose[T any](ctx context.Context, o *offeredChoices, c choices[T]) error {
	if len(c.all) == 0 {
		return errors.New(c.none)
	}
	if len(c.all) == 1 {
		return c.run(c.all[0])
	}
	titles, actions := c.offered()
	if !o.client.ShowsMessageRequests {
		o.offer(c.command, actions)
		o.client.ShowMessage(protocol.MessageTypeInfo, "ploke: %s The code actions in any file list them.", c.question)
		return nil
	}
	chosen, err := o.client.Ask(ctx, "ploke: "+c.question, titles[:min(len(titles), client.MaxChoices)])
	if err != nil || chosen < 0 {
		return err
	}
	return c.run(c.all[chosen])
}

// offeredChoices holds the code actions of commands that asked by them. It is safe for concurrent use.
type offeredChoices struct {
	client *client.Client

	mu      sync.Mutex
	actions map[string][]client.Action // by command
}

func (o *offeredChoices) offer(command string, actions []client.Action) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.actions == nil {
		o.actions = map[string][]client.Action{}
	}
	o.actions[command] = actions
}

func (o *offeredChoices) withdraw(command string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.actions, command)
}

// choiceActions are the things that a command can mean, for clients that can't be asked.
func (s *service) choiceActions(context.Context, *document.Place) (actions []client.Action) {
	s.offered.mu.Lock()
	defer s.offered.mu.Unlock()
	for _, c := range s.commands() {
		actions = append(actions, s.offered.actions[c.name]...)
	}
	return actions
}
