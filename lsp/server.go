package lsp

import (
	"cmp"
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
	"ploke-lsp/internal/wire"
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
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
	// Headless says that the client is not an editor. It sees the unsaved texts of the editors that
	// have the same folder open in other processes.
	Headless bool
	// Alone keeps the server from meeting the other processes that have the same folder open. Tests need it whose clock
	// stands still until no request waits for the network.
	Alone bool
	// WatchDisk says that the server watches the disk if the client does not.
	WatchDisk bool
	// Answer answers what the command line asks; see [project.Options].
	Answer func(context.Context, *project.Project, project.Question) ([]byte, error)
	// Getenv looks up the environment variables that settings name for keys; nil
	// means that none is set.
	Getenv func(string) string

	tools func(tools.Deps) *tools.Set // of the models; nil means all
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

// A Server serves one client.
type Server struct {
	lifecycle
	options       Options
	log           *slog.Logger
	router        *rpc.Router
	client        *client.Client
	background    *client.Background
	documents     *document.Table
	frontEnd      *frontEnd
	configuration *configuration // from initialize on
	folders       folders        // of initialize
	service       *service       // from initialized on, if the project could be opened
}

// lifecycle is where the connection is in its lifecycle. It changes only in handlers that run alone: those of
// notifications, and of requests that never call release.
type lifecycle struct {
	phase     phase
	openError error                   // why there is no project
	leave     context.CancelCauseFunc // ends what runs in the background, so that Serve returns
}

// folders are those that the client opens with initialize.
type folders struct {
	roots   []string
	refused []error // why others are not served
}

// NewServer returns a server that is ready to serve one connection.
func NewServer(options Options) *Server {
	options.Logger = cmp.Or(options.Logger, slog.New(slog.DiscardHandler))
	options.HTTPClient = cmp.Or(options.HTTPClient, http.DefaultClient)
	if options.Getenv == nil {
		options.Getenv = func(string) string { return "" }
	}
	return &Server{options: options, log: options.Logger, documents: document.NewTable()}
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
	s.frontEnd = newFrontEnd(s)
	s.router = rpc.NewRouter(baseContext, s.routing(), s.routes()...)
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
	s.service.stop()
	s.configuration.wait()
	s.background.Wait()
	s.service.close()
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
const miscounted = "ploke: a message of the editor could not be read. Its Content-Length seems to be the number of " +
	"its characters, " +
	"but must be the number of its bytes. Please report this to the authors of the editor's LSP client."

// waitAtMost waits until done is closed, for at most so long.
func waitAtMost(limit time.Duration, done <-chan struct{}) {
	select {
	case <-done:
	case <-time.After(limit):
	}
}

// routes is the table of the methods that the server handles from the beginning. A service has the others.
func (s *Server) routes() []rpc.Route {
	return []rpc.Route{
		rpc.OnRequest(protocol.MethodInitialize, s.initialize),
		rpc.OnNotification(protocol.MethodInitialized, s.initialized),
		rpc.OnRequest(protocol.MethodShutdown, s.shutdown),
		rpc.OnNotification(protocol.MethodExit, s.exit),
		rpc.OnNotification(protocol.MethodWorkspaceDidChangeConfiguration, s.didChangeConfiguration),
		rpc.OnNotification(protocol.MethodWindowWorkDoneProgressCancel, s.workDoneProgressCancel),
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
		return jsonrpc2.NewError(ploke.CodeServerNotInitialized,
			fmt.Sprintf("%s came before initialize and initialized", method))
	case s.phase == stopping:
		return jsonrpc2.NewError(ploke.CodeInvalidRequest, fmt.Sprintf("%s came after shutdown", method))
	case s.client.Differs != "" && strings.HasPrefix(method, "ploke/"):
		return jsonrpc2.NewError(ploke.CodeMethodNotFound, fmt.Sprintf("%s is not answered: %s", method, s.client.Differs))
	case s.openError != nil:
		return jsonrpc2.NewError(ploke.CodeRequestFailed, s.openError.Error())
	}
	return nil
}
