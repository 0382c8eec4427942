package placing

import "slices"

// Mode is the form of an edit.
type Mode string

const (
	ModeCanonical Mode = "canonical"
	ModeSplice    Mode = "splice"
	ModeReplace   Mode = "replace"
	ModeRename    Mode = "rename"
)

// At says where a canonical edit puts its code, relative to the symbol.
type At string

const (
	AtReplace At = "replace"
	AtBefore  At = "before"
	AtAfter   At = "after"
	AtFirst   At = "first"
	AtLast    At = "last"
	AtDelete  At = "delete"
)

// Request is one edit as a model asks for it, in one of four forms. Each form has its own fields.
type Request struct {
	Mode             Mode
	File             string
	Canon            string
	Kind             string
	At               At
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

// Form returns the edit's mode, or the one whose fields the edit has if it is missing or has none
// of its own. It is "" if that does not tell.
func (e *Request) Form() Mode {
	has := map[Mode]bool{
		ModeCanonical: e.NewName == "" && e.Canon != "" || e.Code != "" || e.At != "",
		ModeSplice:    e.StartByte != nil || e.EndByte != nil,
		ModeReplace:   e.Old != "" || e.New != nil,
		ModeRename:    e.NewName != "",
	}
	fits := slices.DeleteFunc([]Mode{ModeCanonical, ModeSplice, ModeReplace, ModeRename},
		func(mode Mode) bool { return !has[mode] })
	if len(fits) != 1 || has[e.Mode] {
		return e.Mode
	}
	return fits[0]
}
