// Command ploke-lsp is a language server with an AI coding assistant, and a command line
// for the same functions.
//
// This package handles flags, the environment, signals and the standard streams. The
// commands ask and proposals are LSP clients of a server in the same process, over a
// pipe. The commands index, search, doctor and ledger use package project directly; context, symbol,
// edges and outline call the tools of package mcp in it.
// search and these four first ask a process that has the folder open.
//
// Its promises:
//
//   - Every command writes only its result to standard output: serve only LSP, acp only ACP, and mcp only MCP.
//   - Text on a terminal never contains control characters from files or models.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"ploke-lsp/internal/collector"
	"ploke-lsp/internal/sandbox"
	"ploke-lsp/lsp"
	"ploke-lsp/project"
)

func main() {
	sandbox.Enter()
	if err := hideMemory(); err != nil {
		fmt.Fprintf(os.Stderr, "ploke-lsp: %v\n", err)
	}
	collector.KeepLeast()
	prepareConsole(os.Stdout)
	prepareConsole(os.Stderr)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	code := run(ctx, os.Args[1:], environment{
		program: os.Args[0], stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, getenv: os.Getenv,
	})
	stop()
	os.Exit(code)
}

// environment holds what a command gets from outside, apart from its arguments.
type environment struct {
	program string // the path of this program, or its name in $PATH
	stdin   io.ReadCloser
	stdout  io.Writer
	stderr  io.Writer
	getenv  func(string) string
}

// A command is a subcommand. Its setup declares the flags and returns the function to run.
type command struct {
	name    string
	args    string // the arguments after the flags, for the usage text
	summary string
	setup   func(fs *flag.FlagSet, c *common) func(ctx context.Context, env environment, args []string) error
}

// commands returns the subcommands in the order of the usage text.
func commands() []command {
	return []command{
		{"serve", "", "serve LSP on standard input and output (the default)", serveCommand},
		{"mux", "-- SERVER [ARGUMENT …]", "serve LSP together with another language server", muxCommand},
		{"acp", "", "serve the Agent Client Protocol on standard input and output", acpCommand},
		{"mcp", "", "serve other agents with MCP, on standard input and output or HTTP", mcpCommand},
		{"ask", "[QUESTION | -]", "ask one question, or give one instruction", askCommand},
		{"index", "", "index a workspace and print statistics", indexCommand},
		{"search", "QUERY", "search a workspace", searchCommand},
		{"context", "QUESTION", "print the code that a question is about, as a model gets it", contextCommand},
		{"symbol", "NAME", "print the code of a symbol", symbolCommand},
		{"edges", "NAME", "print who calls or uses a symbol, or what it calls", edgesCommand},
		{"outline", "[FILE | FOLDER]", "print the symbols of a file, or what is in a folder", outlineCommand},
		{"export", "scip", "write a workspace's index to a file that other programs read", exportCommand},
		{"proposals", "[list | show [ID] | accept [ID [VERSION]] | reject … | undo … | redo …]", "list, show, accept, reject, undo or redo proposed edits", proposalsCommand},
		{"check", "[ID]", "build what is proposed or not committed, in a sandbox", checkCommand},
		{"ledger", "", "show which code was sent to models, and the cost", ledgerCommand},
		{"backup", "FILE", "copy a workspace's conversations, proposals and ledger to a file", backupCommand},
		{"restore", "FILE", "put a backup in the place of what a workspace has", restoreCommand},
		{"setup", "[CLIENT | model [PROVIDER/MODEL]]", "find editors and a model, and set them up", setupCommand},
		{"doctor", "", "check the settings, the state folder, the index and the models", doctorCommand},
		{"completion", "bash | zsh | fish | powershell", "print the completions of a shell", completionCommand},
		{"manual", "", "print the manual page, for man", manualCommand},
		{"version", "", "print the version", versionCommand},
	}
}

// interrupted is the exit status after SIGINT or SIGTERM.
const interrupted = 130

// run runs the command that args name and returns the exit status.
func run(ctx context.Context, args []string, env environment) int {
	name := "serve"
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, args = args[0], args[1:]
	} else if len(args) == 1 {
		switch args[0] {
		case "-h", "-help", "--help":
			name, args = "help", nil
		case "-v", "-version", "--version":
			name, args = "version", nil
		}
	}
	if name == "help" {
		printUsage(env.stdout)
		return 0
	}
	if name != "serve" && name != "mux" && name != "mcp" {
		env.stdout = escapeOnTerminal(env.stdout)
	}
	env.stderr = escapeOnTerminal(env.stderr)
	for _, c := range commands() {
		if c.name == name {
			return runCommand(ctx, c, args, env)
		}
	}
	return noCommand(env, name)
}

