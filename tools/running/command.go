// Package running runs commands for models: in their folder, or by a function that runs them elsewhere.
//
// Its promises:
//   - A command ends with its time limit, its context or its program, and all processes that it has started with it.
//   - It gets no input, and of the environment what a check gets.
//   - Of its output the beginning, the end, and lines between them that look like errors are kept, as text without
//     control sequences. No secret is cut in two.
package running

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"ploke-lsp/internal/process"
	"ploke-lsp/tools/wording"
)

// Time limits of a command.
const (
	DefaultTimeout = 10 * time.Minute
	MaxTimeout     = 24 * time.Hour
)

// pipeGrace is how long a leftover process may keep the output open.
const pipeGrace = time.Second

// Command is a program to run.
type Command struct {
	Args    []string
	Dir     string        // absolute
	Timeout time.Duration // 0 for DefaultTimeout
	Env     []string      // names of environment variables that it gets besides the usual ones
}

// Runner runs a program until it and all the processes that it started have ended, or ctx has. The
// program gets no standard input. how says how it ended: "exit status 1".
type Runner func(ctx context.Context, args, env []string, output io.Writer) (how string, passed bool, err error)

// End is how a command ended.
type End struct {
	Passed  bool
	How     string
	Output  string
	Omitted int64    // bytes that Output lacks
	Secrets []string // in the output
	Took    time.Duration
}

// Run runs the command until it ends or reaches its time limit. End has at most about limit bytes of its output. live,
// unless it is nil, gets the beginning of the output while it is written.
func (c Command) Run(ctx context.Context, do Runner, live func(text string), limit int) (End, error) {
	timeout := cmp.Or(c.Timeout, DefaultTimeout)
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	output := &output{limit: scannedBytes, live: live}
	variables := append(process.Environment(c.Dir, c.Env), process.Readable()...)
	started := time.Now()
	how, passed, err := do(limited, c.Args, variables, output)
	took := time.Since(started)
	output.end()
	if ctx.Err() != nil {
		return End{}, ctx.Err()
	}
	if errors.Is(limited.Err(), context.DeadlineExceeded) && !passed {
		how, err = fmt.Sprintf("stopped after %v, its time limit", timeout), nil
	}
	if err != nil {
		return End{}, err
	}
	end := End{Passed: passed, How: how, Took: took}
	end.Output, end.Omitted, end.Secrets = output.text(limit)
	return end, nil
}

// InFolder returns what runs a program in a folder. What it writes is written.
func InFolder(dir string) Runner {
	return func(ctx context.Context, args, env []string, output io.Writer) (how string, passed bool, err error) {
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.WaitDelay, cmd.Env = dir, output, output, pipeGrace, env
		all := &process.Group{Cmd: cmd}
		cmd.Cancel = all.Kill
		if err := all.Start(); err != nil {
			return "", false, &wording.Failure{Message: "the command can't be started: " + err.Error(), Code: "cannot_start",
				Hint: "go on without it, and tell the user that the command does not start"}
		}
		defer all.Close()
		err = cmd.Wait()
		_ = all.Kill() // leftover processes, if any
		if err != nil && cmd.ProcessState == nil {
			return "", false, fmt.Errorf("waiting for the command: %w", err)
		}
		return cmd.ProcessState.String(), cmd.ProcessState.Success(), nil
	}
}

const (
	cannotRun    = 127 // a shell's exit status for a program that can't be started
	signalStatus = 128 // and the number of a signal: the status of what that has ended
)

// HowEnded returns the exit status that a sandbox gives in words.
func HowEnded(status int) string {
	if status <= signalStatus || status > signalStatus+64 {
		return fmt.Sprintf("exit status %d", status)
	}
	signal := syscall.Signal(status - signalStatus)
	how := fmt.Sprintf("exit status %d (signal: %v)", status, signal)
	switch signal {
	case syscall.SIGKILL:
		return how + ", as what takes too much memory is ended"
	case fileSizeSignal:
		return how + ", since a file became too large"
	}
	return how
}

// NotStarted returns why the program of a command did not start in a sandbox, if so. status and output are what the
// sandbox returned.
func (c Command) NotStarted(status int, output string) error {
	_, reason, ok := strings.Cut(output, ": execvp ")
	if status != cannotRun || !ok {
		return nil
	}
	program := wording.Cut(c.Args[0], 200)
	if strings.Contains(reason, "Permission denied") {
		return &wording.Failure{Message: program + " is not executable", Code: "not_executable", Field: "command",
			Hint: "name its interpreter, as in sh " + program + ", or send a line for sh that makes it executable first"}
	}
	return &wording.Failure{Message: "there is no program " + program + " in the sandbox", Code: "no_program",
		Field: "command",
		Hint:  "send one that is installed, a path from the folder on such as ./build.sh, or go on without it"}
}

// Key names exactly this command in this folder, for a permission of a kind.
func Key(kind, folder string, command []string) string {
	hash := sha256.New()
	for _, part := range append([]string{folder}, command...) {
		fmt.Fprintf(hash, "%d:%s", len(part), part)
	}
	return fmt.Sprintf("%s: %x", kind, hash.Sum(nil))
}

// Line returns a command as people write it. Characters that are special in a shell are quoted.
func Line(command []string) string {
	words := make([]string, len(command))
	for i, word := range command {
		if words[i] = word; word == "" || strings.ContainsAny(word, " \t\n\"'\\$`|&;<>()*?[]#~!{}") {
			words[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}
