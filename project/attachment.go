package project

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"ploke-lsp/index"
	"ploke-lsp/internal/secretscan"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/session/records"
)

const (
	// maxAttachmentBytes is the size of the largest attachment: some 64,000 tokens, which leaves room for an
	// answer in the windows of most models.
	maxAttachmentBytes = 256 << 10
	// MaxAttachments is how many attachments a message may have.
	MaxAttachments = 200
)

// Lines are lines of a file, or of the source of a notebook's cell if Cell is not 0. All are counted from 1. Both ends
// are included.
type Lines struct{ First, Last, Cell int }

// Attachments reads what a person attaches to a message.
type Attachments struct {
	ws    *workspace.Workspace
	index *index.Index
}

// Read reads the current text of a file, or the outline of a folder, to attach it to a message.
// The name is a path or a file URI. lines are those of a file that are attached, cut to those that it
// has; nil is the whole file. Of a notebook its cells are attached. The error says in words for the
// person why it can't be sent.
func (a *Attachments) Read(ctx context.Context, name string, lines *Lines) (records.Attachment, error) {
	path, err := a.ws.Resolve(name)
	if err != nil {
		return records.Attachment{}, err
	}
	rel := a.ws.Rel(path)
	out := records.Attachment{Path: path, StartLine: 1, Whole: lines == nil}
	file, err := a.ws.Read(ctx, path)
	var folder *workspace.FolderError
	switch {
	case errors.As(err, &folder):
		if out.Text, err = a.FolderOutline(ctx, path); err != nil {
			return out, fmt.Errorf("the folder %s can't be attached: %w", rel, err)
		}
		out.Folder, out.EndLine = true, strings.Count(out.Text, "\n")+1
		return out, nil
	case errors.Is(err, fs.ErrNotExist):
		return out, fmt.Errorf("%s can't be attached: there is no such file any more", rel)
	case err != nil:
		return out, fmt.Errorf("%s can't be attached: %w", rel, err)
	}
	file, view := shownAs(file)
	if lines == nil || view == nil {
		return attachText(out, rel, file, lines)
	}
	shown := shownLines(view, *lines)
	if out, err = attachText(out, rel, file, &shown); err != nil {
		return out, err
	}
	at := fileLines(view, Lines{First: out.StartLine, Last: out.EndLine})
	out.Cells = &records.CellPlace{FirstLine: at.First, LastLine: at.Last}
	out.Cells.Cell, _ = view.CellLine(out.StartLine)
	return out, nil
}

// attachText adds the lines of a file that are attached. The path rel is for people.
func attachText(out records.Attachment, rel string, file *workspace.File, lines *Lines) (records.Attachment, error) {
	switch skip := workspace.Classify(file.Text); skip {
	case workspace.Secret:
		return out, &workspace.SkippedError{Rel: rel, Skip: skip}
	case workspace.Binary:
		return out, fmt.Errorf("%s can't be attached: it is %s, and only text is sent to a model", rel, binaryKind(out.Path))
	}
	all := strings.Split(string(file.Text), "\n")
	out.EndLine = len(all)
	if lines != nil {
		out.StartLine, out.EndLine = min(max(lines.First, 1), len(all)), min(lines.Last, len(all))
	}
	if out.EndLine < out.StartLine {
		return out, fmt.Errorf("%s can't be attached: it has no lines %d to %d", rel, out.StartLine, out.EndLine)
	}
	out.Text = strings.Join(all[out.StartLine-1:out.EndLine], "\n")
	if out.EndLine < len(all) {
		out.Text = strings.TrimSuffix(out.Text, "\r") // half a line break
	}
	if len(out.Text) > maxAttachmentBytes {
		return out, fmt.Errorf("%s can't be attached: it is too large with %d KB; attach the lines that matter, at most %d "+
			"KB", rel, len(out.Text)>>10, maxAttachmentBytes>>10)
	}
	out.Secrets = secretscan.In(out.Text, secretscan.OfText(file.Hash, file.Text))
	return out, nil
}

// binaryKind returns what a person would call a file that is not text.
func binaryKind(path string) string {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".ico", ".tif", ".tiff", ".avif", ".heic":
		return "an image"
	}
	return "binary"
}

// FromText attaches a text that a front end has taken from a file, such as one that is not saved.
// The name is a path or a file URI. firstLine is where the text begins in the file, counted from 1;
// 0 says that the text is the whole file.
func (a *Attachments) FromText(name, text string, firstLine int) (records.Attachment, error) {
	path, err := a.ws.Resolve(name)
	if err != nil {
		return records.Attachment{}, err
	}
	file := &workspace.File{Text: []byte(text), Hash: workspace.Hash([]byte(text))}
	out, err := attachText(records.Attachment{Path: path, StartLine: 1, Whole: firstLine == 0}, a.ws.Rel(path),
		file, nil)
	if firstLine > 0 {
		out.StartLine, out.EndLine = firstLine, out.EndLine+firstLine-1
	}
	return out, err
}

// FromCell attaches lines of a notebook's cell that is not saved.
func (a *Attachments) FromCell(path, text string, lines Lines) (records.Attachment, error) {
	file := &workspace.File{Text: []byte(text), Hash: workspace.Hash([]byte(text))}
	out, err := attachText(records.Attachment{Path: path}, a.ws.Rel(path), file, &lines)
	out.Cells = &records.CellPlace{Cell: lines.Cell}
	return out, err
}
