package lspclient

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// maxPlaces is how many places of an answer are read.
const maxPlaces = 20_000

// A Place is a range of bytes of a file.
type Place struct {
	Path       string // absolute
	Start, End int
	New        string // the text that a rename puts there
}

// References returns where the symbol at an offset of a file is named, but for its declaration. It and the next two
// return the places that are in files which [Options].Text has.
func (c *Client) References(ctx context.Context, path string, offset int) ([]Place, error) {
	return c.places(ctx, question{method: "textDocument/references", can: c.can.References, path: path, offset: offset,
		more: object{"context": object{"includeDeclaration": false}}})
}

// Definition returns where the symbol that is named at an offset of a file is declared.
func (c *Client) Definition(ctx context.Context, path string, offset int) ([]Place, error) {
	return c.places(ctx, question{method: "textDocument/definition", can: c.can.Definition, path: path, offset: offset})
}

// Implementations returns where that which implements the symbol at an offset of a file is declared.
func (c *Client) Implementations(ctx context.Context, path string, offset int) ([]Place, error) {
	return c.places(ctx, question{method: "textDocument/implementation", can: c.can.Implementation, path: path,
		offset: offset})
}

// question is one about what is at an offset of a file.
type question struct {
	method string
	can    any // whether the server answers it
	path   string
	offset int
	more   object // of the parameters
}

// ask sends a question, and returns the answer with what converts the positions in it.
func (c *Client) ask(ctx context.Context, q question) (raw json.RawMessage, texts *mappers, err error) {
	if q.can == nil || q.can == false {
		return nil, nil, ErrUnsupported
	}
	texts = &mappers{client: c, known: map[string]*mapper{}}
	asked, err := texts.of(ctx, q.path)
	if err != nil {
		return nil, nil, err
	}
	params := object{"textDocument": object{"uri": uri.File(q.path)}, "position": asked.position(q.offset)}
	maps.Copy(params, q.more)
	err = c.call(ctx, c.options.CallTime, q.method, params, &raw)
	return raw, texts, err
}

func (c *Client) places(ctx context.Context, q question) ([]Place, error) {
	raw, texts, err := c.ask(ctx, q)
	if err != nil {
		return nil, err
	}
	found, err := locations(raw)
	if err != nil {
		return nil, wrongForm(q)
	}
	return texts.places(ctx, found)
}

func wrongForm(q question) error { return fmt.Errorf("the answer to %s has a wrong form", q.method) }

// location is a Location or a LocationLink.
type location struct {
	URI    string          `json:"uri"`
	Range  protocol.Range  `json:"range"`
	Target string          `json:"targetUri"`
	Name   *protocol.Range `json:"targetSelectionRange"`
}

// locations reads an answer: null, a location, or a list of them.
func locations(raw json.RawMessage) (found []location, err error) {
	switch text := strings.TrimSpace(string(raw)); {
	case text == "" || text == "null":
		return nil, nil
	case text[0] == '{':
		found = make([]location, 1)
		err = json.Unmarshal(raw, &found[0])
	default:
		err = json.Unmarshal(raw, &found)
	}
	if err == nil && len(found) > maxPlaces {
		err = errors.New("it is too long")
	}
	for i, l := range found {
		if l.Name != nil {
			found[i].URI, found[i].Range = l.Target, *l.Name
		}
	}
	return found, err
}

// mappers convert positions, with the texts as they are at their first use.
type mappers struct {
	client *Client
	known  map[string]*mapper // nil for a file that can't be read
}

// of returns the mapper of a file, for the text that the server has of it.
func (m *mappers) of(ctx context.Context, path string) (*mapper, error) {
	if known := m.known[path]; known != nil {
		return known, nil
	}
	m.client.mu.Lock()
	open, ok := m.client.open[path]
	m.client.mu.Unlock()
	text := open.text
	if !ok {
		var err error
		if text, err = m.client.options.Text(ctx, path); err != nil {
			return nil, err
		}
	}
	m.known[path] = newMapper(text, m.client.encoding)
	return m.known[path], nil
}

// places converts locations. Those in files that can't be read are left out.
func (m *mappers) places(ctx context.Context, found []location) ([]Place, error) {
	unreadable, seen, places := map[string]bool{}, map[Place]bool{}, []Place{}
	for _, l := range found {
		path, ok := filePath(l.URI)
		if !ok || unreadable[path] {
			continue
		}
		mapper, err := m.of(ctx, path)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			unreadable[path] = true
			continue
		}
		p := Place{Path: path, Start: mapper.offset(l.Range.Start), End: mapper.offset(l.Range.End)}
		if p.Start <= p.End && !seen[p] {
			seen[p] = true
			places = append(places, p)
		}
	}
	return places, nil
}

// filePath returns the path of a file's URI.
func filePath(address string) (path string, ok bool) {
	if !strings.HasPrefix(address, "file:///") {
		return "", false
	}
	u, err := uri.Parse(address)
	if err != nil {
		return "", false
	}
	path = u.FsPath()
	return path, path != ""
}

func comparePlaces(a, b Place) int {
	return cmp.Or(strings.Compare(a.Path, b.Path), a.Start-b.Start, a.End-b.End, strings.Compare(a.New, b.New))
}
