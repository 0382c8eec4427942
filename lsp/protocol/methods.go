package protocol

import "slices"

// Version is the version of the ploke/* methods, offered as
// capabilities.experimental.ploke.version.
const Version = 1

// The ploke/* methods. They are requests from the client to the server, unless the
// comment says otherwise.
const (
	MethodChatCreate     = "ploke/chat/create"
	MethodChatList       = "ploke/chat/list"
	MethodChatHistory    = "ploke/chat/history"
	MethodChatSiblings   = "ploke/chat/siblings"
	MethodChatSend       = "ploke/chat/send"
	MethodChatStop       = "ploke/chat/stop"
	MethodChatAttach     = "ploke/chat/attach"
	MethodChatRename     = "ploke/chat/rename"
	MethodChatDelete     = "ploke/chat/delete"
	MethodChatSearch     = "ploke/chat/search"
	MethodChatExport     = "ploke/chat/export"
	MethodToolResult     = "ploke/tool/result"
	MethodProposalList   = "ploke/proposal/list"
	MethodProposalGet    = "ploke/proposal/get"
	MethodProposalAccept = "ploke/proposal/accept"
	MethodProposalReject = "ploke/proposal/reject"
	MethodProposalEdit   = "ploke/proposal/edit"
	MethodProposalUndo   = "ploke/proposal/undo"
	MethodProposalRedo   = "ploke/proposal/redo"
	MethodSearch         = "ploke/search"
	MethodLedger         = "ploke/ledger"
	MethodMetrics        = "ploke/metrics"
	MethodIndexStatus    = "ploke/index/status"
	MethodIndexRebuild   = "ploke/index/rebuild"
	MethodIndexPause     = "ploke/index/pause"
	MethodIndexResume    = "ploke/index/resume"

	// MethodEvent is a notification from the server about a turn, a proposal or the
	// index; see [Event].
	MethodEvent = "ploke/event"
	// MethodPermissionAsk is a request from the server; see
	// [PermissionAskParams].
	MethodPermissionAsk = "ploke/permission/ask"
)

// Methods returns the ploke/* requests that the server handles.
func Methods() []string {
	return []string{
		MethodChatCreate, MethodChatList, MethodChatHistory, MethodChatSiblings, MethodChatSend, MethodChatStop,
		MethodChatAttach, MethodChatRename, MethodChatDelete, MethodChatSearch, MethodChatExport, MethodToolResult,
		MethodPermissionAnswer, MethodPermissionList, MethodPermissionForget,
		MethodProposalList, MethodProposalGet, MethodProposalAccept, MethodProposalReject,
		MethodProposalEdit, MethodProposalUndo, MethodProposalRedo,
		MethodSearch, MethodModels, MethodSlashCommands, MethodLedger, MethodMetrics, MethodIndexStatus, MethodIndexRebuild, MethodIndexPause, MethodIndexResume,
	}
}

// The commands of workspace/executeCommand.
const (
	CommandAsk            = "ploke.ask"
	CommandExplain        = "ploke.explain"
	CommandDocument       = "ploke.document"
	CommandComment        = "ploke.comment"
	CommandRefactor       = "ploke.refactor"
	CommandGenerate       = "ploke.generate"
	CommandChatSend       = "ploke.chat.send"
	CommandChatNew        = "ploke.chat.new"
	CommandTests          = "ploke.tests"
	CommandFix            = "ploke.fix"
	CommandChatStop       = "ploke.chat.stop"
	CommandProposalAccept = "ploke.proposal.accept"
	CommandProposalReject = "ploke.proposal.reject"
	CommandProposalUndo   = "ploke.proposal.undo"
	CommandProposalRedo   = "ploke.proposal.redo"
	CommandProposalShow   = "ploke.proposal.show"
	CommandIndexStatus    = "ploke.index.status"
	CommandIndexRebuild   = "ploke.index.rebuild"
	CommandIndexPause     = "ploke.index.pause"
	CommandIndexResume    = "ploke.index.resume"
)

// Commands returns the commands that the server executes.
func Commands() []string {
	return []string{
		CommandAsk, CommandExplain, CommandDocument, CommandTests, CommandFix, CommandRefactor, CommandGenerate, CommandComment, CommandChatSend, CommandChatNew, CommandChatStop,
		CommandProposalAccept, CommandProposalReject, CommandProposalUndo, CommandProposalRedo, CommandProposalShow,
		CommandPermissionForget,
		CommandIndexStatus, CommandIndexRebuild, CommandIndexPause, CommandIndexResume,
	}
}

// Experimental is the value of capabilities.experimental of the server and of the
// client.
type Experimental struct {
	Ploke Capabilities `json:"ploke"`
}

// Capabilities names the version and the methods of the ploke/* extension that one
// side supports.
type Capabilities struct {
	Version int      `json:"version"`
	Methods []string `json:"methods"`
}

// Has reports whether Methods contains method.
func (c Capabilities) Has(method string) bool {
	return slices.Contains(c.Methods, method)
}
