package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A measurement is one run of the benchmark, or of a part of it.
type measurement struct {
	Time    time.Time    `json:"time"`
	System  string       `json:"system"`
	CPUs    int          `json:"cpus"`
	Stolen  float64      `json:"stolen,omitzero"` // the share of the processor time that the host gave to others
	Trees   []treeReport `json:"trees"`
	Missed  int          `json:"missed"` // targets
	Figures []figure     `json:"figures"`
}

func (t *table) measurement() measurement {
	return measurement{
		time.Now().UTC().Truncate(time.Second), runtime.GOOS + "/" + runtime.GOARCH, runtime.NumCPU(),
		t.stolen, t.trees, len(t.missed()), t.figures,
	}
}

// A commitResult has all measurements of a commit, from the oldest to the newest. Its file has the
// name of the commit.
type commitResult struct {
	Commit string        `json:"commit"`
	Runs   []measurement `json:"runs"`
}

// results are those of several commits, from the oldest to the newest by their last measurements.
type results []*commitResult

// readResults reads the files of a folder. One that does not exist has none.
func readResults(dir string) (all results, err error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		one := new(commitResult)
		if err := json.Unmarshal(data, one); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if len(one.Runs) > 0 {
			all = append(all, one)
		}
	}
	slices.SortFunc(all, func(a, b *commitResult) int {
		return a.Runs[len(a.Runs)-1].Time.Compare(b.Runs[len(b.Runs)-1].Time)
	})
	return all, nil
}

// modified ends the name of a commit with changes that are not committed.
const modified = "-modified"

// keep adds a measurement to the file of its commit. Code that is not committed can't be measured
// again, so that nothing of it is kept.
func (r results) keep(dir, commit string, m measurement) error {
	if strings.HasSuffix(commit, modified) {
		return nil
	}
	at := slices.IndexFunc(r, func(c *commitResult) bool { return c.Commit == commit })
	all := &commitResult{Commit: commit}
	if at >= 0 {
		all = r[at]
	}
	all.Runs = append(all.Runs, m)
	data, err := all.lines()
	if err != nil {
		return err
	}
	return errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, commit+".json"), data, 0o644))
}

// lines returns the JSON with a line for each figure, so that a change of one shows as such.
func (c *commitResult) lines() ([]byte, error) {
	var compact, out bytes.Buffer
	if err := json.NewEncoder(&compact).Encode(c); err != nil {
		return nil, err
	}
	for line := range bytes.SplitAfterSeq(compact.Bytes(), []byte(`{"part"`)) {
		if rest, ok := bytes.CutSuffix(line, []byte(`{"part"`)); ok {
			out.Write(rest)
			out.WriteString("\n" + `{"part"`)
			continue
		}
		out.Write(line)
	}
	return out.Bytes(), nil
}

// values returns what a commit's measurements say of a figure.
func (c *commitResult) values(f figure) (values []float64) {
	for _, run := range c.Runs {
		for _, other := range run.Figures {
			if other.key() == f.key() && other.Error == "" {
				values = append(values, other.Value)
			}
		}
	}
	return values
}

// before returns the median of a figure at the last commit that has measured it, other than this
// one, and the name of that.
func (r results) before(commit string, f figure) (median float64, at string) {
	for _, c := range slices.Backward(r) {
		if values := c.values(f); c.Commit != commit && len(values) > 0 {
			return percentile(values, 50), c.Commit
		}
	}
	return 0, ""
}
