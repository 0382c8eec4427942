package lsptest

import (
	"context"
	"time"

	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
)

// Options configures an editor. The zero value is an editor with all capabilities of
// [Capabilities] and no folder.
type Options struct {
	Roots []string // workspace folders
	// OnInitialize, if not nil, may change the parameters of initialize.
	OnInitialize func(*protocol.InitializeParams)
	// Capabilities overrides the default, [Capabilities].
	Capabilities          *protocol.ClientCapabilities
	InitializationOptions any
	// Settings is the result of workspace/configuration; see [WithConfiguration].
	Settings any
	// RefuseEdits, if not empty, is the reason with which the editor refuses all edits.
	RefuseEdits string
	// OnApplyEdit, if not nil, handles workspace/applyEdit: it may call apply. The
	// editor replies when it returns. If it did not call apply, the edit is refused.
	OnApplyEdit func(apply func())
	// Lie, if not nil, makes the editor dishonest: of each edit it applies what Lie leaves,
	// and it answers what Lie returns.
	Lie func(edit *protocol.WorkspaceEdit) (applied bool)
	// CountsCodePoints makes the editor count code points, whatever initialize answers.
	CountsCodePoints bool
	// OneLineEnd makes the editor give all lines of a document the same line end, as VS Code does
	// on Windows: LF if a document has only this one, else CRLF.
	OneLineEnd bool
	// EndsLines makes one line end of the text of an empty file that an edit opens, and adds one to what is inserted
	// behind the last line end, as Neovim does.
	EndsLines bool
	// ForgetsDiagnostics makes the editor drop what is published of a document that it has not open, and all of one that
	// it closes, as Eglot of Emacs 28 does.
	ForgetsDiagnostics bool
	// Undeclared are capabilities that the editor has without declaring them, such as
	// "textDocument.hover".
	Undeclared []string
	// OddRequests says that the test sends ploke/* requests of any form.
	OddRequests bool
	// RefuseDocuments makes the editor answer that it could not show a document.
	RefuseDocuments bool
	// OnPermission answers the server's permission requests, with an answer of
	// [ploke.PermissionAskResult] or, if the editor did not declare that method, the
	// title of an action. ctx ends when the server cancels the request.
	OnPermission func(ctx context.Context, question string) string
	// Choice, if not nil, returns the answer to window/showMessageRequest, where chosen is the index of the action that
	// OnPermission chose, or -1. Editors with a list of their own answer with a new action that has nothing but a title.
	Choice func(actions []protocol.MessageActionItem, chosen int) any
	// BeforeAnswer, if not nil, is called when the editor has handled a request of the server. The editor answers when it
	// returns, and sends and reads other messages meanwhile.
	BeforeAnswer func(e *Editor, method string)
	// AnswersTwice makes the editor send each answer to a request of the server a second time.
	AnswersTwice bool
	// Diagnostics is the result of ploke/client/diagnostics; see [WithDiagnostics].
	Diagnostics []ploke.DocumentDiagnostics
	// State returns the result of ploke/client/state; see [WithEditorState]. ctx ends when
	// the server cancels the request.
	State func(ctx context.Context) *ploke.ClientState
	// Answer holds answers to more ploke/* requests of the server, by method; see [WithMethods]. An answer may take as
	// long as it wants: other messages are read meanwhile. ctx ends when the server cancels the request.
	Answer map[string]func(ctx context.Context, e *Editor, params []byte) (any, error)
	// Timeout limits every wait of the editor; 0 is a minute.
	Timeout time.Duration
	// OnRegisterWatcher, if not nil, is called before the editor registers a watcher.
	OnRegisterWatcher func()
	// Transcript, if not nil, gets all messages.
	Transcript *Transcript
}
