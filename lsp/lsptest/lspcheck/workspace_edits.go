package lspcheck

import (
	"maps"
	"slices"
)

// checkApplyEdit checks an edit that the client shall apply.
func (s *Session) checkApplyEdit(m *message) { s.checkWorkspaceEdit(field(m.params, "edit"), 0) }

// An editCheck follows the changes of one workspace edit, which a client applies in their order.
type editCheck struct {
	*Session
	edit    any
	since   int             // only texts since then can be meant, if no version is named
	touched map[string]bool // documents whose text is another one after earlier changes
}

// checkWorkspaceEdit checks an edit that was made for texts since a time.
func (s *Session) checkWorkspaceEdit(edit any, since int) {
	c := &editCheck{Session: s, edit: edit, since: since, touched: map[string]bool{}}
	// Neovim before 0.11 applies document changes and declares only resource operations, which
	// can't be sent otherwise.
	if has(edit, "documentChanges") && !s.client.declares("workspace.workspaceEdit.resourceOperations") {
		s.needs(true, "documentChanges", "workspace.workspaceEdit.documentChanges")
	}
	s.needs(has(edit, "changeAnnotations"), "changeAnnotations", "workspace.workspaceEdit.changeAnnotationSupport")
	changes, _ := field(edit, "changes").(object)
	for _, uri := range slices.Sorted(maps.Keys(changes)) {
		c.checkTextEdits(uri, s.textsSince(uri, since), list(changes[uri]))
	}
	for _, change := range list(edit, "documentChanges") {
		c.checkChange(change)
	}
}

func (c *editCheck) checkChange(change any) {
	c.checkAnnotation(change)
	kind, isOperation := field(change, "kind").(string)
	if !isOperation {
		c.checkTextDocumentEdit(change)
		return
	}
	if !c.client.includes("workspace.workspaceEdit.resourceOperations", kind) {
		c.undeclared("the operation "+kind, "workspace.workspaceEdit.resourceOperations")
	}
	for _, name := range []string{"uri", "oldUri", "newUri"} {
		c.touched[text(change, name)] = true
	}
}

func (c *editCheck) checkTextDocumentEdit(change any) {
	uri := text(change, "textDocument", "uri")
	texts := c.textsSince(uri, c.since)
	if n, ok := field(change, "textDocument", "version").(float64); ok {
		known := false
		if texts, known = c.textsOf(uri, int(n)); !known {
			c.violated(RuleVersion, "the client has never sent version %v of %s", n, uri)
		}
	}
	edits := list(change, "edits")
	for _, e := range edits {
		c.checkAnnotation(e)
	}
	c.checkTextEdits(uri, texts, edits)
}

// compareStarts says which of two ranges begins first.
func compareStarts(a, b any) int {
	switch from, to := field(a, "start"), field(b, "start"); {
	case isBefore(from, to):
		return -1
	case isBefore(to, from):
		return 1
	}
	return 0
}

// checkTextEdits checks edits of one text.
func (c *editCheck) checkTextEdits(uri string, texts []*snapshot, edits []any) {
	var ranges []any
	for _, e := range edits {
		c.needs(has(e, "snippet"), "a snippet", "workspace.workspaceEdit.snippetEditSupport")
		ranges = append(ranges, field(e, "range"))
	}
	if !c.touched[uri] {
		c.checkRanges(uri, texts, ranges...)
	}
	c.touched[uri] = true
	slices.SortStableFunc(ranges, compareStarts)
	for i := 1; i < len(ranges); i++ {
		if isBefore(field(ranges[i], "start"), field(ranges[i-1], "end")) {
			c.violated(RuleOverlap, "in %s, the edit at %s overlaps the one at %s", uri, key(ranges[i]), key(ranges[i-1]))
		}
	}
}

// checkAnnotation checks that the annotation of a change is there.
func (c *editCheck) checkAnnotation(change any) {
	if id, ok := field(change, "annotationId").(string); ok && field(c.edit, "changeAnnotations", id) == nil {
		c.violated(RuleAnnotation, "a change names the annotation %q, which the edit does not have", id)
	}
}
