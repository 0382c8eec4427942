package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// hostileGrowth is the largest growth of the cost of four times as much that counts as linear. It would be 16 if the
// cost grew with the square; the rest is for other load on the machine.
const hostileGrowth = 6.0

// hostileRounds is how often each is measured; the shortest time counts, since other load only adds.
const hostileRounds = 3

// A hostileWork is what a client sends to keep the program busy. do returns the time of the processor that n of it
// take.
type hostileWork struct {
	name string
	n    int
	do   func(b *bench, ctx context.Context, n int) (time.Duration, error)
}

var hostileWorks = []hostileWork{
	{"lists around an argument of a command", 1000, (*bench).nestedArguments},
	{"documents closed", 500, (*bench).closedDocuments},
	{"lines that are no messages of ACP", 100_000, (*bench).badLines},
	{"pieces of thoughts", 20_000, hostileAnswer("reasoning_content", "x")},
	{"quotations in an answer", 10_000, hostileAnswer("content", "<code=\"/a.go\" #1:1>\npackage a\n</code>\n")},
	{"ignore patterns", 15_000, ignorePatterns(func(i int) string { return fmt.Sprintf("name-%d.go", i) })},
	{"ignore patterns of brackets", 10_000, ignorePatterns(inBrackets)},
}

// hostile measures what hostile clients, models and files cost, and compares four times as much with it.
func (b *bench) hostile(ctx context.Context, _ *tree) error {
	for _, w := range hostileWorks {
		n := max(1, w.n/b.sampling.hostileShare)
		few, err := b.shortest(ctx, w, n)
		if err != nil {
			return fmt.Errorf("%d %s: %w", n, w.name, err)
		}
		many, err := b.shortest(ctx, w, 4*n)
		if err != nil {
			return fmt.Errorf("%d %s: %w", 4*n, w.name, err)
		}
		b.table.add(millis("hostile", w.name, many).vs("a quarter of it", inMillis(few)).timesAtMost(hostileGrowth).
			note("%d", 4*n))
	}
	return nil
}

func (b *bench) shortest(ctx context.Context, w hostileWork, n int) (time.Duration, error) {
	var all []time.Duration
	for range hostileRounds {
		took, err := w.do(b, ctx, n)
		if err != nil {
			return 0, err
		}
		all = append(all, took)
	}
	return slices.Min(all), nil
}

// badLines has acp read lines until its input ends.
func (b *bench) badLines(ctx context.Context, n int) (time.Duration, error) {
	folder, err := b.oneFileTree("lines")
	if err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, b.bin, "acp", "--state-dir", folder.state)
	cmd.Stdin = strings.NewReader(strings.Repeat("{\"jsonrpc\":\"2.0\",\"id\":\n", n))
	took, err := measure(cmd)
	return took.cpu, err
}

// inBrackets returns a pattern for a number that has nothing but brackets, and matches no file: they have longer names.
func inBrackets(i int) string {
	var pattern strings.Builder
	for _, digit := range fmt.Sprintf("%06d", i) {
		fmt.Fprintf(&pattern, "[!%c]", digit)
	}
	return pattern.String()
}

// ignorePatterns returns work that indexes a folder with a pattern for each number.
func ignorePatterns(pattern func(i int) string) func(*bench, context.Context, int) (time.Duration, error) {
	return func(b *bench, ctx context.Context, n int) (time.Duration, error) {
		t, err := b.generate(ctx, 2*filesInFolder)
		if err != nil {
			return 0, err
		}
		defer os.RemoveAll(t.dir)
		var patterns strings.Builder
		for i := range n {
			patterns.WriteString(pattern(i) + "\n")
		}
		if err := os.WriteFile(filepath.Join(t.dir, ".gitignore"), []byte(patterns.String()), 0o644); err != nil {
			return 0, err
		}
		took, err := b.index(ctx, t)
		return took.cpu, err
	}
}

// hostileAnswer returns work that asks a model that answers with a text n times, each in a piece of its own.
func hostileAnswer(field, text string) func(*bench, context.Context, int) (time.Duration, error) {
	return func(b *bench, ctx context.Context, n int) (took time.Duration, err error) {
		url, stop, err := startModelServer(inPieces(field, text, n))
		if err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, stop()) }()
		folder, err := b.oneFileTree("answer")
		if err != nil {
			return 0, err
		}
		cmd := exec.CommandContext(ctx, b.bin, "ask", "--workspace", folder.dir, "--state-dir", folder.state, "go")
		cmd.Env = append(os.Environ(), "PLOKE_BASE_URL="+url, "PLOKE_MODEL=m", "PLOKE_API_KEY=")
		used, err := measure(cmd)
		return used.cpu, cmp.Or(err, ctx.Err())
	}
}

// inPieces is a model whose answer has n pieces with the text in a field.
func inPieces(field, text string, n int) http.HandlerFunc {
	piece := fmt.Sprintf("data: %s\n\n", fieldChunk(field, text, ""))
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for range n {
			fmt.Fprint(w, piece)
		}
		fmt.Fprintf(w, "data: %s\n\ndata: [DONE]\n\n", fieldChunk("content", "Done.", "stop"))
	}
}
