package lsp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/lsp/client"
	ploke "ploke-lsp/lsp/protocol"
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
	options           Options
	tools             func(tools.Deps) *tools.Set
	log               *slog.Logger
	phase             phase
	client            *client.Client
	documents         *documents
	syncing           sync.Mutex // held while a document is opened, changed or closed
	early             earlyChanges
	parsed            *parsedDocuments
	scavenger         scavenger
	editorState       *editorState
	diagnostics       *diagnostics
	published         *publishedDiagnostics
	views             *views
	answers           *placedAnswers
	frontEnd          *frontEnd
	review            *review
	proposalDocuments proposalDocuments
	configuration     *configuration   // from initialize on
	roots             []string         // the folders of initialize
	refused           []error          // why other folders of initialize are not served
	project           *project.Project // from initialized on
	openError         error            // why there is no project
	chats             chatDocuments
	offered           offeredChoices
	chosenModel       atomic.Value // a string: the model of the turns that commands start; none for that of the settings
	knownTexts        knownTexts
	startOrder        sync.Mutex              // guards lastStart
	lastStart         chan struct{}           // closed once the latest turn has started
	leave             context.CancelCauseFunc // ends what runs in the background, so that Serve returns
	background        *client.Background
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
		options: options, tools: tools.New, log: options.Logger, documents: newDocuments(), early: earlyChanges{}, parsed: newParsedDocuments(),
		knownTexts: knownTexts{file: filepath.Join(options.StateDir, "chat-documents.json")},
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
		Unread:    unreadMessage,
	})
	connection := jsonrpc2.NewConn(stream, jsonrpc2.WithCodec(ploke.Codec{}))
	s.client = client.New(connection, stream)
	s.background = client.NewBackground(baseContext, s.client)
	s.editorState = &editorState{client: s.client, documents: s.documents, log: s.log}
	s.views = &views{client: s.client, documents: s.documents, stateDir: s.options.StateDir, log: s.log, roots: func() []string { return s.project.Workspace.Roots() }}
	s.published = newPublishedDiagnostics(s.client, s.documents)
	s.answers = &placedAnswers{parsed: s.parsedDocument, published: s.published}
	s.diagnostics = newDiagnostics(s.client, s.documents, func() *workspace.Workspace { return s.project.Workspace })
	s.review = newReview(s.log)
	s.frontEnd = &frontEnd{client: s.client, documents: s.documents, editorState: s.editorState, diagnostics: s.diagnostics, review: s.review}
	r := newRouter(baseContext, s.routes(), s.admit, func(format string, args ...any) { s.log.Error(fmt.Sprintf(format, args...)) }, s.client.OnCancel)
	connection.Go(context.WithoutCancel(ctx), r.handle)
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
	s.scavenger.stop()
	s.configuration.wait()
	s.background.Wait()
	s.views.closeAll()
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

