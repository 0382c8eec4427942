package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The lines of a page between which the figures are.
const (
	pageBegin = "<!-- From here on, make performance writes the figures. -->\n"
	pageEnd   = "<!-- Until here. -->\n"
)

// A result is what the runs of the last commit that has measured a figure say of it.
type result struct {
	figure // of the last run
	commit string
	system string
	cpus   int
	values []float64
	ratios []float64 // empty without a floor
	misses int       // runs that missed the target
	stolen float64   // the largest of the runs, see measurement
}

// updatePage brings the figures on a page up to date, and the plot next to it.
func (b *bench) updatePage() error {
	all, err := readResults(b.results)
	if err != nil {
		return err
	}
	page, err := os.ReadFile(b.page)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(page), pageBegin)
	_, after, ok2 := strings.Cut(rest, pageEnd)
	if !ok || !ok2 {
		return fmt.Errorf("%s has no place for the figures: it needs the lines %q and %q", b.page, pageBegin, pageEnd)
	}
	latest := all.latest()
	plot := strings.TrimSuffix(b.page, filepath.Ext(b.page)) + ".svg"
	text := before + pageBegin + pageText(latest, filepath.Base(plot)) + pageEnd + after
	return errors.Join(os.WriteFile(b.page, []byte(text), 0o644), os.WriteFile(plot, []byte(targetsPlot(latest)), 0o644))
}

// latest returns the results of all figures that have not failed, in the order of the parts, trees and
// figures of the last run that has them. A figure that a later commit compares with something else is
// out of date.
func (r results) latest() (all []*result) {
	at := map[string]*result{}
	type subject struct{ part, tree, name string }
	measuredBy := map[subject]string{} // the last commit
	for _, c := range r {
		for _, run := range c.Runs {
			for _, f := range run.Figures {
				if f.Error == "" {
					all = noteRun(all, at, c.Commit, run, f)
					measuredBy[subject{f.Part, f.Tree, f.Name}] = c.Commit
				}
			}
		}
	}
	all = slices.DeleteFunc(all, func(r *result) bool { return r.commit != measuredBy[subject{r.Part, r.Tree, r.Name}] })
	slices.SortStableFunc(all, func(a, b *result) int { return cmp.Compare(partIndex(a.Part), partIndex(b.Part)) })
	return all
}

// noteRun adds a figure of a run to its result, or begins a new one for a new figure or commit.
func noteRun(all []*result, at map[string]*result, commit string, run measurement, f figure) []*result {
	now := at[f.key()]
	if now == nil {
		now = new(result)
		at[f.key()] = now
		all = append(all, now)
	}
	if now.commit != commit {
		*now = result{commit: commit}
	}
	now.figure, now.system, now.cpus = f, run.System, run.CPUs
	now.values, now.stolen = append(now.values, f.Value), max(now.stolen, run.Stolen)
	if f.Ratio != 0 {
		now.ratios = append(now.ratios, f.Ratio)
	}
	if f.Missed {
		now.misses++
	}
	return all
}

func partIndex(name string) int {
	return slices.IndexFunc(parts, func(p benchmarkPart) bool { return p.name == name })
}

// pageText returns the tables of the results, one for each part.
func pageText(all []*result, plot string) string {
	var out strings.Builder
	if slices.ContainsFunc(all, (*result).hasTarget) {
		fmt.Fprintf(&out, "\n![Each figure with a target, as a share of it](%s)\n", plot)
	}
	for len(all) > 0 {
		first := all[0]
		end := slices.IndexFunc(all, func(r *result) bool { return r.Part != first.Part })
		if end < 0 {
			end = len(all)
		}
		fmt.Fprintf(&out, "\n### %s\n\n%s\n\n", first.Part, measuredAt(all[:end]))
		rows := [][]string{{"tree", "figure", "median", "worst", "floor or peer", "ratio", "worst", "target", ""}}
		for _, r := range all[:end] {
			rows = append(rows, r.row())
		}
		writeRows(&out, rows)
		all = all[end:]
	}
	out.WriteString("\n")
	return out.String()
}

// measuredAt says where the figures of a part come from.
func measuredAt(all []*result) string {
	var sources []string
	for _, r := range all {
		runs := "1 run"
		if n := len(r.values); n > 1 {
			runs = fmt.Sprint(n, " runs")
		}
		source := fmt.Sprintf("%s of commit %.7s on %s with %d cores", runs, r.commit, r.system, r.cpus)
		if r.stolen >= 0.005 {
			source += fmt.Sprintf(", whose host gave up to %.0f %% of their time to others", 100*r.stolen)
		}
		if !slices.Contains(sources, source) {
			sources = append(sources, source)
		}
	}
	return strings.Join(sources, ", ") + "."
}

func (r *result) hasTarget() bool { return r.target() != "" }

func (r *result) row() []string {
	against, ratio, worst := "", "", ""
	if len(r.ratios) > 0 {
		against = r.Against
		ratio, worst = fmt.Sprintf("%.2f", percentile(r.ratios, 50)), fmt.Sprintf("%.2f", slices.Max(r.ratios))
	}
	return []string{
		r.Tree, r.Name, quantity(percentile(r.values, 50), r.Unit), quantity(slices.Max(r.values), r.Unit),
		against, ratio, worst, strings.Replace(r.target(), "<=", "≤", 1), r.verdict(),
	}
}

// verdict says whether the target was met.
func (r *result) verdict() string {
	switch {
	case !r.hasTarget():
		return ""
	case r.misses == 0:
		return "met"
	case r.misses == len(r.values):
		return "**missed**"
	}
	return fmt.Sprintf("**missed** in %d of %d", r.misses, len(r.values))
}

// share returns the median and the worst of the measured figures as shares of the target. Both are 0 for a target
// of 0.
func (r *result) share() (median, worst float64) {
	values, limit := r.values, r.ValueLimit
	if limit == nil {
		values, limit = r.ratios, r.RatioLimit
	}
	if limit == nil || *limit == 0 || len(values) == 0 {
		return 0, 0
	}
	return percentile(values, 50) / *limit, slices.Max(values) / *limit
}
