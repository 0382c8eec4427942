package document

import (
	"fmt"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"

	"ploke-lsp/edits"
	"ploke-lsp/internal/display"
)

// confirms reports whether the client shows the changes of a plan to the person before it applies
// them. One change needs no second look, since the person has just chosen it, and our own clients
// have shown all of them.
func (a *Applier) confirms(plan *edits.Plan) bool {
	if !a.client.ChangeAnnotations || a.client.ShowsProposals() {
		return false
	}
	changes := 0
	for _, file := range plan.Files {
		changes += len(file.Hunks)
	}
	return changes > 1
}

// annotate gives each change of an edit a label and a description, and has the client ask about
// it.
func annotate(edit *protocol.WorkspaceEdit) {
	all := annotations{}
	for _, change := range edit.DocumentChanges {
		switch c := change.(type) {
		case *protocol.CreateFile:
			c.AnnotationID = all.add(filepath.Base(c.URI.FsPath()), "create the file")
		case *protocol.DeleteFile:
			c.AnnotationID = all.add(filepath.Base(c.URI.FsPath()), "delete the file")
		case *protocol.RenameFile:
			c.AnnotationID = all.add(filepath.Base(c.OldURI.FsPath()), "rename the file to "+filepath.Base(c.NewURI.FsPath()))
		case *protocol.TextDocumentEdit:
			for i, element := range c.Edits {
				e := element.(*protocol.TextEdit)
				label := fmt.Sprintf("%s:%d", filepath.Base(c.TextDocument.URI.FsPath()), e.Range.Start.Line+1)
				c.Edits[i] = &protocol.AnnotatedTextEdit{TextEdit: *e, AnnotationID: all.add(label, describeEdit(e))}
			}
		}
	}
	edit.ChangeAnnotations = all
}

// maxDescription is how many characters of a change its description has.
const maxDescription = 120

type annotations map[protocol.ChangeAnnotationIdentifier]protocol.ChangeAnnotation

func (a annotations) add(label, description string) protocol.ChangeAnnotationIdentifier {
	id := protocol.ChangeAnnotationIdentifier(fmt.Sprintf("change %d", len(a)+1))
	yes, text := true, display.Name(description)
	a[id] = protocol.ChangeAnnotation{Label: display.Name(label), NeedsConfirmation: &yes, Description: &text}
	return id
}

func describeEdit(e *protocol.TextEdit) string {
	if text := strings.TrimSpace(e.NewText); text != "" {
		first, _, _ := strings.Cut(text, "\n")
		return display.Clip(first, maxDescription)
	}
	return "remove"
}
