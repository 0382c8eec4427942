package tools

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

const (
	shownFiles   = 50      // that a command changed
	freelyStaged = 200     // files that are staged without a question
	freelyBytes  = 2 << 20 // of them all
)

// writes are what commands have written in a copy, and what became of it.
type writes struct {
	files    []changedFile
	staged   int    // of files
	proposal string // its id, "" if nothing is staged
	note     string
}

// changedFile is a file that commands have changed in the copy.
type changedFile struct {
	File      string `json:"file"`
	What      string `json:"what"` // changed, created, deleted or renamed
	RenamedTo string `json:"renamed_to,omitempty"`
	Left      string `json:"left,omitempty"` // why it is not staged
}

func (f changedFile) words(w *wording.Writer) string {
	words := f.What
	if f.RenamedTo != "" {
		words += " to " + w.Path(f.RenamedTo)
	}
	if f.Left != "" {
		return words + ", not staged: " + f.Left
	}
	return words
}

// written turns what commands have written in a turn's copy into edits.
type written struct {
	deps   Deps
	env    Env
	c      command
	files  *current.Files
	before map[string]trial.Text // what the copy was laid with, by absolute path
	now    map[string]trial.Text // what it would be laid with now
	began  time.Time
	moved  bool
}

// writtenFile is a file that is to be staged.
type writtenFile struct {
	changedFile
	path       string
	data       []byte        // what the command has written
	source     *current.File // what the turn sees; nil if it sees none
	operations []edits.Operation
}

func (d Deps) written(env Env, c command, texts []trial.Text, began time.Time, moved bool) *written {
	w := &written{deps: d, env: env, c: c, files: d.sources(env), began: began, moved: moved}
	w.before = w.byPath(texts)
	return w
}

func (w *written) byPath(texts []trial.Text) map[string]trial.Text {
	all := make(map[string]trial.Text, len(texts))
	for _, t := range texts {
		all[w.c.inFolder(t.Path)] = t
	}
	return all
}

// propose stages what is text and not ignored. Afterwards the copy takes what is staged for what was laid, so that a
// decision of the person holds for the copy, too.
func (w *written) propose(ctx context.Context, changes []trial.Change) (done writes, err error) {
	if len(changes) == 0 {
		return writes{}, nil
	}
	texts, err := w.files.Texts(ctx, w.c.folder)
	if err != nil {
		return writes{}, err
	}
	w.now = w.byPath(texts)
	files, asks, err := w.read(ctx, changes)
	if err != nil {
		return writes{}, err
	}
	if err := w.permitted(ctx, files, asks); err != nil {
		leave(files, "the user did not want so many changes")
	} else if done, err = w.stage(ctx, files); err != nil {
		return writes{}, err
	}
	for _, f := range files {
		done.files = append(done.files, f.changedFile)
	}
	return done, w.settle(ctx, files)
}

// settle lays the copy with what the turn sees now, and with the folder's text of what was changed meanwhile.
func (w *written) settle(ctx context.Context, files []*writtenFile) error {
	texts, err := w.deps.sources(w.env).Texts(ctx, w.c.folder)
	if err != nil {
		return err
	}
	seen := w.byPath(texts)
	for _, f := range files {
		if _, ok := seen[f.path]; ok || f.Left != changedMeanwhile {
			continue
		}
		text := trial.Text{Path: w.rel(f.path)}
		text.Data, text.Gone, err = w.onDisk(ctx, f.path)
		if err != nil {
			continue // the workspace does not serve it, so it was not to be staged
		}
		texts = append(texts, text)
	}
	return w.deps.LayTrial(ctx, w.env.Call().RequestID, w.c.folder, texts)
}

