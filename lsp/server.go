package lsp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/rpc"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/lsp/chat"
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/lsp/review"
	"ploke-lsp/lsp/wire"
	"ploke-lsp/project"
	"ploke-lsp/tools"
)

// Options configures a server.
type Options struct {
	StateDir string // the folder of the databases; created if needed
	Version  string // of the program, shown to the client
	// Config holds layers of settings in increasing order of priority. The client's
	// initializationOptions override all of them.
	Config     []config.Layer
	Logger     *slog.Logger // nil discards
	HTTPClient *http.Client // for model providers; nil is http.DefaultClient
	// KeepVectors stops the server from sending code to make vectors. Searches use
	// the vectors that exist.
	KeepVectors bool
	// Headless says that the client is no editor. It sees the unsaved texts of the editors that
	// have the same folder open in other processes.
	Headless bool
	// Alone keeps the server from meeting the other processes that have the same folder open. Tests need it whose clock
	// stands still until nobody waits for the network.
	Alone bool
	// WatchDisk says that the server watches the disk if the client does not.
	WatchDisk bool
	// Answer answers what the command line asks; see [project.Options].
	Answer func(context.Context, *project.Project, project.Question) ([]byte, error)
	// Getenv looks up the environment variables that settings name for keys; nil
	// means that none is set.
	Getenv func(string) string
}

// ErrNoShutdown is returned by [Server.Serve] if the client sent exit, or closed the
// connection, without sending shutdown first.
var ErrNoShutdown = errors.New("the client left without a shutdown request")

// ErrClientGone is returned by [Server.Serve] if the process ended that initialize named
// as the client's.
var ErrClientGone = errors.New("the client's process has ended")

// When the connection has ended, running requests have replyTime to end. After that, and
// at the end of Serve in any case, a client has flushTime to read what is queued.
const (
	replyTime = 300 * time.Millisecond
	flushTime = 250 * time.Millisecond
)

// phase is the phase of the connection's lifecycle.
type phase int

const (
	created     phase = iota
	initialized       // initialize was answered
	running           // the client sent initialized
	stopping          // shutdown was answered
)

// A Server serves one client. Handlers of notifications, and of requests until they
// call release, run one at a time, so they need no lock for its fields.
type Server struct {
	options       Options
	tools         func(tools.Deps) *tools.Set
	log           *slog.Logger
	phase         phase
	client        *client.Client
	documents     *document.Table
	sync          *document.Sync
	router        *rpc.Router
	parsed        *document.Parser
	editorState   *editorState
	diagnostics   *diagnostics
	published     *document.Published
	views         *document.Views
	frontEnd      *frontEnd
	applier       *document.Applier
	review        *review.Review
	turns         *chat.Turns
	chats         *chat.Documents
	configuration *configuration   // from initialize on
	roots         []string         // the folders of initialize
	refused       []error          // why other folders of initialize are not served
	project       *project.Project // from initialized on
	openError     error            // why there is no project
	offered       offeredChoices
	leave         context.CancelCauseFunc // ends what runs in the background, so that Serve returns
	background    *client.Background
}

// NewServer returns a server that is ready to serve one connection.
func NewServer(options Options) *Server {
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	if options.HTTPClient == nil {
		options.HTTPClient = http.DefaultClient
	}
	if options.Getenv == nil {
		options.Getenv = func(string) string { return "" }
	}
	return &Server{
		options: options, tools: tools.New, log: options.Logger, documents: document.NewTable(),
	}
}

