package chat

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session"
	"ploke-lsp/session/records"
)

// A placeWord is a word in a message that stands for a place in the editor, which is attached. A file of that name
// comes first.
type placeWord struct {
	word, meaning string
	place         func(*document.Notebooks, protocol.Location) (ploke.Attachment, error)
}

var placeWords = []placeWord{
	{"@selection", "what is selected in the editor", selectedLines},
	{"@folder", "the folder of the file with the cursor", folderOf},
}

var anyPlaceWord = lazyregexp.New(`(?:^|\s)(@(?:selection|folder))\b`)

// attachPlaces attaches to a message the places that its words stand for, unless they are attached. It asks the client.
func (t *Turns) attachPlaces(ctx context.Context, prompt *session.Prompt) error {
	for _, m := range anyPlaceWord.FindAllStringSubmatch(prompt.Text, -1) {
		w := placeWords[slices.IndexFunc(placeWords, func(w placeWord) bool { return w.word == m[1] })]
		if t.mentionedFile(ctx, w.word[1:], "", "") != nil {
			continue
		}
		attached, err := t.readPlace(ctx, w)
		if err != nil {
			return fmt.Errorf("%s: %w", w.word, err)
		}
		known := slices.ContainsFunc(prompt.Attachments, func(other records.Attachment) bool {
			return other.Path == attached.Path && other.Text == attached.Text && other.StartLine == attached.StartLine
		})
		if !known {
			prompt.Attachments = append(prompt.Attachments, attached)
		}
	}
	return nil
}

// readPlace reads the place that a word stands for.
func (t *Turns) readPlace(ctx context.Context, w placeWord) (records.Attachment, error) {
	at := t.Editor.Selection(ctx)
	if at == nil {
		return records.Attachment{}, errors.New("no file is open in the editor: open one first")
	}
	a, err := w.place(t.Notebooks, *at)
	if err != nil {
		return records.Attachment{}, err
	}
	return t.read(ctx, a)
}

// selectedLines attaches the lines of a selection. One that ends at the beginning of a line does not touch that line.
func selectedLines(_ *document.Notebooks, at protocol.Location) (ploke.Attachment, error) {
	lines := at.Range
	if lines.Start == lines.End {
		return ploke.Attachment{}, errors.New("nothing is selected: select the lines in an editor first")
	}
	if lines.End.Character == 0 {
		lines.End.Line--
	}
	return ploke.Attachment{URI: at.URI, Range: &lines}, nil
}

func folderOf(notebooks *document.Notebooks, at protocol.Location) (ploke.Attachment, error) {
	file := document.FilePath(at.URI)
	if path, cell, _ := notebooks.CellOf(at.URI); cell > 0 {
		file, at.URI = path, uri.File(path)
	}
	if file == "" {
		return ploke.Attachment{}, errors.New("the document with the cursor is no file: open one first")
	}
	return ploke.Attachment{URI: uri.URI(path.Dir(string(at.URI)))}, nil
}
