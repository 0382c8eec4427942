package client

import "go.lsp.dev/protocol"

// The kinds of the server's code actions. There is no action of a kind that a client applies
// by itself, such as source.fixAll.
const (
	KindQuickFix protocol.CodeActionKind = protocol.CodeActionKindQuickFix
	KindRewrite  protocol.CodeActionKind = "refactor.rewrite.ploke" // on a part of a file
	KindSource   protocol.CodeActionKind = "source.ploke"           // on a whole file
	KindAsk      protocol.CodeActionKind = "ploke.ask"              // answers, and changes no code
	KindWrite    protocol.CodeActionKind = "ploke.write"            // proposes code beside what is there
)

// An Action is a code action before it has the form that the client supports. It has a
// command or an edit, not both: clients differ in what they run then.
type Action struct {
	Title    string
	Kind     protocol.CodeActionKind
	Command  string                  // one of [ploke.Commands]
	Argument any                     // of the command
	Edit     *protocol.WorkspaceEdit // for clients that can't apply edits on request
	// Preferred: what a person most likely wants here, which some clients choose by default.
	Preferred bool
	// Disabled is why it can't be used, in one line with what to do; empty if it can be. Where
	// clients can't show that, the command must fail with it.
	Disabled    string
	Diagnostics []protocol.Diagnostic // that it resolves
}

// EncodeAction returns an action in the form that the client supports: a literal, or a plain
// command. It returns nil if the client supports neither.
func (c *Client) EncodeAction(a Action) protocol.CommandOrCodeAction {
	var command protocol.Command
	if a.Command != "" {
		command = protocol.Command{Title: a.Title, Command: a.Command, Arguments: []protocol.LSPAny{MustMarshal(a.Argument)}}
	}
	switch {
	case a.Disabled != "" && c.disabledActions:
		return &protocol.CodeAction{Title: a.Title, Kind: &a.Kind, Diagnostics: a.Diagnostics,
			Disabled: protocol.CodeActionDisabled{Reason: a.Disabled}}
	case a.Disabled != "" && a.Command == "":
		return nil
	case c.ActionLiterals:
		literal := &protocol.CodeAction{Title: a.Title, Kind: &a.Kind, Command: command, Edit: a.Edit,
			Diagnostics: a.Diagnostics}
		if a.Preferred && c.preferredActions {
			literal.IsPreferred = &a.Preferred
		}
		return literal
	case a.Command != "":
		return &command
	}
	return nil
}

// A Lens is a command that the client shows above a line.
type Lens struct {
	At       protocol.Range // within one line
	Title    string
	Command  string // one of [ploke.Commands]
	Argument any
}

// Encode returns the lens in its wire form.
func (l Lens) Encode() protocol.CodeLens {
	return protocol.CodeLens{Range: l.At, Command: protocol.Command{
		Title: l.Title, Command: l.Command, Arguments: []protocol.LSPAny{MustMarshal(l.Argument)},
	}}
}
