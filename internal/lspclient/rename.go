package lspclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"go.lsp.dev/protocol"
)

// maxNewText is how many bytes a rename may put in one place.
const maxNewText = 4 << 10

// Rename returns what is replaced in order to rename the symbol at an offset of a file: places in the order of
// their files and offsets, which do not overlap. It is an error if one of them is not in a file that
// [Options].Text has, since a part of a rename is none.
func (c *Client) Rename(ctx context.Context, path string, offset int, to string) ([]Place, error) {
	q := question{method: "textDocument/rename", can: c.can.Rename, path: path, offset: offset,
		more: object{"newName": to}}
	raw, texts, err := c.ask(ctx, q)
	if err != nil {
		return nil, err
	}
	return texts.renamed(ctx, q, raw)
}

// renamed converts the answer to a rename.
func (m *mappers) renamed(ctx context.Context, q question, raw json.RawMessage) ([]Place, error) {
	var edit workspaceEdit
	if json.Unmarshal(raw, &edit) != nil {
		return nil, wrongForm(q)
	}
	documents, err := edit.documents()
	if err != nil {
		return nil, err
	}
	var places []Place
	for _, d := range documents {
		in, err := m.replaced(ctx, d)
		if err != nil {
			return nil, err
		}
		if places = append(places, in...); len(places) > maxPlaces {
			return nil, wrongForm(q)
		}
	}
	slices.SortFunc(places, comparePlaces)
	places = slices.Compact(places)
	for i, p := range places {
		if p.End < p.Start || len(p.New) > maxNewText || i > 0 && places[i-1].Path == p.Path && p.Start < places[i-1].End {
			return nil, wrongForm(q)
		}
	}
	return places, nil
}

// workspaceEdit is a WorkspaceEdit.
type workspaceEdit struct {
	Changes         map[string][]textEdit `json:"changes"`
	DocumentChanges []documentEdit        `json:"documentChanges"`
}

type textEdit struct {
	Range protocol.Range `json:"range"`
	New   *string        `json:"newText"`
}

// documentEdit has the edits of a document, or says in kind what happens to a file.
type documentEdit struct {
	Kind     string `json:"kind"`
	Document struct {
		URI     string `json:"uri"`
		Version *int   `json:"version"`
	} `json:"textDocument"`
	Edits []textEdit `json:"edits"`
}

// documents returns the edits by document. A client that says so prefers the second form, as we do.
func (e workspaceEdit) documents() ([]documentEdit, error) {
	if e.DocumentChanges == nil {
		for _, address := range slices.Sorted(maps.Keys(e.Changes)) {
			d := documentEdit{Edits: e.Changes[address]}
			d.Document.URI = address
			e.DocumentChanges = append(e.DocumentChanges, d)
		}
	}
	for _, d := range e.DocumentChanges {
		if d.Kind != "" {
			return nil, errors.New("the language server would create, rename or delete files, too")
		}
	}
	return e.DocumentChanges, nil
}

// replaced converts the edits of a document.
func (m *mappers) replaced(ctx context.Context, d documentEdit) (places []Place, err error) {
	path, ok := filePath(d.Document.URI)
	if !ok {
		return nil, fmt.Errorf("the language server would change %s, which is no file", shown(d.Document.URI))
	}
	mapper, err := m.of(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("the language server would change a file that can't be read: %w", err)
	}
	m.client.mu.Lock()
	open, isOpen := m.client.open[path]
	m.client.mu.Unlock()
	if version := d.Document.Version; version != nil && isOpen && *version != open.version {
		return nil, fmt.Errorf("the language server would change version %d of %s, which has version %d", *version, path,
			open.version)
	}
	for _, e := range d.Edits {
		if e.New == nil {
			return nil, errors.New("the language server would change a file in a way that this client does not know")
		}
		places = append(places, Place{path, mapper.offset(e.Range.Start), mapper.offset(e.Range.End), *e.New})
	}
	return places, nil
}
