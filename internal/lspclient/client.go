package lspclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/internal/display"
	"ploke-lsp/internal/process"
	"ploke-lsp/internal/wake"
	"ploke-lsp/internal/wire"
)

// Options say which server is started, and how long it may take. Command, Dir and Text are required.
type Options struct {
	Command     []string // the program with its arguments; it runs without a shell
	Dir         string   // the folder that it serves and runs in
	Environment []string // as NAME=VALUE
	Version     string   // of this program
	// Text returns the present text of a file at an absolute path.
	Text func(ctx context.Context, path string) ([]byte, error)
	// StartTime, CallTime and StopTime bound how long the server may take; 0 is the default.
	StartTime, CallTime, StopTime time.Duration
}

const (
	defaultStartTime = 30 * time.Second
	defaultCallTime  = 20 * time.Second
	defaultStopTime  = 2 * time.Second
)

func (o *Options) complete() {
	for d, standard := range map[*time.Duration]time.Duration{
		&o.StartTime: defaultStartTime, &o.CallTime: defaultCallTime, &o.StopTime: defaultStopTime} {
		if *d == 0 {
			*d = standard
		}
	}
}

// maxName is how many characters of the name that a server gives itself are shown.
const maxName = 60

// maxMessage is how many characters of a message of the server are shown.
const maxMessage = 200

// ErrUnsupported says that the server can't answer a question of this kind.
var ErrUnsupported = errors.New("the language server does not answer this")

// A RefusedError says that the server has answered a question with an error.
type RefusedError struct {
	Method, Reason string
	Code           jsonrpc2.Code
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("the language server refuses %s: %s", e.Method, e.Reason)
}

// A Client is a connection to a server that it has started. Its methods may be called from several goroutines.
type Client struct {
	options  Options
	program  *program
	stream   *wire.Stream
	conn     jsonrpc2.Conn
	name     string
	encoding protocol.PositionEncodingKind
	can      capabilities
	progress readiness
	stop     func()

	problems wake.Broadcast // something was published

	mu        sync.Mutex
	open      map[string]document   // by path
	published map[string]*published // of open documents
	pushes    bool                  // the server is not asked for problems: it reports them by itself
}

// Start starts a server and waits until it is initialized.
func Start(ctx context.Context, o Options) (*Client, error) {
	o.complete()
	p, err := startProgram(o)
	if err != nil {
		return nil, err
	}
	c := &Client{options: o, program: p, open: map[string]document{}, published: map[string]*published{}}
	c.progress.init()
	c.stop = sync.OnceFunc(c.shutDown)
	c.stream = wire.NewStream(p, wire.Events{})
	c.conn = jsonrpc2.NewConn(c.stream)
	c.conn.Go(context.WithoutCancel(ctx), c.handle)
	go func() {
		<-c.stream.Ended() // what can't be read can't be asked
		p.Kill()
		c.progress.changed.Announce()
		c.problems.Announce()
	}()
	if err := c.initialize(ctx); err != nil {
		p.Kill()
		c.stop()
		return nil, err
	}
	return c, nil
}

// object is a value of JSON.
type object map[string]any

// capabilities are what the server says that it can do. Each is false, true or options.
type capabilities struct {
	PositionEncoding string `json:"positionEncoding"`
	References       any    `json:"referencesProvider"`
	Definition       any    `json:"definitionProvider"`
	Implementation   any    `json:"implementationProvider"`
	Rename           any    `json:"renameProvider"`
}

