package embedded

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/session/llm/embedded/lexicon"
)

// edgeItem is the places of one symbol in a file, which are one item of a list.
type edgeItem struct {
	file, text string
	times      int
}

// list lists places, and counts those beyond the first items by file.
func (how relationOf) list(f folders, edges []edge, omitted int) string {
	items := how.items(f, edges)
	var b strings.Builder
	listed := len(items)
	if listed > listedEdges {
		listed = firstEdges
	}
	for _, item := range items[:listed] {
		b.WriteString(item.text)
		if item.times > 1 {
			fmt.Fprintf(&b, " (%d times)", item.times)
		}
		b.WriteString("\n")
	}
	if more := items[listed:]; len(more) > 0 {
		b.WriteString("\nThe others, by file:\n\n" + f.countItems(more))
	}
	if omitted > 0 {
		fmt.Fprintf(&b, "- and %d more\n", omitted)
	}
	return b.String() + "\n"
}

// items returns the places by symbol and file, in their order.
func (how relationOf) items(f folders, edges []edge) (items []*edgeItem) {
	byKey := map[string]*edgeItem{}
	for _, e := range edges {
		name, at := e.subject(), e.location()
		if how.outward {
			name = e.object()
		}
		key := name + "\x00" + at.File
		if item := byKey[key]; item != nil {
			item.times++
			continue
		}
		item := &edgeItem{at.File, fmt.Sprintf("- %s — %s:%d", code(lexicon.Shown(name)), f.rel(at.File), at.Line), 1}
		if e.Target == nil && !how.outward && len(e.Text) < longestLine {
			item.text += ": " + code(strings.TrimSpace(e.Text))
		}
		byKey[key], items = item, append(items, item)
	}
	return items
}

// countItems counts places by file, the files with most of them first.
func (f folders) countItems(items []*edgeItem) string {
	var files []counted
	for _, item := range items {
		i := slices.IndexFunc(files, func(c counted) bool { return c.File == item.file })
		if i < 0 {
			i, files = len(files), append(files, counted{File: item.file})
		}
		files[i].Lines += item.times
	}
	slices.SortStableFunc(files, func(a, b counted) int { return cmp.Compare(b.Lines, a.Lines) })
	return f.countsByFile(files, len(files))
}
