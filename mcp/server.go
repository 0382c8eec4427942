package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"syscall"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"ploke-lsp/project"
)

// Options is what a server is made from.
type Options struct {
	Project  project.Options
	FrontEnd project.FrontEnd
	Folder   string // absolute
	Home     string // the person's home folder, "" if it is not known
	Apply    bool   // edits are applied, not only proposed
	// TextOnly leaves out the structured results. Some clients give them to their model, which
	// costs more tokens than the text.
	TextOnly bool
}

// A Server serves one folder. It is safe for concurrent use.
type Server struct {
	options Options
	log     *slog.Logger

	opened  chan struct{} // closed when the project is open, or could not be opened
	project *project.Project
	failure error

	cancel context.CancelFunc

	declare sync.Once
	tools   []tool // once declared

	asked    askedQuestions
	applying sync.Mutex // held while an edit is applied; no person is asked meanwhile
}

// NewServer returns a server and begins to open the folder. It must be closed.
func NewServer(ctx context.Context, o Options) *Server {
	ctx, cancel := context.WithCancel(ctx)
	s := &Server{options: o, log: o.Project.Logger, opened: make(chan struct{}), cancel: cancel}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	go func() {
		defer close(s.opened)
		if s.failure = checkFolder(o.Folder, o.Home); s.failure == nil {
			s.project, s.failure = project.Open(ctx, o.Project, []string{o.Folder}, o.FrontEnd)
		}
		if s.failure != nil {
			s.log.Error("the folder could not be opened", "folder", o.Folder, "error", s.failure)
		}
	}()
	return s
}

// checkFolder returns an error for a folder that is no project: a client may start servers in the
// folder that it was started in itself.
func checkFolder(folder, home string) error {
	switch info, err := os.Stat(folder); {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder", folder)
	}
	if err := project.CheckFolder(folder, home); err != nil {
		return fmt.Errorf("%w: in the client's configuration, name the folder of a project with --workspace", err)
	}
	return nil
}

// declared returns the tools, which are made for the first client.
func (s *Server) declared() []tool {
	s.declare.Do(func() { s.tools = offered(s.options.Apply, s.options.TextOnly) })
	return s.tools
}

// Close stops what runs and closes the project.
func (s *Server) Close() {
	s.cancel()
	<-s.opened
	s.project.Close()
}

// open waits until the project is open. It fails while the settings can't be read, since they say
// what is not for agents.
func (s *Server) open(ctx context.Context) (*project.Project, error) {
	select {
	case <-s.opened:
		if s.failure == nil {
			s.options.Project.Settings.Refresh()
			return s.project, s.options.Project.Settings.Unreadable()
		}
		return s.project, s.failure
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// ServeStdio serves one client on two streams until the client closes one of its ends or ctx ends. Each
// message is a line, and a line that is no message is answered with an error.
func (s *Server) ServeStdio(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	locked := &lockedWriter{WriteCloser: out}
	err := s.newSession().protocol.Run(ctx,
		&sdk.IOTransport{Reader: newMessageLines(in, locked, messageBytes), Writer: locked, MaxLineLength: messageBytes + 1})
	for _, left := range []error{io.EOF, io.ErrClosedPipe, syscall.EPIPE} {
		if errors.Is(err, left) {
			return nil
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// messageBytes bounds a message of a client. Arguments may contain whole files.
const messageBytes = 16 << 20

// A session is one client. Its calls follow each other, unless it is the one that all clients without sessions share.
type session struct {
	server   *Server
	protocol *sdk.Server // the side that speaks the protocol
	shared   bool
	plain    bool // the client can't be asked anything while a call runs

	start sync.Once
	tools *project.ToolClient // once the project is open

	mu        sync.Mutex
	proposals []string // ids of the session's proposals, the oldest first
}

func (s *Server) newSession() *session {
	c := &session{server: s}
	c.protocol = c.newProtocol()
	return c
}

// newSharedSession returns a session for clients that can't be told apart. Each of their calls
// names the proposal that it sees and amends.
func (s *Server) newSharedSession() *session {
	c := &session{server: s, shared: true}
	c.protocol = c.newProtocol()
	return c
}

// open waits until the project is open, and returns it with the session's tools.
func (c *session) open(ctx context.Context) (*project.Project, *project.ToolClient, error) {
	p, err := c.server.open(ctx)
	if err != nil {
		return nil, nil, err
	}
	c.start.Do(func() { c.tools = p.NewToolClient(toolNames) })
	return p, c.tools, nil
}

// newProtocol returns the side of the session that speaks the protocol.
func (c *session) newProtocol() *sdk.Server {
	o := c.server.options
	server := sdk.NewServer(&sdk.Implementation{Name: "ploke-lsp", Title: "ploke-lsp", Version: o.Project.Version},
		&sdk.ServerOptions{
			Instructions: words("instructions"),
			Logger:       c.server.log,
			GetSessionID: c.sessionID,
			SetCacheable: func(_ context.Context, _ sdk.Request, c *sdk.Cacheable) { c.CacheScope = "private" },
			Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{},
				Resources: &sdk.ResourceCapabilities{ListChanged: true}},
		})
	for _, t := range c.server.declared() {
		server.AddTool(c.declaration(t), func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return c.handedOver(ctx, t, r)
		})
	}
	c.offerResources(server)
	return server
}
