// Package written reads what commands have written in a copy of a folder, as edits of what a turn sees.
//
// Its promises:
//   - A text comes out as the command has written it, with its line ends and in the file's encoding, or it is left with
//     the reason.
//   - What was changed meanwhile, by a person or another command, is left.
//   - Ignored files are not named. Nothing is staged here.
package written

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ploke-lsp/edits"
	"ploke-lsp/internal/trial"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/wording"
)

// A Copy is a copy of a folder in which a command has written.
type Copy struct {
	Workspace *workspace.Workspace
	Files     *current.Files // as the turn sees them
	Folder    string         // absolute
	Before    []trial.Text   // what the copy was laid with
	Began     time.Time      // before the command saw a file, by the clock of [trial.Tick]
	Moved     bool           // the folder was changed since
	// Read reads a file that was changed, by its path in the copy.
	Read func(path string, limit int64) ([]byte, error)
}

// Change is a file that commands have changed in the copy, in the form that a model reads.
type Change struct {
	File      string `json:"file"` // absolute
	What      string `json:"what"` // changed, created, deleted or renamed
	RenamedTo string `json:"renamed_to,omitempty"`
	Left      string `json:"left,omitempty"` // why it is not staged
}

// A File is a Change with the operations that make it.
type File struct {
	Change
	Operations []edits.Operation
	Bytes      int // of the new text

	data   []byte        // what the command has written
	source *current.File // what the turn sees; nil if it sees none
}

// Words says what has become of the file.
func (f Change) Words(w *wording.Writer) string {
	words := f.What
	if f.RenamedTo != "" {
		words += " to " + w.Path(f.RenamedTo)
	}
	if f.Left != "" {
		return words + ", not staged: " + f.Left
	}
	return words
}

// reading compares texts from before a command and now.
type reading struct {
	*Copy
	before map[string]trial.Text // what the copy was laid with, by absolute path
	now    map[string]trial.Text // what it would be laid with now
}

// Changed returns the files that commands have changed, but for ignored ones and those that make no difference to what
// the turn sees.
func (c *Copy) Changed(ctx context.Context, changes []trial.Change) (files []*File, err error) {
	if len(changes) == 0 {
		return nil, nil
	}
	texts, err := c.Files.Texts(ctx, c.Folder)
	if err != nil {
		return nil, err
	}
	r := reading{c, c.byPath(c.Before), c.byPath(texts)}
	for _, change := range changes {
		f, err := r.file(ctx, change)
		if err != nil {
			return nil, err
		}
		if f != nil {
			f.Bytes = len(f.data)
			files = append(files, f)
		}
	}
	return withRenames(files), nil
}

func (c *Copy) byPath(texts []trial.Text) map[string]trial.Text {
	all := make(map[string]trial.Text, len(texts))
	for _, t := range texts {
		all[c.inFolder(t.Path)] = t
	}
	return all
}

// inFolder returns the path of a file that is named relative to the folder, with slashes.
func (c *Copy) inFolder(rel string) string { return filepath.Join(c.Folder, filepath.FromSlash(rel)) }

// Texts returns what the copy is to be laid with from now on: what the turn sees, and the folder's text of what was
// changed meanwhile. Then a decision of the person holds for the copy, too.
func (c *Copy) Texts(ctx context.Context, files []*File) ([]trial.Text, error) {
	texts, err := c.Files.Texts(ctx, c.Folder)
	if err != nil {
		return nil, err
	}
	seen := c.byPath(texts)
	for _, f := range files {
		if _, ok := seen[f.File]; ok || f.Left != changedMeanwhile {
			continue
		}
		rel, err := filepath.Rel(c.Folder, f.File)
		if err != nil {
			return nil, err
		}
		text := trial.Text{Path: filepath.ToSlash(rel)}
		if text.Data, text.Gone, err = c.onDisk(ctx, f.File); err != nil {
			continue // the workspace does not serve it, so it was not to be staged
		}
		texts = append(texts, text)
	}
	return texts, nil
}

// Staging returns the files that are to be staged.
func Staging(files []*File) (some []*File) {
	for _, f := range files {
		if f.Left == "" {
			some = append(some, f)
		}
	}
	return some
}

// Reasons why a file is not staged.
const (
	changedMeanwhile = "it was changed meanwhile; run the command again"
	onlyItsMode      = "only its mode is another one"
)

