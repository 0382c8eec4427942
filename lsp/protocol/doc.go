// Package protocol holds what ploke-lsp adds to the Language Server Protocol:
// the ploke/* methods with their parameters and results, the parts of a
// streamed answer, and the conversion between byte offsets and positions.
//
// Its promises: the names and shapes here are the wire's, used alike by the
// server, the command line's client and the fake editor of the tests; arrays
// are never null; positions are LSP's (0-based lines, 0-based characters in
// the encoding that was negotiated), and this package alone converts them.
// It imports nothing of ours.
package protocol

import (
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// Version is the version of the ploke/* methods, offered as
// capabilities.experimental.ploke.version.
const Version = 1

// Methods of ours. Unless said otherwise the client calls and the server answers.
const (
	MethodChatCreate     = "ploke/chat/create"
	MethodChatList       = "ploke/chat/list"
	MethodChatHistory    = "ploke/chat/history"
	MethodChatSend       = "ploke/chat/send"
	MethodChatStop       = "ploke/chat/stop"
	MethodChatAttach     = "ploke/chat/attach"
	MethodChatRename     = "ploke/chat/rename"
	MethodChatDelete     = "ploke/chat/delete"
	MethodChatSearch     = "ploke/chat/search"
	MethodChatExport     = "ploke/chat/export"
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

	// MethodEvent is a notification from the server about what no request of
	// the client's asked for; see [Event].
	MethodEvent = "ploke/event"
	// MethodPermissionAsk is a request from the server; see
	// [PermissionAskParams].
	MethodPermissionAsk = "ploke/permission/ask"
)

// Methods lists the requests that the server answers.
func Methods() []string {
	return []string{
		MethodChatCreate, MethodChatList, MethodChatHistory, MethodChatSend, MethodChatStop,
		MethodChatAttach, MethodChatRename, MethodChatDelete, MethodChatSearch, MethodChatExport,
		MethodPermissionAnswer, MethodPermissionList, MethodPermissionForget,
		MethodProposalList, MethodProposalGet, MethodProposalAccept, MethodProposalReject,
		MethodProposalEdit, MethodProposalUndo, MethodProposalRedo,
		MethodSearch, MethodModels, MethodLedger, MethodMetrics, MethodIndexStatus, MethodIndexRebuild, MethodIndexPause, MethodIndexResume,
	}
}

// Commands of workspace/executeCommand.
const (
	CommandAsk            = "ploke.ask"
	CommandExplain        = "ploke.explain"
	CommandDocument       = "ploke.document"
	CommandChatStop       = "ploke.chat.stop"
	CommandProposalAccept = "ploke.proposal.accept"
	CommandProposalReject = "ploke.proposal.reject"
	CommandProposalUndo   = "ploke.proposal.undo"
	CommandProposalRedo   = "ploke.proposal.redo"
	CommandIndexStatus    = "ploke.index.status"
	CommandIndexRebuild   = "ploke.index.rebuild"
	CommandIndexPause     = "ploke.index.pause"
	CommandIndexResume    = "ploke.index.resume"
)

// Commands lists the commands that the server executes.
func Commands() []string {
	return []string{
		CommandAsk, CommandExplain, CommandDocument, CommandChatStop,
		CommandProposalAccept, CommandProposalReject, CommandProposalUndo, CommandProposalRedo,
		CommandPermissionForget,
		CommandIndexStatus, CommandIndexRebuild, CommandIndexPause, CommandIndexResume,
	}
}

// Experimental is what both sides put under capabilities.experimental: the
// server says what it offers, the client what it understands.
type Experimental struct {
	Ploke Capabilities `json:"ploke"`
}

// Capabilities is the server's offer or the client's declaration.
type Capabilities struct {
	Version int      `json:"version"`
	Methods []string `json:"methods"`
}

// Has reports whether method is named.
func (c Capabilities) Has(method string) bool {
	return slices.Contains(c.Methods, method)
}

// A Citation names a place in a file that an answer rests on.
type Citation struct {
	URI   uri.URI        `json:"uri"`
	Range protocol.Range `json:"range"`
	// Canon is the symbol there, empty where there is none.
	Canon string `json:"canon"`
}
