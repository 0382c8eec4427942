package main

import (
	"context"
	"flag"
	"os"
	"os/signal"
	"syscall"

	"ploke-lsp/acp"
)

func acpCommand(fs *flag.FlagSet, c *common) func(context.Context, environment, []string) error {
	setUp := fs.Bool("setup-model", false,
		"choose a model on the terminal instead, as \"ploke-lsp setup model\" does; clients run this to log in")
	c.serves = true
	return func(ctx context.Context, env environment, args []string) error {
		if err := noArguments(args); err != nil {
			return err
		}
		if *setUp {
			return setupCommand(flag.NewFlagSet("setup", flag.ContinueOnError), c)(ctx, env, []string{"model"})
		}
		sayWhatIsAwaited(env, "an editor that speaks ACP")
		options, err := c.options(env)
		if err != nil {
			return err
		}
		options.Logger.Info("serving ACP", "version", version)
		// A client that has closed its end must not end the process before its state is closed.
		signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
		home, err := setupEnvironment(env).Home()
		if err != nil {
			home = "" // no folder is taken for it
		}
		return acp.NewAgent(acp.Options{
			Home: home, WatchDisk: true, Answer: answer,
			StateDir: options.StateDir, Version: options.Version, Config: options.Config, Logger: options.Logger,
			Getenv: env.getenv,
		}).Serve(ctx, newStdio(env.stdin, env.stdout))
	}
}
