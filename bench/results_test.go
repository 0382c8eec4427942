package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// measured returns a measurement of one figure, a number of minutes after another one.
func measured(minute int, value float64) measurement {
	t := table{part: "cold"}
	t.add(seconds("src", "cold index, wall", time.Duration(value*float64(time.Second))).vs("parse alone", 10).timesAtMost(1.5))
	m := t.measurement()
	m.Time = time.Date(2026, 1, 2, 3, minute, 0, 0, time.UTC)
	return m
}

func TestResultsAreKeptByCommit(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "results")
	for _, run := range []struct {
		commit string
		m      measurement
	}{
		{"bbbbbbbbbbbb", measured(1, 30)}, {"aaaaaaaaaaaa", measured(2, 20)}, {"aaaaaaaaaaaa", measured(3, 14)},
		{"aaaaaaaaaaaa", measured(4, 15)}, {"cccccccccccc" + modified, measured(5, 1)},
	} {
		all, err := readResults(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := all.keep(dir, run.commit, run.m); err != nil {
			t.Fatal(err)
		}
	}
	all, err := readResults(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 2 || all[0].Commit != "bbbbbbbbbbbb" || all[1].Commit != "aaaaaaaaaaaa" || len(all[1].Runs) != 3 {
		t.Fatalf("read %d commits: %+v", len(all), all)
	}
	f := all[1].Runs[0].Figures[0]
	for commit, want := range map[string]float64{"cccccccccccc": 15, "aaaaaaaaaaaa": 30} {
		if got, _ := all.before(commit, f); got != want {
			t.Errorf("before %s there was %v, want %v", commit, got, want)
		}
	}
	if got, at := all.before("cccccccccccc", figure{Tree: "src", Name: "new"}); got != 0 || at != "" {
		t.Errorf("a new figure was %v at %q", got, at)
	}
}

func TestADamagedResultIsNamed(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "aaaaaaaaaaaa.json")
	if err := os.WriteFile(path, []byte(`{"commit"`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := readResults(dir); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("reading it: %v", err)
	}
}

func TestPage(t *testing.T) {
	dir := t.TempDir()
	page := filepath.Join(dir, "speed.md")
	if err := os.WriteFile(page, []byte("Before.\n"+pageBegin+"old\n"+pageEnd+"After.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for minute, value := range []float64{20, 14, 13} {
		all, err := readResults(dir)
		if err != nil {
			t.Fatal(err)
		}
		m := measured(minute, value)
		m.Stolen = float64(minute) / 100
		if err := all.keep(dir, "aaaaaaaaaaaa", m); err != nil {
			t.Fatal(err)
		}
	}
	var log bytes.Buffer
	if code := run(t.Context(), []string{"-results", dir, "-page", page}, nil, &log, &log); code != 0 {
		t.Fatalf("exit status %d: %s", code, &log)
	}
	got := strings.Split(read(t, page), "\n")
	for _, want := range []string{
		"Before.", "### cold", "After.",
		"3 runs of commit aaaaaaa on " + runtime.GOOS + "/" + runtime.GOARCH + " with " + strconv.Itoa(runtime.NumCPU()) + " cores, whose host " +
			"gave up to 2 % of their time to others.",
		"| src  | cold index, wall | 14 s   | 20 s  | parse alone   | 1.40  | 2.00  | ≤ 1.5 x | **missed** in 1 of 3 |",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("no line %q in\n%s", want, strings.Join(got, "\n"))
		}
	}
	plot := read(t, filepath.Join(dir, "speed.svg"))
	if want := `<rect class="missed" x="420" y="34" width="223" height="10"/>`; !strings.Contains(plot, want) {
		t.Errorf("no %s in\n%s", want, plot)
	}
}

// TestLatest compares a figure with something else from the second commit on, and with two peers in the last.
func TestLatest(t *testing.T) {
	run := func(minute int, against ...string) measurement {
		m := measured(minute, 20)
		other := m.Figures[0]
		m.Figures = nil
		for _, name := range against {
			m.Figures = append(m.Figures, other.vs(name, 10))
		}
		return m
	}
	all := results{
		{Commit: "a", Runs: []measurement{run(1, ""), run(2, "")}},
		{Commit: "b", Runs: []measurement{run(3, "parse alone")}},
		{Commit: "c", Runs: []measurement{run(4, "ctags"), run(5, "ctags", "cindex")}},
	}
	for commits, want := range []string{"", " a/2", "parse alone b/1", "ctags c/2, cindex c/1"} {
		var got []string
		for _, r := range all[:commits].latest() {
			got = append(got, fmt.Sprintf("%s %s/%d", r.Against, r.commit, len(r.values)))
		}
		if got := strings.Join(got, ", "); got != want {
			t.Errorf("after %d commits: %s; want %s", commits, got, want)
		}
	}
}

func TestAPageWithoutAPlaceForFiguresStays(t *testing.T) {
	page := filepath.Join(t.TempDir(), "speed.md")
	if err := os.WriteFile(page, []byte("Before.\n"+pageBegin+"the end is missing\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	b := &bench{results: t.TempDir(), page: page}
	if err := b.updatePage(); err == nil || !strings.Contains(err.Error(), "no place") {
		t.Errorf("updating it: %v", err)
	}
	if got := read(t, page); !strings.HasSuffix(got, "the end is missing\n") {
		t.Errorf("it is %q now", got)
	}
}

// TestThePageIsUpToDate fails if make performance was not run after the last change of the results.
func TestThePageIsUpToDate(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"performance.md", "performance.svg"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(read(t, filepath.Join("..", "docs", name))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := (&bench{results: "results", page: filepath.Join(dir, "performance.md")}).updatePage(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"performance.md", "performance.svg"} {
		if read(t, filepath.Join(dir, name)) != read(t, filepath.Join("..", "docs", name)) {
			t.Errorf("docs/%s is not what make performance writes", name)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
