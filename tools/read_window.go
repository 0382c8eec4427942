package tools

import "cmp"

// windowArgs are the lines of a file as the tools of other agents name them.
type windowArgs struct {
	Offset    int   `json:"offset,omitempty"`
	Limit     int   `json:"limit,omitempty"`
	ViewRange []int `json:"view_range,omitempty"` // first and last line; -1 is the last one of the file
}

// lines returns the lines that are asked for, in any of the ways: first the tool's own, last those behind the file's name.
func (a readFileArgs) lines(named lineSpan) (first, last int) {
	switch {
	case a.StartLine == 0 && a.EndLine == 0:
		span := cmp.Or(a.window(), named)
		return span.first, span.last
	case a.StartLine > 0 && a.EndLine == 0 && a.Limit > 0:
		return a.StartLine, a.StartLine + a.Limit - 1
	}
	return a.StartLine, a.EndLine
}

// window returns the lines that are asked for. Some agents count the first line of an offset from 0, others from 1: the
// lines of both are taken, which are numbered.
func (a windowArgs) window() lineSpan {
	switch {
	case len(a.ViewRange) > 0:
		span := lineSpan{first: max(a.ViewRange[0], 0)}
		if len(a.ViewRange) > 1 {
			span.last = max(a.ViewRange[1], 0)
		}
		return span
	case a.Limit > 0:
		return lineSpan{max(a.Offset, 1), max(a.Offset, 0) + a.Limit}
	}
	return lineSpan{first: max(a.Offset, 0)}
}
