package tools

import (
	"cmp"
	"fmt"

	"ploke-lsp/tools/current"
	"ploke-lsp/tools/wording"
)

// windowArgs are the lines of a file as the tools of other agents name them.
type windowArgs struct {
	Offset    int   `json:"offset,omitempty"`
	Limit     int   `json:"limit,omitempty"`
	ViewRange []int `json:"view_range,omitempty"` // first and last line; -1 is the last one of the file
}

// lines returns the lines that are asked for, in any of the ways: first the tool's own, last those
// behind the file's name.
func (a windowArgs) lines(own, named current.Lines) (first, last int) {
	switch {
	case own == current.Lines{}:
		span := cmp.Or(a.window(), named)
		return span.First, span.Last
	case own.First > 0 && own.Last == 0 && a.Limit > 0:
		return own.First, own.First + a.Limit - 1
	}
	return own.First, own.Last
}

// lineRange returns the lines from start to end of count lines that a text has; 0 stands for the
// first and the last one. For an empty text it is 1 to 0. what is the text, such as "the file".
func lineRange(what string, start, end, count int) (first, last int, err error) {
	if start < 0 {
		return 0, 0, wording.BadValue("start_line", fmt.Sprintf("start_line is %d", start), "count lines from 1")
	}
	first, last = max(start, 1), count
	if end > 0 {
		last = min(end, count)
	}
	if first > 1 && first > count {
		return 0, 0, wording.BadValue("start_line", fmt.Sprintf("%s has no line %d", what, first),
			fmt.Sprintf("it has %d lines", count))
	}
	if end > 0 && end < first {
		return 0, 0, wording.BadValue("end_line", "end_line is before start_line", "lines are inclusive")
	}
	return first, last, nil
}

// window returns the lines that are asked for. Some agents count the first line of an offset from 0, others from 1: the
// lines of both are taken, which are numbered.
func (a windowArgs) window() current.Lines {
	switch {
	case len(a.ViewRange) > 0:
		span := current.Lines{First: max(a.ViewRange[0], 0)}
		if len(a.ViewRange) > 1 {
			span.Last = max(a.ViewRange[1], 0)
		}
		return span
	case a.Limit > 0:
		return current.Lines{First: max(a.Offset, 1), Last: max(a.Offset, 0) + a.Limit}
	}
	return current.Lines{First: max(a.Offset, 0)}
}
