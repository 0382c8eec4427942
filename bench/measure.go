package main

import (
	"bytes"
	"cmp"
	"fmt"
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
func ownCPUTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // it can only be called wrongly
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// typical is the median of each figure, and the largest peak.
func summarize(all []usage) usage {
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
