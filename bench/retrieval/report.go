package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// print writes the figures of a set as tables.
func (s summary) print(out io.Writer) {
	fmt.Fprintf(out, "\n%s: %d cases, in percent, with 95 %% intervals\n", s.Set, s.Cases)
	s.printFigures(out, func(v viewSummary) []figure { return v.Figures }, "%.1f [%.1f, %.1f]")
	s.Views[0].printGroups(out)
	if s.Views[0].Losses != nil {
		var headline []string
		for _, m := range s.Views[0].Groups[0].Means {
			headline = append(headline, m.Name)
		}
		fmt.Fprintf(out, "\n%s: change of the mean of %s without a channel\n", s.Set, strings.Join(headline, ", "))
		s.printFigures(out, func(v viewSummary) []figure { return v.Losses }, "%+.1f [%+.1f, %+.1f]")
	}
}

// printFigures writes a line for each figure, with a column for each view.
func (s summary) printFigures(out io.Writer, of func(viewSummary) []figure, format string) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, v := range s.Views {
		fmt.Fprintf(table, "\t%s", v.View)
	}
	for i, f := range of(s.Views[0]) {
		fmt.Fprintf(table, "\n%s", f.Name)
		for _, v := range s.Views {
			f := of(v)[i]
			fmt.Fprintf(table, "\t"+format, f.Mean, f.Low, f.High)
		}
	}
	fmt.Fprintln(table)
	table.Flush()
}

// printGroups writes a line for each group, with the published figures of others.
func (v viewSummary) printGroups(out io.Writer) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	all := v.Groups[0]
	systems := slices.Sorted(maps.Keys(all.Published))
	fmt.Fprintf(table, "\n%s\tcases", v.View)
	for _, m := range all.Means {
		fmt.Fprintf(table, "\t%s", m.Name)
	}
	for _, name := range systems {
		fmt.Fprintf(table, "\t%s", name)
	}
	for _, g := range v.Groups {
		fmt.Fprintf(table, "\n%s\t%d", g.Name, g.Cases)
		for _, m := range g.Means {
			fmt.Fprintf(table, "\t%.1f", m.Mean)
		}
		for _, name := range systems {
			cell := "" // of a category, nothing is published
			if mean, ok := g.Published[name]; ok {
				cell = fmt.Sprintf("%.1f", mean)
			}
			fmt.Fprintf(table, "\t%s", cell)
		}
	}
	fmt.Fprintln(table)
	table.Flush()
}