// Serve serves the client at the other end of conn until it sends exit, its process or
// the connection ends or ctx is done, and closes conn. It returns nil if the client sent
// shutdown first. Closing conn must end a pending Read and a pending Write.
func (s *Server) Serve(ctx context.Context, conn io.ReadWriteCloser) error {
	baseContext, leave := context.WithCancelCause(ctx)
	s.leave = leave
	stream := wire.NewStream(conn, wire.Events{
		Miscounts: func() { s.client.ShowMessage(protocol.MessageTypeError, "%s", miscounted) },
		Unread:    document.Unread,
	})
	connection := jsonrpc2.NewConn(stream, jsonrpc2.WithCodec(ploke.Codec{}))
	s.client = client.New(connection, stream)
	s.background = client.NewBackground(baseContext, s.client)
	s.editorState = &editorState{client: s.client, documents: s.documents, log: s.log}
	s.published = document.NewPublished(s.client, s.documents)
	s.diagnostics = newDiagnostics(s.client, s.documents, func() *workspace.Workspace { return s.project.Workspace })
	s.applier = document.NewApplier(s.client, s.documents)
	s.frontEnd = &frontEnd{client: s.client, Applier: s.applier, editorState: s.editorState, diagnostics: s.diagnostics, review: review.NewQueue(s.log)}
	s.router = rpc.NewRouter(baseContext, s.routing(), s.lifecycle()...)
	connection.Go(context.WithoutCancel(ctx), s.router.Handle)
	select {
	case <-baseContext.Done():
	case <-connection.Done():
	case <-stream.Ended():
		waitAtMost(replyTime, connection.Done())
	}
	s.client.EndProgress()
	leave(nil)
	flushing, cancel := context.WithTimeout(context.Background(), flushTime)
	defer cancel()
	stream.Flush(flushing)
	stream.Close()
	<-connection.Done()
	s.sync.Stop()
	s.configuration.wait()
	s.background.Wait()
	s.views.Close()
	s.project.Close()
	switch {
	case s.phase == stopping:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(context.Cause(baseContext), ErrClientGone):
		return ErrClientGone
	case connection.Err() != nil:
		return connection.Err()
	}
	return ErrNoShutdown
}

// miscounted explains a mistake of which some clients are not aware, as it only concerns
// messages with other letters than those of English.
const miscounted = "ploke: a message of the editor could not be read. Its Content-Length seems to be the number of its characters, " +
	"but must be the number of its bytes. Please report this to the authors of the editor's LSP client."

// waitAtMost waits until done is closed, for at most so long.
func waitAtMost(limit time.Duration, done <-chan struct{}) {
	select {
	case <-done:
	case <-time.After(limit):
	}
}

// lifecycle is the table of the methods that the server handles from the beginning.
func (s *Server) lifecycle() []rpc.Route {
	return []rpc.Route{
		rpc.OnRequest(protocol.MethodInitialize, s.initialize),
		rpc.OnNotification(protocol.MethodInitialized, s.initialized),
		rpc.OnRequest(protocol.MethodShutdown, s.shutdown),
		rpc.OnNotification(protocol.MethodExit, s.exit),
	}
}

