package project

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"ploke-lsp/edits"
	"ploke-lsp/index/traits"
	"ploke-lsp/internal/disk"
	"ploke-lsp/internal/display"
)

// A Doubt is why a person decides on a proposal, whatever the settings say: a file of it can run, build or
// instruct a program or an assistant by itself.
type Doubt struct {
	File string // relative to its root, as a person may be shown it
	Why  string // such as "its name begins with a dot"
}

// String says what the file can do, and why.
func (d *Doubt) String() string { return d.File + " " + d.Can() }

// Can says what a file in doubt can do, and why.
func (d *Doubt) Can() string { return "can run or instruct a program by itself (" + d.Why + ")" }

// MustAsk returns the first doubt about a proposal, nil if it may be applied without asking: if it changes
// only files that exist, have one name, and are known as code or prose, and adds only such files, below
// folders that hold code and without an interpreter. Nothing in doubt is a path with a part that begins with
// a dot, what [RunsByItself] lists, or what makes a folder look like a repository of git.
func (a *AutoAccept) MustAsk(ctx context.Context, proposal *edits.Proposal) *Doubt {
	for i, c := range proposal.Changes {
		for _, path := range []string{c.Path, c.To} {
			if path == "" {
				continue
			}
			why := a.doubt(path)
			if why == "" && isAbsent(path) {
				why = a.doubtNew(ctx, path, proposal, i)
			}
			if why != "" {
				return &Doubt{display.Name(a.ws.Rel(path)), why}
			}
		}
	}
	return nil
}

// doubt returns why a person decides on a change of a file, as far as its name and its folder tell; "" if
// they don't.
func (a *AutoAccept) doubt(path string) string {
	root, inside := a.ws.RootOf(path)
	rel, err := filepath.Rel(root, path)
	if !inside || err != nil {
		return "it is outside the open folders"
	}
	if why := doubtfulName(filepath.ToSlash(rel)); why != "" {
		return why
	}
	if inRepository(root, rel) {
		return "its folder would look like a repository of git, whose configuration runs programs"
	}
	return doubtfulFile(path)
}

// doubtfulFile returns why a person decides on a change of a file that exists, because of what it is; "" also
// for one that does not exist.
func doubtfulFile(path string) string {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ""
	case err != nil:
		return "it can't be looked at: " + err.Error()
	case !info.Mode().IsRegular():
		return "it is not a regular file"
	}
	file, info, err := disk.OpenRegular(path)
	if err != nil {
		return "it can't be looked at: " + err.Error()
	}
	defer file.Close()
	if names, err := disk.Names(file, info); err != nil || names != 1 {
		return "the same file has another name, as a hard link"
	}
	return ""
}

// doubtfulPart is doubtfulName for a part of a path.
func doubtfulPart(part string) string {
	switch {
	case strings.HasPrefix(part, "."):
		return "a part of its path begins with a dot"
	case strings.ContainsAny(part, `\:*?"<>|~`), strings.TrimRight(part, ". ") != part,
		strings.TrimLeft(part, " ") != part:
		return "some systems read its name as another one"
	}
	return ""
}

// doubtfulName returns why a person decides on a change of a file with this slash-separated path; "" if its name
// does not tell.
func doubtfulName(rel string) string {
	parts := foldedParts(rel)
	for _, part := range parts {
		if why := doubtfulPart(part); why != "" {
			return why
		}
	}
	name := parts[len(parts)-1]
	if entry := runsFile(parts); entry != nil {
		return entry.What
	}
	switch traits.TextOf(name) {
	case traits.OtherText:
		return "it is not known as code or prose"
	case traits.ProseText:
		if isAddressed(rel[strings.LastIndexByte(rel, '/')+1:]) {
			return "assistants read such names as instructions"
		}
	}
	return ""
}

// usualDocuments are the documents whose names people write in capital letters.
var usualDocuments = strings.Fields(`readme changelog changes history news authors contributors contributing copying license licence
	notice todo install faq security support code_of_conduct code-of-conduct architecture design roadmap usage upgrading migration
	migrating glossary maintainers governance releasing releases release hacking development summary overview api`)

// isAddressed reports whether a Markdown file is named like those that assistants read: in capital letters, as WARP.md
// is, and not as a usual document is.
func isAddressed(name string) bool {
	stem, ext, _ := strings.Cut(name, ".")
	return strings.HasPrefix(strings.ToLower(ext), "m") && strings.ToUpper(stem) == stem &&
		strings.ToLower(stem) != stem &&
		!slices.Contains(usualDocuments, strings.ToLower(stem))
}

// ignorable reports whether some file systems ignore a character in names, or people don't see it.
func ignorable(c rune) bool {
	return unicode.In(c, unicode.Cf, unicode.Cc, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// inRepository reports whether a folder around a file would look like a repository of git once the
// file is there: one with a HEAD, and objects or refs.
func inRepository(root, rel string) bool {
	parts := strings.Split(filepath.ToSlash(rel), "/")
	folded := foldedParts(filepath.ToSlash(rel))
	for i, part := range parts {
		has := func(name string) bool {
			return folded[i] == strings.ToLower(name) || !isAbsent(filepath.Join(root, name))
		}
		if has("HEAD") && (has("objects") || has("refs")) {
			return true
		}
		root = filepath.Join(root, part)
	}
	return false
}

// doubtNew returns why a person decides on a file that the change at an index of a proposal adds.
func (a *AutoAccept) doubtNew(ctx context.Context, path string, proposal *edits.Proposal, at int) string {
	if !a.nearCode(ctx, path) {
		return "it is a new file where there is no code"
	}
	files, err := a.edits.Preview.Files(ctx, proposal)
	if err != nil || strings.HasPrefix(files[at].After, "#!") {
		return "it is a new file with an interpreter"
	}
	return ""
}

// searchedFolders bounds how many folders are searched for one that holds code.
const searchedFolders = 2000

// nearCode reports whether the innermost folder that exists around a new file holds code that is
// not ignored, in it or below it.
func (a *AutoAccept) nearCode(ctx context.Context, path string) bool {
	dir := filepath.Dir(path)
	for isAbsent(dir) {
		dir = filepath.Dir(dir)
	}
	folders := []string{dir}
	for at := 0; at < len(folders) && at < searchedFolders; at++ {
		entries, _ := a.ws.List(ctx, folders[at], 1) // what can't be read shows no code
		for _, e := range entries {
			switch {
			case e.Dir && e.Skip == "":
				folders = append(folders, e.Path)
			case e.Skip == "" && traits.TextOf(strings.ToLower(filepath.Base(e.Path))) == traits.CodeText:
				return true
			}
		}
	}
	return false
}

func isAbsent(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}
