package workspace

import (
	"fmt"
	"strings"
)

// Skip is the reason why a file is skipped. It is "" if the file is not skipped.
type Skip string

// The reasons. Classify returns Binary, Secret and Minified, which depend on the content. Walk
// does not visit Ignored files at all. OutOfStep is for open documents.
const (
	Binary     Skip = "binary"
	TooLarge   Skip = "too_large"
	Minified   Skip = "minified"
	Unreadable Skip = "unreadable"
	Secret     Skip = "secret"
	Symlink    Skip = "symlink"
	Ignored    Skip = "ignored"
	OutOfStep  Skip = "out_of_step"
)

// SkippedError is the error for a file that exists but is skipped.
type SkippedError struct {
	Rel  string
	Skip Skip
	Hint string // details about this file; may be empty
}

var skipMeaning = map[Skip]string{
	Binary:     "it is binary, not text",
	Minified:   "most of it is in very long lines",
	TooLarge:   "it is too large",
	Unreadable: "it can't be read",
	Secret:     "its name or content says that it holds secrets",
	Symlink:    "it is a symbolic link; name the file it leads to",
	Ignored:    "the ignore rules (.gitignore, .ignore, .plokeignore, index.exclude) leave it out",
	OutOfStep:  "it is open in the editor, and its text there is not known; the user can close and reopen it",
}

func (e *SkippedError) Error() string {
	text := fmt.Sprintf("%s is not served: %s", e.Rel, skipMeaning[e.Skip])
	if e.Hint != "" {
		text += " (" + e.Hint + ")"
	}
	return text
}

// isRepositoryData reports whether a folder holds the data of a version control system. It
// ignores case, because some file systems do.
func isRepositoryData(name string) bool {
	return len(name) <= len(".git") &&
		(strings.EqualFold(name, ".git") || strings.EqualFold(name, ".hg") || strings.EqualFold(name, ".svn"))
}
