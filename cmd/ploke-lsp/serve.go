package main

import (
	"context"
	"flag"
	"io"

	"ploke-lsp/lsp"
)

func serveCommand(fs *flag.FlagSet, c *common) func(context.Context, environment, []string) error {
	fs.Bool("stdio", true, "ignored: standard streams are the only transport, and some clients append this flag")
	return func(ctx context.Context, env environment, args []string) error {
		if len(args) > 0 {
			return errUsage
		}
		options, err := c.options(env)
		if err != nil {
			return err
		}
		return lsp.NewServer(options).Serve(ctx, newStdio(env.stdin, env.stdout))
	}
}

// stdio joins the standard streams to one connection. A read of standard input can't be
// interrupted, so a goroutine copies it to a pipe, which Close closes. That goroutine may
// run until the process ends.
type stdio struct {
	*io.PipeReader
	out io.Writer
}

func newStdio(in io.Reader, out io.Writer) *stdio {
	reader, writer := io.Pipe()
	go func() {
		_, err := io.Copy(writer, in)
		writer.CloseWithError(err)
	}()
	return &stdio{reader, out}
}

func (s *stdio) Write(p []byte) (int, error) { return s.out.Write(p) }
