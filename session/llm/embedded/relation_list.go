package embedded

import (
	"fmt"
	"strings"

	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// list lists places, and counts those beyond the first items by file.
func (how relationOf) list(f results.Folders, edges []results.Edge, omitted int) string {
	items := how.items(f, edges)
	var b strings.Builder
	listed := len(items)
	if listed > listedEdges {
		listed = firstEdges
	}
	for _, item := range items[:listed] {
		b.WriteString(item.Text)
		if item.Times > 1 {
			fmt.Fprintf(&b, " (%d times)", item.Times)
		}
		b.WriteString("\n")
	}
	if more := items[listed:]; len(more) > 0 {
		b.WriteString("\nThe others, by file:\n\n" + f.CountItems(more))
	}
	if omitted > 0 {
		fmt.Fprintf(&b, "- and %d more\n", omitted)
	}
	return b.String() + "\n"
}

// items returns the places by symbol and file, in their order.
func (how relationOf) items(f results.Folders, edges []results.Edge) (items []*results.EdgeItem) {
	byKey := map[string]*results.EdgeItem{}
	for _, e := range edges {
		name, at := e.Subject(), e.Location()
		if how.outward {
			name = e.Object()
		}
		key := name + "\x00" + at.File
		if item := byKey[key]; item != nil {
			item.Times++
			continue
		}
		item := &results.EdgeItem{File: at.File, Text: fmt.Sprintf("- %s — %s:%d", results.Code(lexicon.Shown(name)),
			f.Rel(at.File), at.Line), Times: 1}
		if e.Target == nil && !how.outward && len(e.Text) < results.LongestLine {
			item.Text += ": " + results.Code(strings.TrimSpace(e.Text))
		}
		if e.Through != "" {
			item.Text += ", through " + results.Code(e.Through)
		}
		byKey[key], items = item, append(items, item)
	}
	return items
}
