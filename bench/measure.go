package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"time"
)

// usage is the cost of a finished process.
type usage struct {
	wall time.Duration // from its start to its end
	cpu  time.Duration // user and system time, with the children that it waited for
	peak int64         // bytes: the largest resident set of any of these processes
}

// measure runs a command to its end. It returns the usage with an *exec.ExitError, too. On Linux the
// peak of a child starts at that of its parent, so the figure is too high for a command that needs
// less memory than this process.
func measure(cmd *exec.Cmd) (usage, error) {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	started := time.Now()
	failed := cmd.Run()
	wall, state := time.Since(started), cmd.ProcessState
	if failed != nil {
		failed = fmt.Errorf("%s: %w: %s", cmd, failed, bytes.TrimSpace(stderr.Bytes()))
	}
	if state == nil {
		return usage{}, failed // it was not started
	}
	peak, err := peakOf(state)
	return usage{wall: wall, cpu: state.UserTime() + state.SystemTime(), peak: peak}, errors.Join(failed, err)
}

// summarize returns the median of the times, and the largest peak.
func summarize(all []usage) usage {
	var walls, cpus []time.Duration
	var peak int64
	for _, u := range all {
		walls, cpus, peak = append(walls, u.wall), append(cpus, u.cpu), max(peak, u.peak)
	}
	return usage{wall: percentile(walls, 50), cpu: percentile(cpus, 50), peak: peak}
}

// percentile returns the smallest value that at least p percent of the values don't exceed. values
// must not be empty.
func percentile[T cmp.Ordered](values []T, p int) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[max(0, (len(sorted)*p+99)/100-1)]
}
