package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"ploke-lsp/internal/workspace"
)

const (
	// maxPipedBytes is how much text a question takes from standard input, as much as from a file.
	maxPipedBytes = 256 << 10
	// silentInput is how long standard input is read before a line says so.
	silentInput = 2 * time.Second
)

// A question is what ask sends.
type question struct {
	words string // the person's, which may mention files
	piped string // what is appended to them
}

// questionOf returns the question of a command line. Its words are the arguments, or standard input if that is a pipe
// and there are none, or if "-" says so. What is piped in addition to arguments is appended.
func questionOf(ctx context.Context, env environment, args []string) (question, error) {
	words := strings.TrimSpace(strings.Join(args, " "))
	asksInput := words == "" || words == "-"
	if words != "-" && !isPiped(env.stdin) {
		return question{words: words}, nil
	}
	text, err := readInput(ctx, env)
	switch {
	case err != nil:
		return question{}, err
	case asksInput:
		return question{words: strings.TrimSpace(text)}, nil
	case strings.TrimSpace(text) == "":
		if writesToTerminal(env.stderr) {
			fmt.Fprintln(env.stderr, "ploke-lsp: nothing came through the pipe")
		}
		return question{words: words}, nil
	}
	return question{words, "\n\nThis was piped into the command that asks:\n\n" + fenced(text)}, nil
}

// isPiped reports whether standard input is what another program or a file gives: no terminal and no null device.
func isPiped(in io.Reader) bool {
	file, ok := in.(*os.File)
	if !ok {
		return true
	}
	info, err := file.Stat()
	return err == nil && (info.Mode().IsRegular() || info.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0)
}

// readInput reads standard input to its end. The error is for the person.
func readInput(ctx context.Context, env environment) (string, error) {
	var data []byte
	read := make(chan error, 1)
	go func() {
		var err error
		data, err = io.ReadAll(io.LimitReader(env.stdin, maxPipedBytes+1))
		read <- err
	}()
	notice := time.AfterFunc(silentInput, func() {
		fmt.Fprintln(env.stderr,
			"ploke-lsp: waiting for the end of standard input; with </dev/null the question goes without it")
	})
	defer notice.Stop()
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case err := <-read:
		if err != nil {
			return "", fmt.Errorf("standard input can't be read: %w", err)
		}
	}
	if len(data) > maxPipedBytes {
		return "", fmt.Errorf("more than %d KB came through standard input: send the part that matters", maxPipedBytes>>10)
	}
	if workspace.Classify(data) == workspace.Binary {
		return "", errors.New("standard input is binary, and only text is sent to a model")
	}
	return strings.ToValidUTF8(string(data), "\uFFFD"), nil
}

// fenced returns a text as a block of code of Markdown.
func fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "\n" + strings.TrimSuffix(text, "\n") + "\n" + fence
}
