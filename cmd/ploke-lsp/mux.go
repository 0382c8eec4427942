package main

import (
	"context"
	"flag"
	"os"
	"os/signal"
	"syscall"

	"ploke-lsp/lsp"
	"ploke-lsp/lsp/mux"
)

func muxCommand(fs *flag.FlagSet, c *common) func(context.Context, environment, []string) error {
	fs.Bool("stdio", true, "ignored: standard streams are the only transport, and some clients append this flag")
	c.serves = true
	return func(ctx context.Context, env environment, args []string) error {
		if len(args) == 0 {
			return wrongUsage("there is no other language server: ploke-lsp mux -- gopls")
		}
		options, err := c.options(env)
		if err != nil {
			return err
		}
		sayWhatIsAwaited(env, "an editor that speaks LSP")
		options.WatchDisk, options.Answer = true, answerInEditor
		// A client that has closed its end must not end the process before its state is closed.
		signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
		return mux.New(mux.Options{
			Command: args, Environment: os.Environ(), Messages: env.stderr, Serve: lsp.NewServer(options).Serve,
			Own: func(uri string) bool { return lsp.IsOwnDocument(options.StateDir, uri) }, Log: options.Logger,
		}).Serve(ctx, newStdio(env.stdin, env.stdout))
	}
}
