package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"

	"ploke-lsp/internal/process"
	"ploke-lsp/tools/wording"
)

const (
	checkTimeout = 10 * time.Minute // default time limit of a command
	longestCheck = 24 * time.Hour   // maximum time limit of a command
	// pipeGrace is how long a leftover process may keep the output open.
	pipeGrace = time.Second
)

// runner runs a command until it and all the processes that it started have ended, or ctx has. The
// command gets no standard input. how says how it ended: "exit status 1".
type runner func(ctx context.Context, args, env []string, output io.Writer) (how string, passed bool, err error)

// run runs the command until it ends or reaches its time limit. At most about outputBytes bytes of its output are
// shown.
func (c command) run(ctx context.Context, env Env, do runner, outputBytes int) (ran, error) {
	limit := cmp.Or(c.timeout, checkTimeout)
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	output := &output{limit: scannedBytes, live: env.Output}
	began := time.Now()
	variables := append(process.Environment(c.dir, c.env), "NO_COLOR=1", "TERM=dumb")
	how, passed, err := do(limited, c.args, variables, output)
	if ctx.Err() != nil {
		return ran{}, ctx.Err()
	}
	if errors.Is(limited.Err(), context.DeadlineExceeded) && !passed {
		how, err = fmt.Sprintf("stopped after %v, its time limit", limit), nil
	}
	if err != nil {
		return ran{}, err
	}
	end := ran{title: c.title, passed: passed, how: how, took: time.Since(began)}
	end.output, end.omitted, end.secrets = output.text(outputBytes)
	return end, nil
}

// runOutside runs a command in its folder. What it writes is written.
func (d Deps) runOutside(ctx context.Context, env Env, c command) (ran, error) {
	proposed, err := d.sources(env).Touched(ctx)
	if err != nil {
		return ran{}, err
	}
	end, err := c.run(ctx, env, runIn(c.dir), d.budget(env).bytes(checkBytes))
	end.note = "it ran on the saved files" + d.without(proposed)
	return end, err
}

// runIn returns what runs a command in a folder.
func runIn(dir string) runner {
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

// without says which files have proposed changes, if any, that a command did not see.
func (d Deps) without(proposed []string) string {
	if len(proposed) == 0 {
		return ""
	}
	names := d.Workspace.Rel(proposed[0])
	if more := len(proposed) - 1; more > 0 {
		names += " and " + wording.Plural(more, "more file")
	}
	return ", without what is proposed for " + names
}
