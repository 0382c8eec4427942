package workspace

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Skip is why a file is left out; empty when it isn't.
type Skip string

// The reasons. Binary and Minified are found by Classify in a file's content;
// Ignored files are not even mentioned by Walk.
const (
	Binary     Skip = "binary"
	TooLarge   Skip = "too_large"
	Minified   Skip = "minified"
	Unreadable Skip = "unreadable"
	Secret     Skip = "secret"
	Symlink    Skip = "symlink"
	Ignored    Skip = "ignored"
)

// SkippedError says that a file exists but is left out of the workspace.
type SkippedError struct {
	Rel  string
	Skip Skip
	Hint string // more about this file; may be empty
}

var skipMeaning = map[Skip]string{
	TooLarge:   "it is too large",
	Unreadable: "it can't be read",
	Secret:     "its name says that it holds secrets",
	Symlink:    "it is a symbolic link; name the file it leads to",
	Ignored:    "the ignore rules (.gitignore, .ignore, .plokeignore, index.exclude) leave it out",
}

func (e *SkippedError) Error() string {
	text := fmt.Sprintf("%s is not served: %s", e.Rel, skipMeaning[e.Skip])
	if e.Hint != "" {
		text += " (" + e.Hint + ")"
	}
	return text
}

// repositoryFolder reports whether a folder holds a version control system's own data.
// To some file systems upper and lower case are one.
func repositoryFolder(name string) bool {
	return len(name) <= len(".git") && (strings.EqualFold(name, ".git") || strings.EqualFold(name, ".hg") || strings.EqualFold(name, ".svn"))
}

var (
	secretNames = map[string]bool{
		".env": true, ".envrc": true, ".netrc": true, "_netrc": true, ".pgpass": true, ".htpasswd": true,
		".npmrc": true, ".pypirc": true, ".dockercfg": true, ".git-credentials": true, "secring.gpg": true,
		"id_rsa": true, "id_dsa": true, "id_ecdsa": true, "id_ecdsa_sk": true, "id_ed25519": true, "id_ed25519_sk": true,
	}
	secretSuffixes = map[string]bool{
		".pem": true, ".key": true, ".p12": true, ".pfx": true, ".p8": true, ".ppk": true,
		".jks": true, ".keystore": true, ".kdbx": true,
	}
	// examples are what a project shows in place of its .env.
	examples = map[string]bool{
		".example": true, ".sample": true, ".template": true, ".tmpl": true, ".dist": true, ".defaults": true,
	}
)

// secret reports whether a file's name says that it holds keys or passwords.
func secret(path string) bool {
	name := strings.ToLower(filepath.Base(path))
	ext := filepath.Ext(name)
	if strings.HasPrefix(name, ".env.") {
		return !examples[ext]
	}
	return secretNames[name] || secretSuffixes[ext]
}