// routes is the table of every method that the server handles.
func (s *Server) routes() []route {
	return []route{
		onRequest(protocol.MethodInitialize, s.initialize),
		onNotification(protocol.MethodInitialized, s.initialized),
		onRequest(protocol.MethodShutdown, s.shutdown),
		onNotification(protocol.MethodExit, s.exit),

		onNotification(protocol.MethodTextDocumentDidOpen, s.didOpen),
		onNotification(protocol.MethodTextDocumentDidChange, s.didChange),
		onNotification(protocol.MethodTextDocumentDidSave, s.didSave),
		onNotification(protocol.MethodTextDocumentDidClose, s.didClose),
		onNotification(protocol.MethodWorkspaceDidChangeWorkspaceFolders, s.didChangeWorkspaceFolders),
		onNotification(protocol.MethodWorkspaceDidChangeConfiguration, s.didChangeConfiguration),
		onNotification(protocol.MethodWorkspaceDidChangeWatchedFiles, s.didChangeWatchedFiles),
		onNotification(protocol.MethodWorkspaceDidCreateFiles, s.didCreateFiles),
		onNotification(protocol.MethodWorkspaceDidRenameFiles, s.didRenameFiles),
		onNotification(protocol.MethodWorkspaceDidDeleteFiles, s.didDeleteFiles),
		onNotification(protocol.MethodWindowWorkDoneProgressCancel, s.workDoneProgressCancel),

		onRequest(protocol.MethodTextDocumentCodeAction, s.codeAction),
		onRequest(protocol.MethodTextDocumentCodeLens, s.codeLens),
		onRequest(protocol.MethodTextDocumentHover, s.hover),
		onRequest(protocol.MethodTextDocumentCompletion, s.completion),
		onRequest(protocol.MethodTextDocumentDefinition, s.definition),
		onRequest(protocol.MethodTextDocumentFoldingRange, s.foldingRange),
		onRequest(protocol.MethodTextDocumentDocumentSymbol, s.documentSymbol),
		onRequest(protocol.MethodWorkspaceSymbol, s.workspaceSymbol),
		onRequest(protocol.MethodWorkspaceExecuteCommand, s.executeCommand),

		onRequest(ploke.MethodChatCreate, s.chatCreate),
		onRequest(ploke.MethodChatList, s.chatList),
		onRequest(ploke.MethodChatHistory, s.chatHistory),
		onRequest(ploke.MethodChatSiblings, s.chatSiblings),
		onRequest(ploke.MethodChatSend, s.chatSend),
		onRequest(ploke.MethodChatComplete, s.chatComplete),
		onRequest(ploke.MethodChatSent, s.chatSent),
		onRequest(ploke.MethodChatMentions, s.chatMentions),
		onRequest(ploke.MethodChatAttachment, s.chatAttachment),
		onRequest(ploke.MethodChatStop, s.chatStop),
		onRequest(ploke.MethodChatAttach, s.chatAttach),
		onRequest(ploke.MethodChatRename, s.chatRename),
		onRequest(ploke.MethodChatDelete, s.chatDelete),
		onRequest(ploke.MethodChatSearch, s.chatSearch),
		onRequest(ploke.MethodChatExport, s.chatExport),
		onRequest(ploke.MethodToolResult, s.toolResult),
		onRequest(ploke.MethodPermissionAnswer, s.permissionAnswer),
		onRequest(ploke.MethodPermissionList, s.permissionList),
		onRequest(ploke.MethodPermissionForget, s.permissionForget),
		onRequest(ploke.MethodProposalList, s.proposalList),
		onRequest(ploke.MethodProposalGet, s.proposalGet),
		onRequest(ploke.MethodProposalAccept, s.proposalAccept),
		onRequest(ploke.MethodProposalReject, s.proposalReject),
		onRequest(ploke.MethodProposalEdit, s.proposalEdit),
		onRequest(ploke.MethodProposalUndo, s.proposalUndo),
		onRequest(ploke.MethodProposalRedo, s.proposalRedo),
		onRequest(ploke.MethodReview, s.reviewList),
		onRequest(ploke.MethodReviewMerge, s.reviewMerge),
		onRequest(ploke.MethodSearch, s.search),
		onRequest(ploke.MethodModels, s.models),
		onRequest(ploke.MethodModelDefault, s.modelDefault),
		onRequest(ploke.MethodModelChoose, s.modelChoose),
		onRequest(ploke.MethodModelTest, s.modelTest),
		onRequest(ploke.MethodSlashCommands, s.slashCommands),
		onRequest(ploke.MethodExamples, s.examples),
		onRequest(ploke.MethodLedger, s.ledger),
		onRequest(ploke.MethodLedgerDocument, s.ledgerDocument),
		onRequest(ploke.MethodDoctor, s.doctor),
		onRequest(ploke.MethodMetrics, s.metrics),
		onRequest(ploke.MethodIndexStatus, s.indexStatus),
		onRequest(ploke.MethodIndexRebuild, s.indexRebuild),
		onRequest(ploke.MethodIndexPause, s.indexPause),
		onRequest(ploke.MethodIndexResume, s.indexResume),
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
