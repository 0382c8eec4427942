package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"
)

// slowest is how many tests the table lists.
const slowest = 20

// timed is something that took a time.
type timed struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
}

// phase is what one command of "make test" took.
type phase struct {
	Name             string    `json:"name"`
	Began            time.Time `json:"began"`
	Seconds          float64   `json:"seconds"`
	ProcessorSeconds float64   `json:"processorSeconds"` // user and system, of all processes that it has waited for
	Packages         []timed   `json:"packages,omitempty"`
	Tests            []timed   `json:"tests,omitempty"`
}

func (p phase) keep(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "phase-"+p.Name+".json"), data, 0o644)
}

// phases returns what is kept in a folder, in the order in which it began.
func phases(dir string) ([]phase, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "phase-*.json"))
	if err != nil {
		return nil, err
	}
	var all []phase
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		var p phase
		if err := json.Unmarshal(data, &p); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b phase) int { return a.Began.Compare(b.Began) })
	return all, nil
}

// table prints where the time of all phases in a folder went, and writes it to times.json there.
func table(dir string, out io.Writer) error {
	all, err := phases(dir)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return fmt.Errorf("no phase is kept in %s", dir)
	}
	data, err := json.MarshalIndent(all, "", "\t")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "times.json"), append(data, '\n'), 0o644); err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	printPhases(w, all)
	printPackages(w, all)
	printTests(w, all)
	return w.Flush()
}

func printPhases(w io.Writer, all []phase) {
	fmt.Fprint(w, "\nphase\tseconds\tprocessor\n")
	begun, ended, processor := all[0].Began, time.Time{}, 0.0
	for _, p := range all {
		fmt.Fprintf(w, "%s\t%.0f\t%.0f\n", p.Name, p.Seconds, p.ProcessorSeconds)
		if end := p.Began.Add(time.Duration(p.Seconds * float64(time.Second))); end.After(ended) {
			ended = end
		}
		processor += p.ProcessorSeconds
	}
	fmt.Fprintf(w, "all\t%.0f\t%.0f\n", ended.Sub(begun).Seconds(), processor)
}

// printPackages prints a column for each phase that has packages.
func printPackages(w io.Writer, all []phase) {
	all = slices.DeleteFunc(slices.Clone(all), func(p phase) bool { return len(p.Packages) == 0 })
	columns := map[string][]float64{}
	fmt.Fprint(w, "\npackage")
	for i, p := range all {
		fmt.Fprintf(w, "\t%s", p.Name)
		for _, t := range p.Packages {
			if columns[t.Name] == nil {
				columns[t.Name] = make([]float64, len(all))
			}
			columns[t.Name][i] = t.Seconds
		}
	}
	fmt.Fprintln(w)
	sum := func(seconds []float64) (s float64) {
		for _, x := range seconds {
			s += x
		}
		return s
	}
	var names []string
	for name, seconds := range columns {
		if sum(seconds) >= 1 {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(sum(columns[b]), sum(columns[a])) })
	for _, name := range names {
		fmt.Fprint(w, name)
		for _, s := range columns[name] {
			fmt.Fprintf(w, "\t%.1f", s)
		}
		fmt.Fprintln(w)
	}
}

func printTests(w io.Writer, all []phase) {
	type one struct {
		phase string
		timed
	}
	var tests []one
	for _, p := range all {
		for _, t := range p.Tests {
			tests = append(tests, one{p.Name, t})
		}
	}
	slices.SortFunc(tests, func(a, b one) int { return cmp.Compare(b.Seconds, a.Seconds) })
	fmt.Fprint(w, "\nslowest tests\tphase\tseconds\n")
	for _, t := range tests[:min(slowest, len(tests))] {
		fmt.Fprintf(w, "%s\t%s\t%.1f\n", t.Name, t.phase, t.Seconds)
	}
}
