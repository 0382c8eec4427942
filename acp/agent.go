package acp

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"

	"ploke-lsp/acp/protocol"
	"ploke-lsp/internal/config"
	"ploke-lsp/internal/rpc"
	"ploke-lsp/project"
)

// Options configures an agent.
type Options struct {
	StateDir   string         // the folder of the databases; created if needed
	Version    string         // of the program, shown to the client
	Config     []config.Layer // layers of settings in increasing order of priority
	Logger     *slog.Logger   // nil discards
	HTTPClient *http.Client   // for model providers; nil is http.DefaultClient
	// Getenv looks up the environment variables that settings name for keys; nil means that none
	// is set.
	Getenv func(string) string
	// Answer answers what the command line asks; see [project.Options].
	Answer    func(context.Context, *project.Project, project.Question) ([]byte, error)
	WatchDisk bool   // the agent watches the disk, since clients don't report what changes
	Home      string // the person's home folder, which no session may have; "" if it is not known
}

// flushTime is how long running requests have to end once the connection has ended.
const flushTime = 300 * time.Millisecond

// An Agent serves one client.
type Agent struct {
	options     Options
	log         *slog.Logger
	client      *client
	folders     folders
	sessions    sessions
	baseContext context.Context // ends when the agent stops
	background  sync.WaitGroup  // goroutines that tell the client something; they end with baseContext
}

// NewAgent returns an agent that is ready to serve one connection.
func NewAgent(options Options) *Agent {
	options.Logger = cmp.Or(options.Logger, slog.New(slog.DiscardHandler))
	if options.Getenv == nil {
		options.Getenv = func(string) string { return "" }
	}
	a := &Agent{options: options, log: options.Logger}
	a.folders.open, a.folders.home = a.openFolder, options.Home
	return a
}

// Serve serves the client at the other end of conn until the connection ends or ctx is done, and
// closes conn. Closing conn must end a pending Read and a pending Write. The protocol has no
// message that says farewell, so the end of the connection is no error.
func (a *Agent) Serve(ctx context.Context, conn io.ReadWriteCloser) error {
	baseContext, leave := context.WithCancel(ctx)
	defer leave()
	a.baseContext = baseContext
	s := newStream(conn)
	connection := jsonrpc2.NewConn(s)
	a.client = &client{conn: connection, stream: s}
	r := rpc.NewRouter(baseContext, routing(s, a.log), a.routes()...)
	connection.Go(context.WithoutCancel(ctx), r.Handle)
	select {
	case <-baseContext.Done():
	case <-connection.Done():
	case <-s.ended:
	}
	leave()
	select {
	case <-connection.Done():
	case <-time.After(flushTime):
	}
	s.Close()
	<-connection.Done()
	a.background.Wait()
	a.folders.close()
	return ctx.Err()
}

// routes is the table of every method that the agent handles.
func (a *Agent) routes() []rpc.Route {
	return []rpc.Route{
		rpc.OnRequest(protocol.MethodInitialize, a.initialize),
		rpc.OnRequest(protocol.MethodAuthenticate, a.authenticate),
		rpc.OnRequest(protocol.MethodSessionNew, a.newSession),
		rpc.OnRequest(protocol.MethodSessionLoad, a.loadSession),
		rpc.OnRequest(protocol.MethodSessionResume, a.resumeSession),
		rpc.OnRequest(protocol.MethodSessionList, a.listSessions),
		rpc.OnRequest(protocol.MethodSessionClose, a.closeSession),
		rpc.OnRequest(protocol.MethodSessionDelete, a.deleteSession),
		rpc.OnRequest(protocol.MethodSessionSetConfigOption, a.setConfigOption),
		rpc.OnRequest(protocol.MethodSessionPrompt, a.prompt),
		rpc.OnNotification(protocol.MethodSessionCancel, a.cancel),
	}
}
