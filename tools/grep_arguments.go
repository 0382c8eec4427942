package tools

import (
	"regexp"

	"ploke-lsp/tools/textsearch"
)

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
