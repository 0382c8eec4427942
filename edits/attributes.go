package edits

import (
	"errors"
	"io/fs"

	"ploke-lsp/edits/rooted"
	"ploke-lsp/internal/workspace"
)

// Attributes are the properties of a file other than its text.
type Attributes struct {
	workspace.Encoding
	Mode fs.FileMode // permissions, with the setuid, setgid and sticky bits
	rooted.Extended
}

// restored returns the attributes that a file had before it was deleted; nil for a new file.
func (f *PlannedFile) restored() *rooted.Attributes {
	if f.Mode == nil {
		return nil
	}
	return &rooted.Attributes{Mode: *f.Mode, Extended: f.Extended}
}

// recordAttributes notes the attributes of files that the plan deletes, for a later undo.
func recordAttributes(plan *Plan) error {
	for i := range plan.Files {
		f := &plan.Files[i]
		if f.Op != OpDelete || f.Before == nil || f.Link {
			continue
		}
		a, err := rooted.AttributesAt(f.Path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // the file exists only in the editor
		}
		if err != nil {
			return err
		}
		f.Mode, f.Extended = &a.Mode, a.Extended
	}
	return nil
}
