package main

import (
	_ "embed"
	"strings"
	"text/template"
)

//go:embed plot.svg
var plotText string

// The sizes in the plot, in pixels.
const (
	plotLine  = 18  // the height of a figure
	plotTop   = 30  // above the first one
	plotLeft  = 420 // where the bars begin
	plotWidth = 240 // of a bar that just meets its target
	plotMax   = 2.0 // the largest share that is drawn
)

// plotted is a figure in the plot.
type plotted struct {
	Label         string
	Middle        int // of its line, from the top
	Median, Worst int // from the left
	Missed        bool
}

// targetsPlot draws, as SVG, the figures that have targets as shares of these.
func targetsPlot(all []*result) string {
	plot := struct {
		Left, Target, Width, Height int
		Figures                     []plotted
	}{Left: plotLeft, Target: plotLeft + plotWidth, Width: plotLeft + plotMax*plotWidth + 20}
	place := func(share float64) int { return plotLeft + int(min(share, plotMax)*plotWidth) }
	for _, r := range all {
		if median, worst := r.share(); worst > 0 {
			middle := plotTop + len(plot.Figures)*plotLine + plotLine/2
			plot.Figures = append(plot.Figures, plotted{r.Tree + ": " + r.Name, middle, place(median), place(worst),
				r.misses > 0})
		}
	}
	plot.Height = plotTop + len(plot.Figures)*plotLine + plotLine
	var out strings.Builder
	drawing := template.Must(template.New("plot").Funcs(template.FuncMap{
		"minus": func(a, b int) int { return a - b },
		"plus":  func(a, b int) int { return a + b },
	}).Parse(plotText))
	if err := drawing.Execute(&out, plot); err != nil {
		panic(err) // the template is part of the program
	}
	return out.String()
}
