package terminal

import (
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// maxRows bounds the rows of a table, which is held back until it has ended.
const maxRows = 500

var tableRule = lazyregexp.New(`^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|?)+[ \t]*$`)

// A cell is a piece of a table's row.
type cell []Span

func (c cell) width() (columns int) {
	for _, s := range c {
		columns += Width(s.Text)
	}
	return columns
}

// showTable shows the table that is held back, if there is one.
func (m *Markdown) showTable() {
	rows := m.table
	m.table = nil
	if len(rows) == 0 {
		return
	}
	isTable := len(rows) > 1 && tableRule.MatchString(rows[1])
	var cells [][]cell
	for i, row := range rows {
		base := Span{}
		if i == 0 && isTable {
			base.Style = Bold
		}
		if i != 1 || !isTable {
			cells = append(cells, splitRow(row, base))
		}
	}
	widths := columnWidths(cells)
	for i, row := range cells {
		m.showRow(row, widths)
		if i == 0 && isTable {
			m.showTableRule(widths)
		}
	}
	m.blank = false
}

// splitRow splits a row at its bars, but not at those that are escaped or in code.
func splitRow(row string, base Span) (cells []cell) {
	row = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(row), "|"), "|")
	start := 0
	add := func(end int) { cells = append(cells, inlines(strings.TrimSpace(row[start:end]), base)) }
	for i := 0; i < len(row); i++ {
		switch row[i] {
		case '\\':
			i++
		case '`':
			_, n := codeSpan(row[i:], Span{}, true)
			i += n - 1
		case '|':
			add(i)
			start = i + 1
		}
	}
	add(len(row))
	return cells
}

func columnWidths(rows [][]cell) (widths []int) {
	for _, row := range rows {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], c.width())
		}
	}
	return widths
}

// showRow shows a row with its cells below those of the others. One that is wider than the terminal is broken as text.
func (m *Markdown) showRow(row []cell, widths []int) {
	total := 3 * (len(widths) - 1)
	for _, w := range widths {
		total += w
	}
	aligned := m.Columns == 0 || total <= m.Columns
	m.lines.begin(nil, []Span{{Text: "  "}})
	for i, c := range row {
		if i > 0 {
			m.lines.write(Span{Text: " "})
			m.lines.write(Span{Text: "│ ", Style: Dim})
		}
		for _, s := range c {
			m.lines.write(s)
		}
		if aligned && i < len(row)-1 {
			m.lines.endWord()
			m.lines.raw(Span{Text: strings.Repeat(" ", widths[i]-c.width())})
		}
	}
	m.lines.end()
}

func (m *Markdown) showTableRule(widths []int) {
	var parts []string
	total := 0
	for _, w := range widths {
		parts = append(parts, strings.Repeat("─", w))
		total += w + 3
	}
	rule := strings.Join(parts, "─┼─")
	if m.Columns > 0 && total-3 > m.Columns {
		rule = strings.Repeat("─", m.Columns)
	}
	m.lines.raw(Span{Text: rule, Style: Dim})
	m.lines.end()
}
