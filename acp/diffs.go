package acp

import (
	"fmt"
	"strings"

	"ploke-lsp/acp/protocol"
	"ploke-lsp/edits"
	"ploke-lsp/internal/display"
)

const (
	// maxDiffBytes is how much text the diffs of a proposal have. Some clients hang on large ones.
	maxDiffBytes = 96 << 10
	// wholeFileBytes is how much text a file may have, before and after, to be shown as a whole, so that a
	// client can number the lines. Of a larger one, the changed lines are shown.
	wholeFileBytes = 32 << 10
	// contextLines is how many lines are shown around those that change.
	contextLines = 3
)

// diffs returns the changes of a proposal as content of a call.
func diffs(views []edits.FileView) []protocol.ToolCallContent {
	content, omitted := boundedDiffs(views)
	if omitted > 0 {
		content = append(content,
			protocol.TextContent(fmt.Sprintf("%d more changes are too large to be shown here; \"ploke-lsp proposals\" shows "+
				"them all", omitted)))
	}
	return content
}

// boundedDiffs returns the changes that can be shown, and how many can't.
func boundedDiffs(views []edits.FileView) (content []protocol.ToolCallContent, omitted int) {
	left := maxDiffBytes
	for i := range views {
		for _, d := range fileDiffs(&views[i]) {
			size := 0
			if d.NewText != nil {
				size += len(*d.NewText)
			}
			if d.OldText != nil {
				size += len(*d.OldText)
			}
			if size > left {
				omitted++
				continue
			}
			left -= size
			content = append(content, d)
		}
	}
	return content, omitted
}

// fileDiffs returns the changes of one file.
func fileDiffs(v *edits.FileView) (content []protocol.ToolCallContent) {
	path, before, after := v.Path, v.Before, v.After
	switch v.Op {
	case edits.OpRename:
		content = append(content,
			protocol.TextContent(fmt.Sprintf("%s is renamed to %s", display.ProseName(v.Rel), display.ProseName(v.RelTo))))
		path = v.To
	case edits.OpDelete:
		content = append(content, protocol.TextContent(display.ProseName(v.Rel)+" is deleted"))
	case edits.OpCreate:
		return append(content, protocol.ToolCallContent{Type: "diff", Path: path, NewText: &after})
	}
	if before == after {
		return content
	}
	if len(before)+len(after) <= wholeFileBytes {
		return append(content, protocol.ToolCallContent{Type: "diff", Path: path, OldText: &before, NewText: &after})
	}
	for _, e := range excerpts(v) {
		content = append(content, protocol.ToolCallContent{Type: "diff", Path: path, OldText: &e.before, NewText: &e.after})
	}
	return content
}

// An excerpt is some lines of a file, and what becomes of them.
type excerpt struct {
	before, after string
	end           int // offset in the whole text before
}

// excerpts returns the lines that a view changes, with those around them.
func excerpts(v *edits.FileView) (list []excerpt) {
	for _, h := range v.Hunks {
		if h.Renames {
			continue
		}
		start, end := linesAround(v.Before, h.Edit.Start, h.Edit.End)
		n := len(list)
		if n == 0 || start > list[n-1].end {
			list = append(list, excerpt{end: start})
			n++
		}
		e := &list[n-1]
		at := h.Edit.Start
		if at < e.end { // the lines behind the last change were added as they are
			cut := e.end - at
			e.before, e.after = e.before[:len(e.before)-cut], e.after[:len(e.after)-cut]
			e.end = at
		}
		between := v.Before[e.end:at]
		e.before += between + v.Before[at:end]
		e.after += between + h.Edit.New + v.Before[h.Edit.End:end]
		e.end = end
	}
	return list
}

// linesAround returns the offsets of the lines of a range, and of contextLines on each side.
func linesAround(text string, start, end int) (from, to int) {
	from, to = start, end
	for range contextLines + 1 {
		if from = strings.LastIndexByte(text[:from], '\n'); from < 0 {
			from = 0
			break
		}
	}
	if from > 0 {
		from++
	}
	for range contextLines + 1 {
		i := strings.IndexByte(text[to:], '\n')
		if i < 0 {
			to = len(text)
			break
		}
		to += i + 1
	}
	return from, to
}
