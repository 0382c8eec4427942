package lsp_test

import (
	"errors"
	"testing"

	"go.lsp.dev/jsonrpc2"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

// TestRequestsThatFail sends each request about something that does not exist, or that can't be done, with
// the codes that docs/protocol.md names.
func TestRequestsThatFail(t *testing.T) {
	f := newFixture(t)
	e := f.start(lsptest.Options{})
	known := newConversation(e)
	const none = "none"
	for _, tt := range []struct {
		method string
		params any
		code   int
	}{
		{ploke.MethodChatHistory, ploke.ChatHistoryParams{ConversationID: none}, -32803},
		{ploke.MethodChatHistory, ploke.ChatHistoryParams{ConversationID: known, LeafID: none}, -32803},
		{ploke.MethodChatSiblings, ploke.ChatSiblingsParams{ConversationID: none}, -32803},
		{ploke.MethodChatRename, ploke.ChatRenameParams{ConversationID: none}, -32803},
		{ploke.MethodChatDelete, ploke.ChatDeleteParams{ConversationID: none}, -32803},
		{ploke.MethodChatExport, ploke.ChatExportParams{ConversationID: none}, -32803},
		{ploke.MethodChatSend, ploke.ChatSendParams{Text: " "}, -32803},
		{ploke.MethodChatSend, ploke.ChatSendParams{Text: "a", ConversationID: none}, -32803},
		{ploke.MethodChatSend, ploke.ChatSendParams{Text: "a", ConversationID: known, ParentID: none}, -32803},
		{ploke.MethodChatSend, ploke.ChatSendParams{Text: "a", Attachments: []ploke.Attachment{{URI: fileURI(f.path("none.go"))}}}, -32803},
		{ploke.MethodChatSend, map[string]any{"text": 5}, -32602},
		{ploke.MethodChatAttach, ploke.ChatAttachParams{TurnID: none}, -32803},
		{ploke.MethodToolResult, ploke.ToolResultParams{ConversationID: known, CallID: none}, -32803},
		{ploke.MethodPermissionAnswer, ploke.PermissionAnswerParams{ID: none, Answer: ploke.PermissionAllowOnce}, -32803},
		{ploke.MethodPermissionForget, ploke.PermissionForgetParams{Key: none}, -32803},
		{ploke.MethodProposalGet, ploke.ProposalParams{ID: none}, -32803},
		{ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: none}, -32803},
		{ploke.MethodProposalReject, ploke.ProposalRejectParams{ID: none}, -32803},
		{ploke.MethodProposalEdit, ploke.ProposalEditParams{ID: none, File: fileURI(f.path("a.go"))}, -32803},
		{ploke.MethodProposalUndo, ploke.ProposalParams{ID: none}, -32803},
		{ploke.MethodProposalRedo, ploke.ProposalParams{ID: none}, -32803},
		{"ploke/dance", nil, -32601},
	} {
		err := e.Try(t.Context(), tt.method, tt.params, nil)
		if code := errorCode(err); code != tt.code {
			t.Errorf("%s with %+v: %v, want the code %d", tt.method, tt.params, err, tt.code)
		}
	}
	if result := e.Send(t.Context(), ploke.ChatSendParams{Text: "a", Model: none}); result.StopReason != ploke.StopError {
		t.Errorf("a turn with an unknown model ends with %+v", result)
	}
	e.Call(ploke.MethodChatStop, ploke.ChatStopParams{ConversationID: none}, nil) // nothing happens
}

// errorCode returns the code of an error reply, 0 if err is none.
func errorCode(err error) int {
	var wire *jsonrpc2.Error
	if !errors.As(err, &wire) {
		return 0
	}
	return int(wire.Code)
}
