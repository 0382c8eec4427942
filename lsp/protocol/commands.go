package protocol

import (
	"reflect"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// The commands of workspace/executeCommand that start, stop or send something.
const (
	// CommandAsk asks a question; words among the arguments are its text. Without a text the
	// chat document opens.
	CommandAsk = "ploke.ask"
	// CommandExplain explains a declaration or a file.
	CommandExplain = "ploke.explain"
	// CommandDocument proposes documentation for a declaration.
	CommandDocument = "ploke.document"
	// CommandTests proposes tests for a declaration.
	CommandTests = "ploke.tests"
	// CommandFix proposes a fix of a problem; words among the arguments describe it.
	CommandFix = "ploke.fix"
	// CommandRefactor changes the selected lines as the words among the arguments say. Without
	// words the chat document opens, with the lines mentioned in it.
	CommandRefactor = "ploke.refactor"
	// CommandGenerate proposes the code that a comment describes. The start of the range is in it.
	CommandGenerate = "ploke.generate"
	// CommandComment does or answers what a comment asks for. The start of the range is in it.
	CommandComment = "ploke.comment"
	// CommandChatSend sends a section of a chat document.
	CommandChatSend = "ploke.chat.send"
	// CommandChatNew makes a chat document begin a new conversation.
	CommandChatNew = "ploke.chat.new"
	// CommandChatStop stops the turns of a conversation. Without an argument it stops the only
	// conversation in which something runs, or asks which one is meant.
	CommandChatStop = "ploke.chat.stop"
)

// The commands of proposals. Without an id, each is about the newest proposal that it can mean;
// if there are several, the person is asked. They reply at once, and show a failure to the
// person.
const (
	// CommandProposalAccept accepts a proposal or a part of it.
	CommandProposalAccept = "ploke.proposal.accept"
	// CommandProposalReject rejects a proposal or a part of it; words among the arguments are the
	// reason.
	CommandProposalReject = "ploke.proposal.reject"
	// CommandProposalUndo undoes an accepted proposal.
	CommandProposalUndo = "ploke.proposal.undo"
	// CommandProposalRedo applies an undone proposal again.
	CommandProposalRedo = "ploke.proposal.redo"
	// CommandProposalShow opens a proposal as a document.
	CommandProposalShow = "ploke.proposal.show"
	// CommandProposalCheck runs the checks of a proposal in a sandbox, which is the permission for that.
	CommandProposalCheck = "ploke.proposal.check"
)

// The commands of permissions and of the index.
const (
	// CommandPermissionAnswer answers the permission request with this id, or the newest one. Words
	// among the arguments are the answer: allow, always allow, always allow exactly this, reject,
	// always reject.
	CommandPermissionAnswer = "ploke.permission.answer"
	// CommandPermissionForget deletes a standing answer; words among the arguments are its key.
	// Without a key it is the only one, or the person is asked.
	CommandPermissionForget = "ploke.permission.forget"
	// CommandIndexStatus shows the status of the index to the person, and returns it.
	CommandIndexStatus = "ploke.index.status"
	// CommandIndexRebuild reads every file again.
	CommandIndexRebuild = "ploke.index.rebuild"
	// CommandIndexPause pauses indexing, and shows how to resume it.
	CommandIndexPause = "ploke.index.pause"
	// CommandIndexResume resumes indexing.
	CommandIndexResume = "ploke.index.resume"
)

// A Command is the signature of a command.
type Command struct {
	Name     string
	Argument reflect.Type // nil if it takes none
	Result   reflect.Type // nil if it has none
}

// AllCommands is the table of every command. A command takes its argument in any form, because
// people type it: it uses the first object among the arguments, which may be missing, and reads
// all others as words.
func AllCommands() []Command {
	return []Command{
		command[AskParams, TurnStarted](CommandAsk),
		command[SymbolParams, TurnStarted](CommandExplain),
		command[SymbolParams, TurnStarted](CommandDocument),
		command[SymbolParams, TurnStarted](CommandTests),
		command[FixParams, TurnStarted](CommandFix),
		command[SymbolParams, TurnStarted](CommandRefactor),
		command[SymbolParams, TurnStarted](CommandGenerate),
		command[SymbolParams, TurnStarted](CommandComment),
		command[ChatDocumentParams, TurnStarted](CommandChatSend),
		command[ChatDocumentParams, None](CommandChatNew),
		command[ChatStopParams, None](CommandChatStop),
		command[ProposalAcceptParams, None](CommandProposalAccept),
		command[ProposalRejectParams, None](CommandProposalReject),
		command[ProposalParams, None](CommandProposalUndo),
		command[ProposalParams, None](CommandProposalRedo),
		command[ProposalParams, None](CommandProposalShow),
		command[ProposalCheckParams, None](CommandProposalCheck),
		command[PermissionAnswerParams, None](CommandPermissionAnswer),
		command[PermissionForgetParams, None](CommandPermissionForget),
		command[None, IndexStatus](CommandIndexStatus),
		command[None, None](CommandIndexRebuild),
		command[None, None](CommandIndexPause),
		command[None, None](CommandIndexResume),
	}
}

// Commands returns the names of the commands that the server executes.
func Commands() (names []string) {
	for _, c := range AllCommands() {
		names = append(names, c.Name)
	}
	return names
}

func command[A, R any](name string) Command {
	return Command{name, typeOf[A](), typeOf[R]()}
}

// TurnStarted is the result of a command that starts a turn. The command does not wait
// for the turn's end.
type TurnStarted struct {
	ConversationID string `json:"conversationId"`
	TurnID         string `json:"turnId"`
}

// SymbolParams is the argument of [CommandExplain], [CommandDocument], [CommandTests],
// [CommandRefactor], [CommandGenerate] and [CommandComment].
type SymbolParams struct {
	URI       uri.URI        `json:"uri,omitzero"`       // by default the place is where the cursor was last
	Range     protocol.Range `json:"range,omitzero"`     // whose start selects the declaration
	WholeFile bool           `json:"wholeFile,omitzero"` // instead of a declaration
}

// FixParams is the argument of [CommandFix].
type FixParams struct {
	URI     uri.URI        `json:"uri,omitzero"`     // by default the place is where the cursor was last
	Range   protocol.Range `json:"range,omitzero"`   // of the problem
	Problem string         `json:"problem,omitzero"` // as a compiler describes it
}

// AskParams is the argument of [CommandAsk].
type AskParams struct {
	// without it the chat document opens, with the attachment mentioned in it
	Text           string      `json:"text,omitzero"`
	ConversationID string      `json:"conversationId,omitzero"` // by default a new one
	Attachment     *Attachment `json:"attachment,omitzero"`
}

// ChatDocumentParams names a section of a chat document.
type ChatDocumentParams struct {
	URI     uri.URI `json:"uri,omitzero"`     // by default the chat document that was opened or changed last
	Turn    int     `json:"turn,omitzero"`    // the number of the section; by default the last one
	Trusted bool    `json:"trusted,omitzero"` // the person wants to send from a document that this server did not write
}