// file reads one change. It returns nil for what is ignored, or makes no difference to what the turn sees.
func (r reading) file(ctx context.Context, change trial.Change) (*File, error) {
	path := r.inFolder(change.Path)
	f := &File{Change: Change{File: path, What: "changed"}}
	switch skip := r.Workspace.Skipped(path); {
	case skip == workspace.Ignored:
		return nil, nil
	case skip != "":
		f.Left = why(&workspace.SkippedError{Skip: skip})
		return f, nil
	case change.Gone():
		f.What = "deleted"
	case !change.Mode.IsRegular():
		f.Left = "it is a link or no file"
		return f, nil
	case strings.ContainsFunc(change.Path, wording.IsDeceptive):
		f.Left = "its name contains invisible characters"
		return f, nil
	}
	if same, err := r.untouched(ctx, path); err != nil || !same {
		f.Left = changedMeanwhile
		return f, err
	}
	source, err := r.Files.At(ctx, path)
	switch {
	case err == nil:
		f.source = source
	case !errors.Is(err, fs.ErrNotExist):
		if !current.Unavailable(err) {
			return nil, err
		}
		f.Left = why(err)
		return f, nil
	case change.Gone():
		return nil, nil
	default:
		f.What = "created"
	}
	if change.Gone() {
		f.Operations = []edits.Operation{{Op: edits.OpDelete, Path: path, BaseHash: source.Hash}}
		return f, nil
	}
	return r.withText(f, change)
}

// withText reads what a command has written in a file, and makes the operation of it.
func (r reading) withText(f *File, change trial.Change) (*File, error) {
	var err error
	f.data, err = r.Read(change.Path, r.Workspace.MaxFileBytes())
	switch {
	case errors.Is(err, trial.ErrTooLarge):
		f.Left = why(&workspace.SkippedError{Skip: workspace.TooLarge})
		return f, nil
	case err != nil:
		return nil, err
	}
	text, left := f.text()
	if f.Left = left; left != "" {
		return f, nil
	}
	if f.source == nil {
		f.Operations = []edits.Operation{{Op: edits.OpCreate, Path: f.File, Text: text}}
		return f, nil
	}
	operation := edit(f.File, f.source, text)
	if len(operation.Edits) == 0 {
		f.Left = onlyItsMode
	}
	f.Operations = []edits.Operation{operation}
	return f, nil
}

// text returns the text that a command has written, as it is staged, or why it can't be.
func (f *File) text() (text, left string) {
	decoded, encoding, unclear := workspace.Decode(f.File, f.data)
	skip := workspace.Classify(decoded)
	switch {
	case skip != "" && skip != workspace.Minified:
		return "", why(&workspace.SkippedError{Skip: skip})
	case unclear != "":
		return "", unclear
	case f.source == nil && encoding == workspace.Encoding{}:
		return string(decoded), ""
	case f.source == nil && encoding.Charset == "":
		return workspace.ByteOrderMark + string(decoded), ""
	case f.source == nil:
		return "", "new files are UTF-8, and it is " + encoding.String()
	case f.source.Unclear != "":
		return "", f.source.Unclear
	}
	if data, err := f.source.Encode(decoded); err != nil || !bytes.Equal(data, f.data) {
		return "", "its encoding is another one than before"
	}
	return string(decoded), ""
}

// untouched reports whether the turn sees the same text at a path as before the command.
func (r reading) untouched(ctx context.Context, path string) (bool, error) {
	before, laid := r.before[path]
	now, isLaid := r.now[path]
	if !laid && r.Moved && touchedSince(path, r.Began) {
		return false, nil
	}
	if !laid && !isLaid {
		return true, nil
	}
	disk := trial.Text{}
	if !laid || !isLaid {
		var err error
		if disk.Data, disk.Gone, err = r.onDisk(ctx, path); err != nil {
			return false, nil // what it reads is not known
		}
	}
	if !laid {
		before = disk
	}
	if !isLaid {
		now = disk
	}
	return before.Gone == now.Gone && bytes.Equal(before.Data, now.Data), nil
}

// onDisk returns the bytes of a file of the folder; gone says that there is none.
func (c *Copy) onDisk(ctx context.Context, path string) (data []byte, gone bool, err error) {
	data, err = c.Workspace.ReadDisk(ctx, path, c.Workspace.MaxFileBytes())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, true, nil
	}
	return data, false, err
}

// touchedSince reports whether a file has changed since a time; if there is none, whether the folder around it has.
func touchedSince(path string, since time.Time) bool {
	info, err := os.Lstat(path)
	for err != nil && filepath.Dir(path) != path {
		path = filepath.Dir(path)
		info, err = os.Lstat(path)
	}
	return err != nil || !trial.ChangedAt(info).Before(since)
}

// why returns the reason in an error about a file that is not served.
func why(err error) string {
	_, reason, found := strings.Cut(err.Error(), " is not served: ")
	if !found {
		return err.Error()
	}
	return reason
}
