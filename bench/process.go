package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"time"
)

// usage is what a process took.
type usage struct {
	wall time.Duration // from its start to its end
	cpu  time.Duration // user and system, with the processes that it waited for
	peak int64         // bytes: the largest resident set of any of these
}

// measure runs a command to its end. On Linux a child's peak counts from its parent's,
// so what takes less memory than this process is measured too high.
func measure(cmd *exec.Cmd) (usage, error) {
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	started := time.Now()
	if err := cmd.Run(); err != nil {
		return usage{}, fmt.Errorf("%s: %w: %s", cmd, err, bytes.TrimSpace(complaint.Bytes()))
	}
	wall, state := time.Since(started), cmd.ProcessState
	return usage{
		wall: wall,
		cpu:  state.UserTime() + state.SystemTime(),
		peak: state.SysUsage().(*syscall.Rusage).Maxrss << 10,
	}, nil
}

// processorTime is what this process has used so far, user and system.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // it can only be called wrongly
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// typical is the median of each figure, and the largest peak.
func typical(all []usage) usage {
	var walls, cpus []time.Duration
	var peak int64
	for _, u := range all {
		walls, cpus, peak = append(walls, u.wall), append(cpus, u.cpu), max(peak, u.peak)
	}
	return usage{wall: percentile(walls, 50), cpu: percentile(cpus, 50), peak: peak}
}

// percentile is the smallest value that p of 100 values don't exceed. There must be one.
func percentile[T cmp.Ordered](values []T, p int) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[max(0, (len(sorted)*p+99)/100-1)]
}

// workerCommand is the hidden command that runs a worker.
const workerCommand = "worker"

// worker is a piece of the benchmark that runs in a process of its own: this program
// again, with the request as JSON on standard input and the answer on standard output.
type worker func(ctx context.Context, request []byte) (answer any, err error)

var workers = map[string]worker{
	"survey":    work(surveyTree),
	"parse":     work(parseAll),
	"stat":      work(statAll),
	"open":      work(openIndex),
	"edit":      work(editInProcess),
	"questions": work(makeQuestions),
	"ask":       work(askQuestions),
	"context":   work(timeContexts),
	"turns":     work(runTurns),
}

func work[In, Out any](do func(context.Context, In) (Out, error)) worker {
	return func(ctx context.Context, data []byte) (any, error) {
		var request In
		if err := json.Unmarshal(data, &request); err != nil {
			return nil, err
		}
		return do(ctx, request)
	}
}

// serveWorker is the worker's side.
func serveWorker(ctx context.Context, name string, in io.Reader, out, log io.Writer) int {
	answer, err := func() (any, error) {
		request, err := io.ReadAll(in)
		if err != nil {
			return nil, err
		}
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

// delegate has a worker do its piece.
func delegate[Out any](ctx context.Context, name string, request any) (answer Out, u usage, err error) {
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
