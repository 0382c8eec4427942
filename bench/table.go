package main

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// figure is one row of the table. Less is better.
type figure struct {
	Part    string  `json:"part"` // of the benchmark
	Tree    string  `json:"tree"`
	Name    string  `json:"name"`
	Value   float64 `json:"value"`
	Unit    string  `json:"unit,omitzero"`
	Against string  `json:"against,omitzero"` // the floor or the peer
	Floor   float64 `json:"floor,omitzero"`   // the value of Against, in the same unit
	Ratio   float64 `json:"ratio,omitzero"`   // Value divided by Floor
	// The target: a maximum of the value, or of the ratio.
	ValueLimit *float64 `json:"value_limit,omitzero"`
	RatioLimit *float64 `json:"ratio_limit,omitzero"`
	Missed     bool     `json:"missed"`
	Note       string   `json:"note,omitzero"`
	Error      string   `json:"error,omitzero"` // why the measurement failed
}

// key tells a figure from all others.
func (f figure) key() string { return strings.Join([]string{f.Tree, f.Name, f.Against}, "\n") }

// vs sets the floor or the peer that the figure is compared with.
func (f figure) vs(name string, floor float64) figure {
	f.Against, f.Floor = name, floor
	return f
}

// atMost sets a maximum for the value, in its unit.
func (f figure) atMost(limit float64) figure {
	f.ValueLimit = &limit
	return f
}

// timesAtMost sets a maximum for the ratio.
func (f figure) timesAtMost(limit float64) figure {
	f.RatioLimit = &limit
	return f
}

func (f figure) note(format string, args ...any) figure {
	f.Note = fmt.Sprintf(format, args...)
	return f
}

func seconds(tree, name string, d time.Duration) figure {
	return figure{Tree: tree, Name: name, Value: d.Seconds(), Unit: "s"}
}

func millis(tree, name string, d time.Duration) figure {
	return figure{Tree: tree, Name: name, Value: inMillis(d), Unit: "ms"}
}

func megabytes(tree, name string, bytes int64) figure {
	return figure{Tree: tree, Name: name, Value: inMB(bytes), Unit: "MB"}
}

func inMillis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// inMB returns bytes in units of 1,000,000.
func inMB(bytes int64) float64 { return float64(bytes) / 1e6 }

// table has all figures, in the order in which they were measured.
type table struct {
	part    string // that is measured
	figures []figure
	trees   []treeReport
	stolen  float64 // see measurement
}

// treeReport describes a tree.
type treeReport struct {
	Name     string `json:"name"`
	Dir      string `json:"-"` // it says nothing on another machine
	Files    int    `json:"files"`
	Parsed   int    `json:"parsed"`
	Bytes    int64  `json:"bytes"`
	Language string `json:"language"`
}

func (t *table) add(figures ...figure) {
	for _, f := range figures {
		if f.Floor != 0 {
			f.Ratio = f.Value / f.Floor
		}
		f.Missed = f.Error != "" ||
			f.ValueLimit != nil && f.Value > *f.ValueLimit ||
			f.RatioLimit != nil && f.Ratio > *f.RatioLimit
		f.Part = t.part
		t.figures = append(t.figures, f)
	}
}

// missed returns the figures whose targets are missed.
func (t *table) missed() (all []figure) {
	for _, f := range t.figures {
		if f.Missed {
			all = append(all, f)
		}
	}
	return all
}

// print writes the table with the changes against what was measured before, and the number of
// missed targets.
func (t *table) print(out io.Writer, before func(figure) (value float64, commit string)) error {
	var text strings.Builder
	for _, r := range t.trees {
		fmt.Fprintf(&text, "%s: %s, %d files of which %d are parsed, mostly %s, %.1f MB\n",
			r.Name, r.Dir, r.Files, r.Parsed, r.Language, inMB(r.Bytes))
	}
	text.WriteByte('\n')
	rows := [][]string{
		{"tree", "figure", "measured", "change", "floor or peer", "ratio", "target", "", "note"},
	}
	for _, f := range t.figures {
		value, commit := before(f)
		rows = append(rows, f.row(f.change(value, commit)))
	}
	writeRows(&text, rows)
	fmt.Fprintf(&text, "\n%d figures, %d targets missed\n", len(t.figures), len(t.missed()))
	if t.stolen >= 0.005 {
		fmt.Fprintf(&text, "the host of this machine gave %.0f %% of its processor time to others: times in ms and s are "+
			"too long\n", 100*t.stolen)
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// change says how the value differs from that of an earlier commit, such as "-12 % of 16026fd".
func (f figure) change(before float64, commit string) string {
	if before == 0 {
		return ""
	}
	return fmt.Sprintf("%+.0f %% of %.7s", 100*(f.Value/before-1), commit)
}

func (f figure) row(change string) []string {
	if f.Error != "" {
		return []string{f.Tree, f.Name, "", "", "", "", "", "MISSED", "failed: " + strings.ReplaceAll(f.Error, "\n", "; ")}
	}
	against, ratio, verdict := "", "", ""
	if f.Against != "" {
		against = f.Against + " " + quantity(f.Floor, f.Unit)
	}
	if f.Ratio != 0 {
		ratio = fmt.Sprintf("%.2f", f.Ratio)
	}
	switch target := f.target(); {
	case f.Missed:
		verdict = "MISSED"
	case target != "":
		verdict = "ok"
	}
	return []string{f.Tree, f.Name, quantity(f.Value, f.Unit), change, against, ratio, f.target(), verdict, f.Note}
}

// target says what the figure is to be, or "".
func (f figure) target() string {
	switch {
	case f.ValueLimit != nil:
		return "<= " + strings.TrimSpace(fmt.Sprintf("%g %s", *f.ValueLimit, f.Unit))
	case f.RatioLimit != nil:
		return fmt.Sprintf("<= %g x", *f.RatioLimit)
	}
	return ""
}

// quantity formats a value with about three digits.
func quantity(v float64, unit string) string {
	digits := 2
	switch {
	case v == float64(int64(v)):
		digits = 0
	case v >= 100:
		digits = 0
	case v >= 10:
		digits = 1
	case v < 1:
		digits = 3
	}
	return strings.TrimSpace(fmt.Sprintf("%.*f %s", digits, v, unit))
}

// writeRows writes a Markdown table with aligned columns. The first row is the header.
func writeRows(out *strings.Builder, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row[:len(row)-1] {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for i, row := range rows {
		for column, cell := range row {
			fmt.Fprintf(out, "| %-*s ", widths[column], cell)
		}
		out.WriteString("|\n")
		if i == 0 {
			for _, width := range widths {
				out.WriteString("|" + strings.Repeat("-", width+2))
			}
			out.WriteString("|\n")
		}
	}
}
