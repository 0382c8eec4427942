package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// memory measures an idle server after it has indexed the tree, and after it has opened the
// existing index.
func (b *bench) memory(ctx context.Context, t *tree) error {
	if _, err := b.newState(t); err != nil {
		return err
	}
	for _, how := range []string{"having indexed", "opened indexed"} {
		if err := b.addMemoryAtRest(ctx, t, how, memoryTarget); err != nil {
			return err
		}
	}
	return nil
}

// The targets for a server at rest, in megabytes.
const (
	memoryTarget       = 80.0
	copiesMemoryTarget = 200.0 // on copies of the tree
)

// addMemoryAtRest adds the memory of a server on the tree. how says what it has done.
func (b *bench) addMemoryAtRest(ctx context.Context, t *tree, how string, limit float64) error {
	m, err := b.memoryAtRest(ctx, t)
	if err != nil {
		return err
	}
	b.table.add(megabytes(t.name, "serve at rest, "+how, m.anonymous).atMost(limit).
		note("and %.0f MB of pages that are mapped from files", inMB(m.resident-m.anonymous)))
	return nil
}

// resident is the resident memory of a process, in bytes.
type resident struct{ resident, anonymous int64 }

// memoryAtRest returns the memory of a server on the tree once it is stable.
func (b *bench) memoryAtRest(ctx context.Context, t *tree) (resident, error) {
	s, err := b.serve(ctx, t)
	if err != nil {
		return resident{}, err
	}
	m, err := s.waitForStableMemory(ctx, b.sampling.stableFor)
	return m, errors.Join(err, s.shutDown(ctx))
}

const (
	memoryPollInterval = 250 * time.Millisecond
	stableTimeout      = 2 * time.Minute
	memoryNoise        = 1 << 20 // bytes; smaller changes are ignored
)

// waitForStableMemory waits until the resident set has not changed for a while, and returns it.
func (s *server) waitForStableMemory(ctx context.Context, quiet time.Duration) (resident, error) {
	var last resident
	var since time.Time
	for limit := time.Now().Add(stableTimeout); time.Now().Before(limit); {
		now, err := readResident(s.cmd.Process.Pid)
		if err != nil {
			return resident{}, err
		}
		if max(now.resident-last.resident, last.resident-now.resident) > memoryNoise {
			last, since = now, time.Now()
		}
		if time.Since(since) >= quiet {
			return now, nil
		}
		select {
		case <-time.After(memoryPollInterval):
		case <-ctx.Done():
			return resident{}, ctx.Err()
		}
	}
	return resident{}, fmt.Errorf("the server's memory still changes after %v", stableTimeout)
}

func readResident(pid int) (m resident, err error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return m, err
	}
	figures := map[string]*int64{"VmRSS": &m.resident, "RssAnon": &m.anonymous}
	for line := range strings.Lines(string(data)) {
		name, value, _ := strings.Cut(line, ":")
		into, wanted := figures[name]
		if !wanted {
			continue
		}
		kilobytes, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
		if err != nil {
			return m, err
		}
		*into = kilobytes << 10
	}
	return m, nil
}
