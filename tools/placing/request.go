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

// Request is one edit as a model asks for it, in one of four forms. Each form has its own fields. They are
// named in JSON as a model writes them.
type Request struct {
	Mode Mode   `json:"mode,omitempty"`
	File string `json:"file"`
	SymbolRequest
	SpliceRequest
	TextRequest
	NewName string `json:"new_name,omitempty"`
}

// SymbolRequest puts code in place of a symbol, or next to it. To rename one only names it.
type SymbolRequest struct {
	Canon        string `json:"canon,omitempty" jsonschema:"as in Server::Run"`
	Kind         string `json:"kind,omitempty"`
	At           At     `json:"at,omitempty"`
	Code         string `json:"code,omitempty"`
	ExpectedHash string `json:"expected_hash,omitempty"`
}

// SpliceRequest replaces bytes of a file with a hash.
type SpliceRequest struct {
	StartByte        *int    `json:"start_byte,omitempty"`
	EndByte          *int    `json:"end_byte,omitempty" jsonschema:"exclusive"`
	ExpectedFileHash string  `json:"expected_file_hash,omitempty"`
	Replacement      *string `json:"replacement,omitempty"`
}

// TextRequest replaces a text.
type TextRequest struct {
	Old        string  `json:"old,omitempty"`
	New        *string `json:"new,omitempty"`
	ReplaceAll bool    `json:"replace_all,omitempty"`
	Count      int     `json:"count,omitempty"`
	IsRegexp   bool    `json:"is_regexp,omitempty"`
	Line       int     `json:"line,omitempty"`
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