// routes is the table of every method that the server handles once a project is open.
func (s *Server) routes() []rpc.Route {
	conversations := chat.NewConversations(s.project, s.client)
	return []rpc.Route{
		rpc.OnNotification(protocol.MethodTextDocumentDidOpen, s.sync.DidOpen),
		rpc.OnNotification(protocol.MethodTextDocumentDidChange, s.sync.DidChange),
		rpc.OnNotification(protocol.MethodTextDocumentDidSave, s.didSave),
		rpc.OnNotification(protocol.MethodTextDocumentDidClose, s.sync.DidClose),
		rpc.OnNotification(protocol.MethodWorkspaceDidChangeWorkspaceFolders, s.didChangeWorkspaceFolders),
		rpc.OnNotification(protocol.MethodWorkspaceDidChangeConfiguration, s.didChangeConfiguration),
		rpc.OnNotification(protocol.MethodWorkspaceDidChangeWatchedFiles, s.didChangeWatchedFiles),
		rpc.OnNotification(protocol.MethodWorkspaceDidCreateFiles, s.didCreateFiles),
		rpc.OnNotification(protocol.MethodWorkspaceDidRenameFiles, s.didRenameFiles),
		rpc.OnNotification(protocol.MethodWorkspaceDidDeleteFiles, s.didDeleteFiles),
		rpc.OnNotification(protocol.MethodWindowWorkDoneProgressCancel, s.workDoneProgressCancel),

		rpc.OnRequest(protocol.MethodTextDocumentCodeAction, s.codeAction),
		rpc.OnRequest(protocol.MethodTextDocumentCodeLens, s.codeLens),
		rpc.OnRequest(protocol.MethodTextDocumentHover, s.hover),
		rpc.OnRequest(protocol.MethodTextDocumentCompletion, s.chats.Completion),
		rpc.OnRequest(protocol.MethodTextDocumentDefinition, s.chats.Definition),
		rpc.OnRequest(protocol.MethodTextDocumentFoldingRange, s.chats.FoldingRange),
		rpc.OnRequest(protocol.MethodTextDocumentDocumentSymbol, s.documentSymbol),
		rpc.OnRequest(protocol.MethodWorkspaceSymbol, s.workspaceSymbol),
		rpc.OnRequest(protocol.MethodWorkspaceExecuteCommand, s.executeCommand),

		rpc.OnRequest(ploke.MethodChatCreate, conversations.Create),
		rpc.OnRequest(ploke.MethodChatList, conversations.List),
		rpc.OnRequest(ploke.MethodChatHistory, conversations.History),
		rpc.OnRequest(ploke.MethodChatSiblings, conversations.Siblings),
		rpc.OnRequest(ploke.MethodChatSend, s.turns.Send),
		rpc.OnRequest(ploke.MethodChatComplete, s.turns.Complete),
		rpc.OnRequest(ploke.MethodChatSent, conversations.Sent),
		rpc.OnRequest(ploke.MethodChatMentions, s.turns.Mentions),
		rpc.OnRequest(ploke.MethodChatAttachment, s.turns.Attachment),
		rpc.OnRequest(ploke.MethodChatStop, s.turns.Stop),
		rpc.OnRequest(ploke.MethodChatAttach, s.turns.Attach),
		rpc.OnRequest(ploke.MethodChatRename, conversations.Rename),
		rpc.OnRequest(ploke.MethodChatDelete, conversations.Delete),
		rpc.OnRequest(ploke.MethodChatSearch, conversations.Search),
		rpc.OnRequest(ploke.MethodChatExport, conversations.Export),
		rpc.OnRequest(ploke.MethodToolResult, conversations.ToolResult),
		rpc.OnRequest(ploke.MethodPermissionAnswer, s.permissionAnswer),
		rpc.OnRequest(ploke.MethodPermissionList, s.permissionList),
		rpc.OnRequest(ploke.MethodPermissionForget, s.permissionForget),
		rpc.OnRequest(ploke.MethodProposalList, s.review.Proposals),
		rpc.OnRequest(ploke.MethodProposalGet, s.review.Proposal),
		rpc.OnRequest(ploke.MethodProposalAccept, s.review.Accept),
		rpc.OnRequest(ploke.MethodProposalReject, s.review.Reject),
		rpc.OnRequest(ploke.MethodProposalEdit, s.review.Edit),
		rpc.OnRequest(ploke.MethodProposalUndo, s.review.Undo),
		rpc.OnRequest(ploke.MethodProposalRedo, s.review.Redo),
		rpc.OnRequest(ploke.MethodReview, s.review.List),
		rpc.OnRequest(ploke.MethodReviewMerge, s.review.Merge),
		rpc.OnRequest(ploke.MethodSearch, s.search),
		rpc.OnRequest(ploke.MethodModels, s.models),
		rpc.OnRequest(ploke.MethodModelDefault, s.modelDefault),
		rpc.OnRequest(ploke.MethodModelChoose, s.modelChoose),
		rpc.OnRequest(ploke.MethodModelTest, s.modelTest),
		rpc.OnRequest(ploke.MethodSlashCommands, s.slashCommands),
		rpc.OnRequest(ploke.MethodExamples, s.examples),
		rpc.OnRequest(ploke.MethodLedger, s.ledger),
		rpc.OnRequest(ploke.MethodLedgerDocument, s.ledgerDocument),
		rpc.OnRequest(ploke.MethodDoctor, s.doctor),
		rpc.OnRequest(ploke.MethodMetrics, s.metrics),
		rpc.OnRequest(ploke.MethodIndexStatus, s.indexStatus),
		rpc.OnRequest(ploke.MethodIndexRebuild, s.indexRebuild),
		rpc.OnRequest(ploke.MethodIndexPause, s.indexPause),
		rpc.OnRequest(ploke.MethodIndexResume, s.indexResume),
	}
}

// admit returns an error if the phase does not allow the method.
func (s *Server) admit(method string) error {
	switch method {
	case protocol.MethodInitialize:
		if s.phase != created {
			return jsonrpc2.NewError(ploke.CodeInvalidRequest, "initialize was sent a second time")
		}
		return nil
	case protocol.MethodInitialized, protocol.MethodShutdown, protocol.MethodExit:
		return nil
	}
	switch {
	case s.phase < running:
		return jsonrpc2.NewError(ploke.CodeServerNotInitialized, fmt.Sprintf("%s came before initialize and initialized", method))
	case s.phase == stopping:
		return jsonrpc2.NewError(ploke.CodeInvalidRequest, fmt.Sprintf("%s came after shutdown", method))
	case s.client.Differs != "" && strings.HasPrefix(method, "ploke/"):
		return jsonrpc2.NewError(ploke.CodeMethodNotFound, fmt.Sprintf("%s is not answered: %s", method, s.client.Differs))
	case s.openError != nil:
		return jsonrpc2.NewError(ploke.CodeRequestFailed, s.openError.Error())
	}
	return nil
}
