package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"ploke-lsp/mcp"
	"ploke-lsp/project"
)

// mcpFlags are the flags of mcp.
type mcpFlags struct {
	workspace, http, tokenFile string
	apply, textOnly            bool
}

func mcpCommand(fs *flag.FlagSet, c *common) func(context.Context, environment, []string) error {
	var f mcpFlags
	fs.StringVar(&f.workspace, "workspace", ".", "`folder` that the tools are for")
	fs.BoolVar(&f.apply, "apply", false, "apply edits instead of only proposing them")
	fs.BoolVar(&f.textOnly, "text-only", false,
		"send no structured results: some clients give them to their model, and they are longer than the text")
	fs.StringVar(&f.http, "http", "",
		"serve HTTP at this local `address`, such as 127.0.0.1:7411, instead of standard input and output")
	fs.StringVar(&f.tokenFile, "token-file", "",
		"`file` of the token that HTTP requests need (default mcp-token in the state folder; made if it is missing)")
	c.serves = true
	return func(ctx context.Context, env environment, args []string) error {
		if err := noArguments(args); err != nil {
			return err
		}
		if f.tokenFile != "" && f.http == "" {
			return wrongUsage("--token-file is for --http")
		}
		options, err := c.mcpOptions(env, &f)
		if err != nil {
			return err
		}
		server := mcp.NewServer(ctx, options)
		defer server.Close()
		if f.http != "" {
			return f.serveHTTP(ctx, env, server, options)
		}
		sayWhatIsAwaited(env, "an agent that speaks MCP")
		// A client that has closed its end must not end the process before its state is closed.
		signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
		streams := newStdio(env.stdin, env.stdout)
		return server.ServeStdio(ctx, streams, streams)
	}
}

// mcpOptions returns the options of a server. That its folder is one is checked when it is opened, so
// that a client can show what is wrong.
func (c *common) mcpOptions(env environment, f *mcpFlags) (o mcp.Options, err error) {
	front := &agentFrontEnd{frontEnd: frontEnd{stderr: env.stderr}}
	o = mcp.Options{Apply: f.apply, TextOnly: f.textOnly, FrontEnd: front}
	if o.Folder, err = filepath.Abs(f.workspace); err != nil {
		return o, err
	}
	if home, err := setupEnvironment(env).Home(); err == nil {
		o.Home = home
	}
	o.Project, err = c.projectOptions(env)
	o.Project.WatchDisk, o.Project.Hooks.Answer = true, answer
	front.ask = func(ctx context.Context, q project.Question) ([]byte, bool) {
		return project.AskServer(ctx, o.Project, o.Folder, q)
	}
	return o, err
}

// serveHTTP serves HTTP, and says on standard error where.
func (f *mcpFlags) serveHTTP(ctx context.Context, env environment, server *mcp.Server, o mcp.Options) error {
	file := f.tokenFile
	if file == "" {
		file = filepath.Join(o.Project.StateDir, "mcp-token")
	}
	token, err := mcp.ReadToken(file)
	if err != nil {
		return err
	}
	listener, err := mcp.ListenLocal(f.http)
	if err != nil {
		return err
	}
	fmt.Fprintf(env.stderr, "serving MCP at http://%s%s; the token is in %s\n", listener.Addr(), mcp.Path, file)
	return server.ServeHTTP(ctx, listener, token)
}