func (c *Client) initialize(ctx context.Context) error {
	root := uri.File(c.options.Dir)
	linked := object{"linkSupport": true}
	params := object{
		"processId":        os.Getpid(),
		"clientInfo":       object{"name": "ploke-lsp", "version": c.options.Version},
		"rootPath":         c.options.Dir,
		"rootUri":          root,
		"workspaceFolders": c.folders(),
		"capabilities": object{
			"general": object{"positionEncodings": []string{"utf-8", "utf-16"}},
			"window":  object{"workDoneProgress": true},
			"workspace": object{"configuration": true, "workspaceFolders": true,
				"workspaceEdit":         object{"documentChanges": true},
				"didChangeWatchedFiles": object{"dynamicRegistration": true}},
			"textDocument": object{"synchronization": object{}, "references": object{}, "definition": linked,
				"implementation": linked, "rename": object{}, "diagnostic": object{},
				"publishDiagnostics": object{"versionSupport": true}},
			"experimental": object{"serverStatusNotification": true}, // of rust-analyzer
		},
	}
	var result struct {
		Capabilities capabilities `json:"capabilities"`
		ServerInfo   struct {
			Name    string `json:"name"`
			Version string `json:"version"`
		} `json:"serverInfo"`
	}
	if err := c.call(ctx, c.options.StartTime, "initialize", params, &result); err != nil {
		return err
	}
	c.can, c.encoding = result.Capabilities, protocol.PositionEncodingKindUTF16
	switch chosen := protocol.PositionEncodingKind(c.can.PositionEncoding); chosen {
	case protocol.PositionEncodingKindUTF8:
		c.encoding = chosen
	case "", protocol.PositionEncodingKindUTF16:
	default:
		return fmt.Errorf("the language server counts positions in %.20q, which was not offered", chosen)
	}
	c.name = serverName(result.ServerInfo.Name, result.ServerInfo.Version, c.options.Command[0])
	return c.notify("initialized", object{})
}

// serverName is what a server is called. It is shown to people and models, so that it is one short line.
func serverName(name, version, program string) string {
	if name == "" {
		name = filepath.Base(program)
	}
	var all struct{ Version string }
	if json.Unmarshal([]byte(version), &all) == nil { // gopls sends the versions of all of its modules
		version = all.Version
	}
	return display.Name(display.Clip(strings.TrimSpace(name+" "+version), maxName))
}

func (c *Client) folders() []object {
	return []object{{"uri": uri.File(c.options.Dir), "name": filepath.Base(c.options.Dir)}}
}

// Server is what the server calls itself, with its version.
func (c *Client) Server() string { return c.name }

// Ended returns a channel that is closed when the server has ended.
func (c *Client) Ended() <-chan struct{} { return c.program.Exited }

// Memory returns how many bytes of memory the server and what it has started take, 0 if the system does not say.
func (c *Client) Memory() int64 { return c.program.memory() }

// call sends a request and waits for the answer, at most for a time.
func (c *Client) call(ctx context.Context, most time.Duration, method string, params, result any) error {
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	id, err := c.conn.Call(limited, method, params, result)
	var answer *jsonrpc2.Error
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil || limited.Err() != nil:
		if number, ok := id.Number(); ok {
			_ = c.notify("$/cancelRequest", object{"id": number})
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("the language server has not answered %s within %v", method, most)
	case errors.As(err, &answer):
		return &RefusedError{method, shown(answer.Message), answer.Code}
	case c.program.EndsWithin(process.PipeGrace):
		return fmt.Errorf("the language server has ended: %s", c.program.ending())
	}
	return fmt.Errorf("the answer to %s can't be read: %s", method, shown(err.Error()))
}

// shown is a text of the server as the beginning of a line that people read.
func shown(text string) string { return display.Clip(display.Name(text), maxMessage) }

// notify queues a notification; it does not wait.
func (c *Client) notify(method string, params any) error {
	return c.conn.Notify(context.Background(), method, params)
}

// Close asks the server to end, ends it if it does not, and waits for that.
func (c *Client) Close() { c.stop() }

func (c *Client) shutDown() {
	if !c.program.Ended() {
		err := c.call(context.Background(), c.options.StopTime, "shutdown", nil, nil)
		if err == nil {
			err = c.notify("exit", nil)
		}
		if err == nil {
			c.program.EndsWithin(c.options.StopTime)
		}
	}
	c.program.Kill()
	_ = c.stream.Close() // no caller can do anything about an error
	<-c.conn.Done()
}
