package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"ploke-lsp/internal/rpc"
	ploke "ploke-lsp/lsp/protocol"
)

// A command is one command of workspace/executeCommand. Clients show neither its result nor
// its error reliably, and some wait for it only for seconds. So a command answers at once,
// and does in [client.Background.afterwards] what may take long or asks a person.
type command struct {
	name string // one of [ploke.Commands]
	run  func(ctx context.Context, arguments []protocol.LSPAny) (any, error)
}

// commands is the table of every command. Each function returns those of one topic.
func (s *service) commands() []command {
	return slices.Concat(s.code.turnCommands(), s.chatDocumentCommands(), s.code.commentCommands(), s.proposalCommands(),
		s.permissions.permissionCommands(), s.queries.indexCommands())
}

func (s *service) executeCommand(ctx context.Context, p *protocol.ExecuteCommandParams) (any, error) {
	for _, c := range s.commands() {
		if c.name == p.Command {
			s.offered.withdraw(c.name)
			return c.run(ctx, p.Arguments)
		}
	}
	return nil, jsonrpc2.NewError(ploke.CodeInvalidParams,
		fmt.Sprintf("the command %q is not one of ploke-lsp's", p.Command))
}

// onCommand returns a command that takes arguments in any form, because people type them in
// many clients: handle gets the first object, or the zero P, and the words of all others.
// P may be rpc.None.
func onCommand[P, R any](name string, handle func(ctx context.Context, p *P, words string) (R, error)) command {
	return command{name, func(ctx context.Context, arguments []protocol.LSPAny) (any, error) {
		object, words := splitArguments(arguments)
		p, err := rpc.Params[P](name, decode, object)
		if err != nil {
			return nil, err
		}
		return handle(ctx, p, words)
	}}
}

// splitArguments returns the first object, and the other arguments as text: strings as they are,
// and other values as JSON. Lists count as their elements, and null as nothing. Each byte is read
// once, however deep lists stand in each other.
func splitArguments(arguments []protocol.LSPAny) (object []byte, words string) {
	var list []string
	for _, raw := range arguments {
		for element := range elements(raw) {
			var text string
			switch {
			case string(element) == "null":
			case object == nil && element[0] == '{':
				object = element
			case json.Unmarshal(element, &text) == nil:
				list = append(list, text)
			default:
				list = append(list, string(element))
			}
		}
	}
	return object, strings.TrimSpace(strings.Join(list, " "))
}

// elements returns the values in a value that are not lists, in their order.
func elements(raw []byte) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		d := json.NewDecoder(bytes.NewReader(raw))
		for {
			rest := bytes.TrimLeft(raw[d.InputOffset():], ", \t\r\n")
			if len(rest) > 0 && (rest[0] == '[' || rest[0] == ']') {
				if _, err := d.Token(); err != nil {
					return
				}
				continue
			}
			var value json.RawMessage
			if d.Decode(&value) != nil || !yield(value) {
				return
			}
		}
	}
}

// withoutWords returns a handler of [onCommand] that ignores words.
func withoutWords[P, R any](handle func(context.Context, *P) (R, error)) func(context.Context, *P, string) (R, error) {
	return func(ctx context.Context, p *P, _ string) (R, error) { return handle(ctx, p) }
}

// proposalCommands are the commands of proposals. Without an id, each is about the newest
// proposal that it can mean; if there are several, the person is asked.
func (s *service) proposalCommands() []command {
	return []command{
		onCommand(ploke.CommandProposalAccept, withoutWords(s.review.AcceptCommand)),
		onCommand(ploke.CommandProposalReject, s.review.RejectCommand),
		onCommand(ploke.CommandProposalUndo, withoutWords(s.review.UndoCommand)),
		onCommand(ploke.CommandProposalRedo, withoutWords(s.review.RedoCommand)),
		onCommand(ploke.CommandProposalShow, withoutWords(s.review.ShowCommand)),
		onCommand(ploke.CommandProposalCheck, withoutWords(s.review.CheckCommand)),
	}
}

// chatDocumentCommands are the commands of chat documents.
func (s *service) chatDocumentCommands() []command {
	return []command{
		onCommand(ploke.CommandChatSend, withoutWords(s.chats.SendCommand)),
		onCommand(ploke.CommandChatNew, withoutWords(s.chats.NewCommand)),
	}
}
