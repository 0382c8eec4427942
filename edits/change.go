package edits

import (
	"bytes"
	"slices"

	"ploke-lsp/internal/syntax"
)

// Op is what a change does to its file.
type Op string

// The operations.
const (
	OpEdit   Op = "edit"
	OpCreate Op = "create"
	OpRename Op = "rename"
	OpDelete Op = "delete"
)

// Hunk is one edit of a file, the smallest unit that can be accepted. Creating or deleting a
// file is one edit of its complete text. Renaming a file is a hunk of its own that changes no
// text.
type Hunk struct {
	ID                 string
	Edit               Edit
	Renames            bool `json:",omitempty"`
	StartLine, EndLine int  // lines of the base text, 1-based, inclusive
	State              State
	// id of the latest plan to change the hunk's text in its file; "" if there was none
	Plan string `json:",omitempty"`
}

// Change is what a proposal does to one file, as edits of one base text. After a part of it was
// accepted, the remaining hunks become a Change of their own, made against the accepted text. A
// file that is renamed and edited is one Change: the edits refer to the text under the old
// name, and the first hunk is the rename.
type Change struct {
	Op          Op
	Path        string           // canonical
	To          string           // canonical; the new path, for OpRename
	BaseHash    string           // hash of the text that the hunks edit; for OpCreate, the hash of an empty text
	BaseVersion *int32           // document version, if an editor had the file open
	Charset     string           `json:",omitempty"` // of the file, as in workspace.Encoding
	Link        bool             `json:",omitempty"` // the file is a symbolic link; its text is where it leads
	Hunks       []Hunk           // sorted by offset, not overlapping
	Problems    []syntax.Problem // syntax errors that the base text does not have, with places in the new text
	// unix milliseconds: when the person last changed it before accepting it, since it was last staged
	EditedAt int64       `json:",omitempty"`
	Deleted  *Attributes `json:",omitempty"` // attributes of a file that an OpDelete removed
	Split    *Split      `json:",omitempty"` // set if other hunks were left when this was applied
	// folders that were created for the file when it was last applied or undone; canonical, outermost first
	CreatedDirs []string `json:"Made,omitempty"`
}

// Split says what an applied change was while the hunks that were left still waited next to it. The hunks that were
// left are edits of what these edits make of the text.
type Split struct {
	BaseHash string // hash of the text
	Edits    []Edit
}

// target is the file's path after the change; "" if the file is deleted.
func (c *Change) target() string {
	switch c.Op {
	case OpRename:
		return c.To
	case OpDelete:
		return ""
	}
	return c.Path
}

// part returns a copy of c that has only the given hunks of it.
func (c *Change) part(hunks []Hunk) *Change {
	p := *c
	p.Hunks = hunks
	if c.Op == OpRename && !hunks[0].Renames {
		p.Op, p.To = OpEdit, ""
	}
	return &p
}

// textual returns the hunks that change text.
func textual(hunks []Hunk) []Hunk {
	if len(hunks) > 0 && hunks[0].Renames {
		return hunks[1:]
	}
	return hunks
}

// Waits reports whether the change is undecided.
func (c *Change) Waits() bool {
	return slices.ContainsFunc(c.Hunks, func(h Hunk) bool { return h.State == Staged })
}

func (c *Change) pending() bool {
	for i := range c.Hunks {
		if c.Hunks[i].State.open() {
			return true
		}
	}
	return false
}

// texts returns the hashes of the texts that deciding on c needs.
func (c *Change) texts() []string {
	if c.Split == nil {
		return []string{c.BaseHash}
	}
	return []string{c.BaseHash, c.Split.BaseHash}
}

func (c *Change) hunk(id string) *Hunk {
	for i := range c.Hunks {
		if c.Hunks[i].ID == id {
			return &c.Hunks[i]
		}
	}
	return nil
}

// setState sets the state of c's hunks with these ids.
func (c *Change) setState(ids []string, state State) {
	for _, id := range ids {
		c.hunk(id).State = state
	}
}

// clone returns a copy that shares nothing with c that is modified.
func (c *Change) clone() *Change {
	d := *c
	d.Hunks = slices.Clone(c.Hunks)
	return &d
}

func editsOf(hunks []Hunk) []Edit {
	es := make([]Edit, len(hunks))
	for i, h := range hunks {
		es[i] = h.Edit
	}
	return es
}

// newHunk returns a staged hunk with a new id.
func newHunk(e Edit) Hunk {
	return Hunk{ID: newID(), Edit: e, State: Staged}
}

// setLines sets the hunks' lines. base is the text that the hunks edit.
func setLines(base []byte, hunks []Hunk) {
	line, at := 1, 0
	for i := range hunks {
		h := &hunks[i]
		line += bytes.Count(base[at:h.Edit.Start], []byte("\n"))
		at = h.Edit.Start
		h.StartLine = line
		h.EndLine = line + bytes.Count(base[at:max(at, h.Edit.End-1)], []byte("\n"))
	}
}
