package chat

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"ploke-lsp/index"
	"ploke-lsp/index/traits"
)

// maxNear is how many files are near: those that a person has open, has edited, and talks about.
const maxNear = 20

// nearFiles are the files that a message is likely about.
type nearFiles struct {
	paths  []string // absolute: the file with the cursor, other open ones, edited ones, those of the conversation
	folder string   // of the file with the cursor
}

// nearFiles returns a function that finds the files that are near while a message for a conversation is written.
func (t *Turns) nearFiles(conversationID string) func(context.Context) *nearFiles {
	return func(ctx context.Context) *nearFiles {
		near := &nearFiles{}
		editor := t.Editor.EditorState(ctx)
		if editor.Current != "" {
			near.folder = filepath.Dir(editor.Current)
			near.add(editor.Current)
		}
		near.add(editor.Visible...)
		near.add(editor.Open...)
		near.add(editor.Recent...)
		if conversationID != "" {
			files, err := t.Project.Engine.FilesOf(ctx, conversationID)
			if err != nil {
				t.Log.Warn("the files of a conversation are not known", "error", err)
			}
			near.add(files...)
		}
		return near
	}
}

// add adds files, except chat documents.
func (n *nearFiles) add(paths ...string) {
	for _, path := range paths {
		isChat := strings.HasSuffix(path, documentSuffix)
		if !isChat && !slices.Contains(n.paths, path) && len(n.paths) < maxNear {
			n.paths = append(n.paths, path)
		}
	}
}

// rank returns how far away a file is: near ones by their order, those beside the file with the cursor, others.
func (n *nearFiles) rank(path string) int {
	if i := slices.Index(n.paths, path); i >= 0 {
		return i
	}
	if filepath.Dir(path) == n.folder {
		return maxNear
	}
	return maxNear + 1
}

// isFarTest reports whether a symbol is of a test that is not near.
func (n *nearFiles) isFarTest(u *index.Unit) bool {
	return !slices.Contains(n.paths, u.Path) && traits.IsTest(u.Rel)
}
