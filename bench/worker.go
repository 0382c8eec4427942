package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"

	"ploke-lsp/internal/collector"
)

// workerCommand is the hidden subcommand that runs a worker.
const workerCommand = "worker"

// worker is a part of the benchmark that runs in a process of its own: this program again, with the
// request as JSON on standard input and the answer on standard output.
type worker func(ctx context.Context, request []byte) (answer any, err error)

var workers = map[string]worker{
	"survey":  typedWorker(surveyTree),
	"parse":   typedWorker(parseAll),
	"stat":    typedWorker(statAll),
	"open":    typedWorker(openIndex),
	"edit":    typedWorker(editInProcess),
	"queries": typedWorker(makeQuerySet),
	"search":  typedWorker(timeQueries),
	"context": typedWorker(timeContexts),
	"turns":   typedWorker(runTurns),
	"growth":  typedWorker(growConversation),
	"nearest": typedWorker(timeNearest),
	"relay":   typedWorker(relay),
	"gather":  typedWorker(gather),
	"rates":   typedWorker(timeParsers),
}

func typedWorker[In, Out any](do func(context.Context, In) (Out, error)) worker {
	return func(ctx context.Context, data []byte) (any, error) {
		var request In
		if err := json.Unmarshal(data, &request); err != nil {
			return nil, err
		}
		return do(ctx, request)
	}
}

// serveWorker runs a worker in its process and returns the exit status.
func serveWorker(ctx context.Context, name string, in io.Reader, out, log io.Writer) int {
	answer, err := func() (any, error) {
		request, err := io.ReadAll(in)
		if err != nil {
			return nil, err
		}
		collector.KeepLeast() // as the server does; the floors have it, too
		do, ok := workers[name]
		if !ok {
			return nil, fmt.Errorf("there is no worker %q", name)
		}
		return do(ctx, request)
	}()
	if err == nil {
		err = json.NewEncoder(out).Encode(answer)
	}
	if err != nil {
		fmt.Fprintln(log, err)
		return 1
	}
	return 0
}

// runWorker runs a worker in a new process and returns its answer and its cost.
func runWorker[Out any](ctx context.Context, name string, request any) (answer Out, u usage, err error) {
	self, err := os.Executable()
	if err != nil {
		return answer, usage{}, err
	}
	data, err := json.Marshal(request)
	if err != nil {
		return answer, usage{}, err
	}
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, self, workerCommand, name)
	cmd.Stdin, cmd.Stdout = bytes.NewReader(data), &out
	if u, err = measure(cmd); err != nil {
		return answer, usage{}, err
	}
	return answer, u, json.Unmarshal(out.Bytes(), &answer)
}
