package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/process"
	"ploke-lsp/internal/secretscan"
	"ploke-lsp/tools/wording"
)

// pipeGrace is how long a leftover process may keep the output open.
const pipeGrace = time.Second

// checkEnd is the outcome of a check.
type checkEnd struct {
	passed  bool
	how     string
	output  string
	omitted int64    // bytes of output before it
	secrets []string // in the output
	took    time.Duration
}

// runner runs a command until it and all the processes that it started have ended, or ctx has. The
// command gets no standard input. how says how it ended: "exit status 1".
type runner func(ctx context.Context, args, env []string, output io.Writer) (how string, passed bool, err error)

// run runs the command in dir until it ends or reaches its time limit. At most the last outputBytes
// bytes of its output are shown.
func (c Check) run(ctx context.Context, dir string, do runner, outputBytes int) (checkEnd, error) {
	limit := cmp.Or(c.Timeout, checkTimeout)
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	output := &outputTail{limit: scannedBytes}
	began := time.Now()
	env := append(process.Environment(dir, c.Env), "NO_COLOR=1", "TERM=dumb")
	how, passed, err := do(limited, c.Command, env, output)
	if ctx.Err() != nil {
		return checkEnd{}, ctx.Err()
	}
	if errors.Is(limited.Err(), context.DeadlineExceeded) && !passed {
		how, err = fmt.Sprintf("stopped after %v, its time limit", limit), nil
	}
	if err != nil {
		return checkEnd{}, err
	}
	end := checkEnd{passed: passed, how: how, took: time.Since(began)}
	end.output, end.omitted, end.secrets = output.text(outputBytes)
	return end, nil
}

// runIn returns what runs a command in a folder.
func runIn(dir string) runner {
	return func(ctx context.Context, args, env []string, output io.Writer) (how string, passed bool, err error) {
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.WaitDelay, cmd.Env = dir, output, output, pipeGrace, env
		all := &process.Group{Cmd: cmd}
		cmd.Cancel = all.Kill
		if err := all.Start(); err != nil {
			return "", false, &wording.Failure{Message: "the check can't be started: " + err.Error(), Code: "cannot_start",
				Hint: "go on without it, and tell the user that the configured command does not start"}
		}
		defer all.Close()
		err = cmd.Wait()
		_ = all.Kill() // leftover processes, if any
		if err != nil && cmd.ProcessState == nil {
			return "", false, fmt.Errorf("waiting for the check: %w", err)
		}
		return cmd.ProcessState.String(), cmd.ProcessState.Success(), nil
	}
}

// outputTail keeps the end of what is written to it, at least the last limit bytes.
type outputTail struct {
	limit   int
	kept    []byte
	dropped int64
}

func (t *outputTail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	if len(t.kept) > 2*t.limit {
		t.drop(len(t.kept) - t.limit)
	}
	return len(p), nil
}

func (t *outputTail) drop(n int) {
	t.kept = append(t.kept[:0], t.kept[n:]...)
	t.dropped += int64(n)
}

// controls matches the control sequences that move or color text in a terminal.
var controls = lazyregexp.New(`\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\r`)

// text returns the last limit bytes, from the first line start on if there is one, the
// number of bytes before them, and the secrets in all that was kept.
func (t *outputTail) text(limit int) (text string, dropped int64, secrets []string) {
	all := string(t.kept)
	secrets = secretscan.Secrets(printable(all))
	start := max(len(all)-limit, 0)
	if t.dropped > 0 || start > 0 {
		start += 1 + strings.IndexByte(all[start:len(all)-1], '\n')
		start, _ = secretscan.Narrow(all, start, len(all), secrets)
	}
	return printable(all[start:]), t.dropped + int64(start), secrets
}

// printable returns text without invalid bytes and control sequences.
func printable(text string) string {
	return controls.ReplaceAllString(strings.ToValidUTF8(text, "\ufffd"), "")
}
