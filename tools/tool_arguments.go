package tools

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"

	"ploke-lsp/tools/arguments"
	"ploke-lsp/tools/placing"
	"ploke-lsp/tools/textsearch"
	"ploke-lsp/tools/wording"
)

// choices are the types of arguments and contents that have a fixed list of values.
var choices = arguments.Choices{
	reflect.TypeFor[placing.Mode](): arguments.OneOf(placing.ModeCanonical, placing.ModeSplice, placing.ModeReplace,
		placing.ModeRename),
	reflect.TypeFor[placing.At](): arguments.OneOf(placing.AtReplace, placing.AtBefore, placing.AtAfter, placing.AtFirst,
		placing.AtLast, placing.AtDelete),
	reflect.TypeFor[direction]():  arguments.OneOf(callers, callees, references, implementers, occurrences, containers),
	reflect.TypeFor[lookupView](): arguments.OneOf(viewSignature, viewOutline, viewFull),
}

// WritesSecrets reports whether the tool may write secrets to files.
func (t *Tool) WritesSecrets() bool {
	return slices.ContainsFunc(t.Restored, func(a arguments.Restored) bool { return a.Written })
}

// Canonical returns the arguments of a call in the form that all calls have that mean the same.
// Without a schema they are returned as they are.
func (t *Tool) Canonical(raw json.RawMessage) json.RawMessage {
	if t.schema == nil {
		return raw
	}
	return t.schema().Canonical(raw)
}

// CorrectArguments returns arguments with slips corrected, under the tool's own names.
func (t *Tool) CorrectArguments(raw json.RawMessage) (json.RawMessage, error) {
	return t.schema().Correct(raw)
}

// RestoreArguments calls restore with the JSON of each argument that gets secrets for placeholders, and returns
// the arguments with the results.
func (t *Tool) RestoreArguments(raw json.RawMessage, restore arguments.Restore) (json.RawMessage, error) {
	if len(t.Restored) == 0 {
		return raw, nil
	}
	return t.schema().Restore(raw, t.Restored, restore)
}

// amount returns a limit that a model may choose: given, at most most, or usual if it is left out,
// which 0 stands for.
func amount(field string, given, usual, most int) (int, error) {
	switch {
	case given < 0:
		return 0, wording.BadValue(field, fmt.Sprintf("%s is %d", field, given), "send a positive number, or leave it out")
	case given == 0:
		return usual, nil
	}
	return min(given, most), nil
}

// grepArgs are arguments that the search tools of other agents, and grep itself, have.
type grepArgs struct {
	Path          []string `json:"path,omitempty" secrets:"named"` // folders or files
	Type          string   `json:"type,omitempty"`                 // a language, or the ending of its files
	OutputMode    string   `json:"output_mode,omitempty"`
	IgnoreCase    bool     `json:"ignore_case,omitempty"`
	CaseSensitive *bool    `json:"case_sensitive,omitempty"`
	IsRegexp      *bool    `json:"is_regexp,omitempty"`
	FixedStrings  bool     `json:"fixed_strings,omitempty"`
	WholeWord     bool     `json:"whole_word,omitempty"`
	Before        int      `json:"before,omitempty"`
	After         int      `json:"after,omitempty"`
	LineNumbers   bool     `json:"line_numbers,omitempty"` // lines always have them
	Multiline     bool     `json:"multiline,omitempty"`    // an empty result says that a match is in one line
}

// regexp returns the pattern that the arguments ask for.
func (a searchTextArgs) regexp() string {
	pattern := a.Pattern
	if a.FixedStrings || a.IsRegexp != nil && !*a.IsRegexp {
		pattern = regexp.QuoteMeta(pattern)
	}
	if a.WholeWord {
		pattern = `\b(?:` + pattern + `)\b`
	}
	if a.IgnoreCase || a.CaseSensitive != nil && !*a.CaseSensitive {
		pattern = "(?i)" + pattern
	}
	return pattern
}

// onlyFiles reports whether the names of files are enough.
func (a searchTextArgs) onlyFiles() bool {
	return a.FilesOnly || a.OutputMode == "files_with_matches" || a.OutputMode == "count"
}

// selection returns which files the arguments ask for.
func (a searchTextArgs) selection() textsearch.Selection {
	return textsearch.Selection{Include: a.Include, Exclude: a.Exclude, Name: a.Name, Below: a.Path, Type: a.Type}
}
