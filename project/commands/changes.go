package commands

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"

	"ploke-lsp/index/history"
	"ploke-lsp/internal/display"
	"ploke-lsp/internal/secretscan"
	"ploke-lsp/internal/workspace"
)

const (
	// maxChangesBytes is the size of the largest diff that is sent with a message: some 14,000 tokens.
	maxChangesBytes = 48 << 10
	// maxChangedFiles is how many files are read of a repository.
	maxChangedFiles = 500
)

// ErrNoChanges is the error for folders in which nothing differs from the last commit.
var ErrNoChanges = errors.New("nothing has changed since the last commit")

// Changes returns what differs from the last commits as a unified diff, at most maxChangesBytes, and the files that it
// leaves out in a line each, with the reason. Texts that are not saved count. With staged it is what git has staged.
// The error is [ErrNoChanges] if there is nothing, and [history.ErrNoRepository] if no folder is in a repository.
func Changes(ctx context.Context, w *workspace.Workspace, staged bool) (diff string, leftOut []string, err error) {
	var out strings.Builder
	known := false
	for _, root := range w.Roots() {
		files, more, err := changedFiles(ctx, w, root, staged)
		if errors.Is(err, history.ErrNoRepository) {
			continue
		}
		if err != nil {
			return "", nil, err
		}
		known = true
		for _, f := range files {
			text, reason := fileDiff(ctx, w, f, staged)
			if reason == "" && out.Len()+len(text) > maxChangesBytes {
				reason = "the changes are too large to be sent as a whole"
			}
			if reason != "" {
				leftOut = append(leftOut, w.Rel(f.path)+": "+reason)
				continue
			}
			out.WriteString(text)
		}
		if more > 0 {
			leftOut = append(leftOut, fmt.Sprintf("%d more files", more))
		}
	}
	switch {
	case !known:
		return "", nil, history.ErrNoRepository
	case out.Len() == 0 && len(leftOut) == 0:
		return "", nil, ErrNoChanges
	}
	return out.String(), leftOut, nil
}

// changedFile is a file that differs from the last commit, with what git has of it.
type changedFile struct {
	path string
	history.Contents
}

// changedFiles returns the files of a root that differ, at most maxChangedFiles, and how many more there are.
func changedFiles(ctx context.Context, w *workspace.Workspace, root string, staged bool) (files []changedFile, more int,
	err error) {
	list := func() ([]history.Change, error) { return history.Uncommitted(ctx, root, w.Unsaved(ctx, root)) }
	if staged {
		list = func() ([]history.Change, error) { return history.Staged(ctx, root) }
	}
	changes, err := list()
	if err != nil {
		return nil, 0, err
	}
	read := changes[:min(len(changes), maxChangedFiles)]
	contents, err := history.ReadContents(ctx, root, read)
	if err != nil {
		return nil, 0, err
	}
	for i, c := range read {
		files = append(files, changedFile{filepath.Join(root, filepath.FromSlash(c.Path)), contents[i]})
	}
	return files, len(changes) - len(read), nil
}

// fileDiff returns the diff of a file, or why it is not sent.
func fileDiff(ctx context.Context, w *workspace.Workspace, f changedFile, staged bool) (diff, reason string) {
	before, after, exists := f.Before, f.Staged, f.Staged != nil
	if skip := w.Skipped(f.path); skip != "" {
		return "", string(skip)
	}
	if !staged {
		file, err := w.Read(ctx, f.path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			after, exists = nil, false
		case err != nil:
			return "", err.Error()
		default:
			after, exists = file.Text, true
		}
	}
	if f.Unread {
		return "", "its text is too large, or not here"
	}
	for _, text := range [][]byte{before, after} {
		if skip := workspace.Classify(text); skip != "" {
			return "", string(skip)
		}
		if len(secretscan.OfText(workspace.Hash(text), text)) > 0 {
			return "", "it holds secrets"
		}
	}
	return unified(w.Rel(f.path), before, after, exists), ""
}

// unified returns a diff as git writes it. A file that git has with other line ends is compared without them.
func unified(rel string, before, after []byte, exists bool) string {
	from, to := "a/"+rel, "b/"+rel
	if before == nil {
		from = "/dev/null"
	}
	if !exists {
		to = "/dev/null"
	}
	plain := func(text []byte) string { return strings.ReplaceAll(string(text), "\r\n", "\n") }
	return udiff.Unified(from, to, plain(before), plain(after))
}

// FencedChanges returns changes as a part of a message.
func FencedChanges(diff string, leftOut []string) string {
	fence := display.CodeFence(diff)
	text := fmt.Sprintf("The changes since the last commit:\n\n%sdiff\n%s%s", fence, diff, fence)
	if diff == "" {
		text = "The changes since the last commit can't be shown."
	}
	if len(leftOut) > 0 {
		text += "\n\nChanged as well, but not shown:\n\n- " + strings.Join(leftOut, "\n- ")
	}
	return text
}
