package main

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
)

// burnTime is the processor time that the worker "burn" uses up.
const burnTime = 400 * time.Millisecond

func init() {
	workers["burn"] = typedWorker(func(_ context.Context, until time.Duration) (time.Duration, error) {
		for ownCPUTime() < until {
		}
		return ownCPUTime(), nil
	})
}

// TestMeasureCPU checks that the processor time is the child's own: a child that computes has at
// least the time that it used, and one that sleeps has neither its wall time nor what an earlier
// child used.
func TestMeasureCPU(t *testing.T) {
	_, busy, err := runWorker[time.Duration](t.Context(), "burn", burnTime)
	if err != nil {
		t.Fatal(err)
	}
	if busy.cpu < burnTime || busy.cpu > busy.wall*time.Duration(runtime.NumCPU()) {
		t.Errorf("a child that used at least %v of processor time is measured with %+v", burnTime, busy)
	}
	idle := measureCommand(t, "sleep", "0.5")
	if idle.wall < 500*time.Millisecond || idle.cpu > burnTime/2 {
		t.Errorf("a child that slept for 500ms is measured with %+v", idle)
	}
}

// TestMeasurePeak checks that the peak is that of the child and in bytes: neither this process's
// nor that of an earlier child.
func TestMeasurePeak(t *testing.T) {
	inherited := measureCommand(t, "true").peak // a child begins with the peak of this process
	size := max(192<<20, 2*inherited)
	if large := measureCommand(t, "dd", "if=/dev/zero", "of=/dev/null", fmt.Sprint("bs=", size), "count=1"); large.peak < size ||
		large.peak > size*4/3 {
		t.Errorf("a child with a buffer of %d bytes has a peak of %d", size, large.peak)
	}
	if small := measureCommand(t, "true"); small.peak > size*3/4 {
		t.Errorf("a small child after a large one has a peak of %d bytes", small.peak)
	}
}

// TestMeasureFailure checks that the error has what the process wrote to its standard error.
func TestMeasureFailure(t *testing.T) {
	_, err := measure(exec.CommandContext(t.Context(), "sh", "-c", "echo why >&2; exit 3"))
	if err == nil || !strings.Contains(err.Error(), "exit status 3: why") {
		t.Errorf("got %v, want the exit status and standard error", err)
	}
}

func measureCommand(t *testing.T, name string, args ...string) usage {
	t.Helper()
	u, err := measure(exec.CommandContext(t.Context(), name, args...))
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestPercentile(t *testing.T) {
	var hundred []int
	for i := range 100 {
		hundred = append(hundred, 100-i)
	}
	for _, test := range []struct {
		values []int
		p      int
		want   int
	}{
		{hundred, 50, 50}, {hundred, 95, 95}, {hundred, 100, 100}, {[]int{3}, 95, 3}, {[]int{9, 1, 5}, 50, 5},
	} {
		if got := percentile(test.values, test.p); got != test.want {
			t.Errorf("percentile %d of %d values: %d, want %d", test.p, len(test.values), got, test.want)
		}
	}
}