func (w *written) rel(path string) string {
	rel, err := filepath.Rel(w.c.folder, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
}

// read reads the changes, and finds what is to be staged. asks says that this is more than is staged freely.
func (w *written) read(ctx context.Context, changes []trial.Change) (files []*writtenFile, asks bool, err error) {
	var bytes int64
	for _, change := range changes {
		f, err := w.file(ctx, change)
		if err != nil {
			return nil, false, err
		}
		if f == nil {
			continue
		}
		files = append(files, f)
		bytes += int64(len(f.data))
	}
	files = withRenames(files)
	return files, bytes > freelyBytes || len(staging(files)) > freelyStaged, nil
}

// staging returns the files that are to be staged.
func staging(files []*writtenFile) (some []*writtenFile) {
	for _, f := range files {
		if f.Left == "" {
			some = append(some, f)
		}
	}
	return some
}

func leave(files []*writtenFile, why string) {
	for _, f := range staging(files) {
		f.Left = why
	}
}

// permitted asks whether very much is to be proposed.
func (w *written) permitted(ctx context.Context, files []*writtenFile, asks bool) error {
	if !asks {
		return nil
	}
	some := staging(files)
	var names []string
	for _, f := range some[:min(len(some), shownFiles)] {
		names = append(names, w.deps.Workspace.Rel(f.path))
	}
	return w.env.AskPermission(ctx, Permission{
		Title:  "propose the changes of " + wording.Plural(len(some), "file") + " that a command made",
		Detail: w.c.title + "\n" + strings.Join(names, "\n"), Key: exactKey("many changes", w.c.folder, w.c.args), OnlyOnce: true})
}

// Reasons why a file is not staged.
const (
	changedMeanwhile = "it was changed meanwhile; run the command again"
	onlyItsMode      = "only its mode is another one"
)

// file reads one change. It returns nil for what is ignored, or makes no difference to what the turn sees.
func (w *written) file(ctx context.Context, change trial.Change) (*writtenFile, error) {
	path := w.c.inFolder(change.Path)
	f := &writtenFile{path: path, changedFile: changedFile{File: path, What: "changed"}}
	switch skip := w.deps.Workspace.Skipped(path); {
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
	if same, err := w.untouched(ctx, path); err != nil || !same {
		f.Left = changedMeanwhile
		return f, err
	}
	source, err := w.files.At(ctx, path)
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
		f.operations = []edits.Operation{{Op: edits.OpDelete, Path: path, BaseHash: source.Hash}}
		return f, nil
	}
	return w.withText(f, change)
}

// withText reads what a command has written in a file, and makes the operation of it.
func (w *written) withText(f *writtenFile, change trial.Change) (*writtenFile, error) {
	var err error
	f.data, err = w.deps.ReadTrial(w.env.Call().RequestID, w.c.folder, change.Path, w.deps.Workspace.MaxFileBytes())
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
		f.operations = []edits.Operation{{Op: edits.OpCreate, Path: f.path, Text: text}}
		return f, nil
	}
	operation := edit(f.path, f.source, text)
	if len(operation.Edits) == 0 {
		f.Left = onlyItsMode
	}
	f.operations = []edits.Operation{operation}
	return f, nil
}

// text returns the text that a command has written, as it is staged, or why it can't be.
func (f *writtenFile) text() (text, left string) {
	decoded, encoding, unclear := workspace.Decode(f.path, f.data)
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
func (w *written) untouched(ctx context.Context, path string) (bool, error) {
	before, laid := w.before[path]
	now, isLaid := w.now[path]
	if !laid && w.moved && touchedSince(path, w.began) {
		return false, nil
	}
	if !laid && !isLaid {
		return true, nil
	}
	disk := trial.Text{}
	if !laid || !isLaid {
		var err error
		if disk.Data, disk.Gone, err = w.onDisk(ctx, path); err != nil {
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
func (w *written) onDisk(ctx context.Context, path string) (data []byte, gone bool, err error) {
	data, err = w.deps.Workspace.ReadDisk(ctx, path, w.deps.Workspace.MaxFileBytes())
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
	return err != nil || trial.ChangedAt(info).After(since)
}

// why returns the reason in an error about a file that is not served.
func why(err error) string {
	_, reason, found := strings.Cut(err.Error(), " is not served: ")
	if !found {
		return err.Error()
	}
	return reason
}