func runCommand(ctx context.Context, c command, args []string, env environment) int {
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard) // its errors name flags with one dash
	shared := &common{}
	shared.register(fs)
	do := c.setup(fs, shared)
	words, err := parseFlags(fs, args)
	if err == nil && !slices.Contains(colorModes, shared.color) {
		err = wrongUsage("there is no color %q%s", shared.color, nearestTo(shared.color, colorModes))
	}
	if err == nil {
		env.stdout, env.stderr = shared.withColors(env, env.stdout), shared.withColors(env, env.stderr)
		err = do(ctx, env, words)
	}
	var wrong *usageError
	switch {
	case errors.Is(err, flag.ErrHelp):
		c.printUsage(env.stderr, fs)
		return 0
	case errors.As(err, &wrong):
		fmt.Fprintln(env.stderr, fitting(env.stderr, fmt.Sprintf("ploke-lsp %s: %v", c.name, wrong)))
		c.printUsage(env.stderr, fs)
		return 2
	case ctx.Err() != nil:
		return interrupted
	case errors.Is(err, errNothing):
		return 1
	case err != nil:
		fmt.Fprintln(env.stderr, fitting(env.stderr, fmt.Sprintf("ploke-lsp %s: %v", c.name, err)))
		return 1
	}
	return 0
}

func printUsage(w io.Writer) {
	fmt.Fprint(w, "usage: ploke-lsp [COMMAND] [flags] [arguments]\n\ncommands:\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-10s %s\n", c.name, c.summary)
	}
	fmt.Fprint(w, "\nploke-lsp COMMAND -h lists the flags of a command\n")
}

// common holds the flags that every command has.
type common struct {
	stateDir string
	config   string
	logLevel string
	color    string
	serves   bool // the log is for who looks after a server, and has times
}

func (c *common) register(fs *flag.FlagSet) {
	fs.StringVar(&c.stateDir, "state-dir", "", "`folder` of the databases (or PLOKE_STATE_DIR)")
	fs.StringVar(&c.config, "config", "",
		"TOML `file` of the settings (default ploke-lsp/config.toml in the user's configuration folder)")
	fs.StringVar(&c.logLevel, "log-level", "warn", "what `level` of messages to log to standard error: "+oneOf(logLevels))
	fs.StringVar(&c.color, "color", "auto", "`when` to show colors, links and rendered Markdown: "+oneOf(colorModes))
}

var logLevels = []string{"debug", "info", "warn", "error"}

// logger returns a logger that writes to standard error: lines of a server's log, or sentences for the person at
// another command who has not asked for more than warnings.
func (c *common) logger(env environment) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.logLevel)); err != nil {
		return nil, fmt.Errorf("--log-level %q is not one of %s", c.logLevel, strings.Join(logLevels, ", "))
	}
	if !c.serves && level >= slog.LevelWarn {
		return slog.New(newWarnings(env.stderr, level)), nil
	}
	return slog.New(slog.NewTextHandler(env.stderr, &slog.HandlerOptions{Level: level})), nil
}

// options returns the options of a server.
func (c *common) options(env environment) (lsp.Options, error) {
	logger, err := c.logger(env)
	if err != nil {
		return lsp.Options{}, err
	}
	dir, err := c.stateFolder(env)
	if err != nil {
		return lsp.Options{}, err
	}
	settings, err := c.settings(env)
	if err != nil {
		return lsp.Options{}, err
	}
	return lsp.Options{
		StateDir: dir,
		Version:  version,
		Config:   settings,
		Logger:   logger,
		Getenv:   env.getenv,
	}, nil
}

// readableOptions is options for a command that ends with an error if settings can't be read.
// Servers tell their clients instead.
func (c *common) readableOptions(env environment) (lsp.Options, error) {
	o, err := c.options(env)
	if err != nil {
		return o, err
	}
	return o, project.NewSettings(o.Config...).Unreadable()
}

// readableProject is projectOptions, for commands that need to know the settings.
func (c *common) readableProject(env environment) (project.Options, error) {
	o, err := c.projectOptions(env)
	if err != nil {
		return o, err
	}
	return o, o.Settings.Unreadable()
}

// projectOptions returns the options of a project.
func (c *common) projectOptions(env environment) (project.Options, error) {
	o, err := c.options(env)
	if err != nil {
		return project.Options{}, err
	}
	return project.Options{
		StateDir: o.StateDir, Version: o.Version, Settings: project.NewSettings(o.Config...), Logger: o.Logger,
		Getenv:      o.Getenv,
		KeepVectors: true,
	}, nil
}
