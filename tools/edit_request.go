package tools

import "slices"

// editMode is the form of an edit.
type editMode string

const (
	canonical editMode = "canonical"
	splice    editMode = "splice"
	replace   editMode = "replace"
	renaming  editMode = "rename"
)

// editPlace says where a canonical edit puts its code, relative to the symbol.
type editPlace string

const (
	placeReplace editPlace = "replace"
	placeBefore  editPlace = "before"
	placeAfter   editPlace = "after"
	placeFirst   editPlace = "first"
	placeLast    editPlace = "last"
	placeDelete  editPlace = "delete"
)

// editRequest is one edit as a model asks for it, in one of four forms. Each form has its own fields.
type editRequest struct {
	Mode             editMode
	File             string
	Canon            string
	Kind             string
	At               editPlace
	Code             string
	ExpectedHash     string
	StartByte        *int
	EndByte          *int
	ExpectedFileHash string
	Replacement      *string
	Old              string
	New              *string
	ReplaceAll       bool
	Count            int
	IsRegexp         bool
	Line             int
	NewName          string
}

// form returns the edit's mode, or the one whose fields the edit has if it is missing or has none
// of its own. It is "" if that does not tell.
func (e *editRequest) form() editMode {
	has := map[editMode]bool{
		canonical: e.NewName == "" && e.Canon != "" || e.Code != "" || e.At != "",
		splice:    e.StartByte != nil || e.EndByte != nil,
		replace:   e.Old != "" || e.New != nil,
		renaming:  e.NewName != "",
	}
	fits := slices.DeleteFunc([]editMode{canonical, splice, replace, renaming}, func(mode editMode) bool { return !has[mode] })
	if len(fits) != 1 || has[e.Mode] {
		return e.Mode
	}
	return fits[0]
}
