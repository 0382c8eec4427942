package main

import (
	"context"
	"flag"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"ploke-lsp/lsp"
	"ploke-lsp/lsp/mux"
)

func serveCommand(fs *flag.FlagSet, c *common) func(context.Context, environment, []string) error {
	fs.Bool("stdio", true, "ignored: standard streams are the only transport, and some clients append this flag")
	c.serves = true
	return func(ctx context.Context, env environment, args []string) error {
		if err := noArguments(args); err != nil {
			return err
		}
		options, err := c.options(env)
		if err != nil {
			return err
		}
		sayWhatIsAwaited(env, "an editor that speaks LSP")
		options.WatchDisk, options.Answer = true, answerInEditor
		options.Logger.Info("serving", "version", version)
		// A client that has closed its end must not end the process before its state is closed.
		signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
		return lsp.NewServer(options).Serve(ctx, newStdio(env.stdin, env.stdout))
	}
}

// muxCommand serves an editor as serveCommand does, with another server inside.
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

// stdio joins the standard streams to one connection. Reading and writing them can't be
// interrupted, so goroutines do it, which may run until the process ends.
type stdio struct {
	*io.PipeReader
	out    io.Writer
	closed chan struct{}
	close  func() // closes closed
}

func newStdio(in io.Reader, out io.Writer) *stdio {
	reader, writer := io.Pipe()
	go func() {
		_, err := io.Copy(writer, in)
		writer.CloseWithError(err)
	}()
	closed := make(chan struct{})
	return &stdio{PipeReader: reader, out: out, closed: closed, close: sync.OnceFunc(func() { close(closed) })}
}

// Write returns when p is written or the connection is closed. p must not change even
// after that.
func (s *stdio) Write(p []byte) (int, error) {
	written := make(chan struct{})
	var count int
	var failure error
	go func() {
		defer close(written)
		count, failure = s.out.Write(p)
	}()
	select {
	case <-written:
		return count, failure
	case <-s.closed:
		return 0, io.ErrClosedPipe
	}
}

// Close ends a pending Read and a pending Write.
func (s *stdio) Close() error {
	s.close()
	return s.PipeReader.Close()
}
