package lsp

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/internal/workspace"
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/tools"
)

const (
	// menuTimeout bounds how long a menu waits for the client's diagnostics.
	menuTimeout = 500 * time.Millisecond

	maxCachedFiles       = 200
	maxCachedDiagnostics = 200 // of one file
)

// diagnostics collects the diagnostics of other language servers. It requests them
// from a client that supports ploke/client/diagnostics. For other clients it caches
// the diagnostics that code action requests carry.
type diagnostics struct {
	client    *client.Client
	documents *document.Table
	workspace func() *workspace.Workspace // called only while the project is open

	mu     sync.Mutex
	byPath map[string][]tools.Diagnostic // of one version of each file, the newest last
}

func newDiagnostics(c *client.Client, d *document.Table, w func() *workspace.Workspace) *diagnostics {
	return &diagnostics{client: c, documents: d, workspace: w, byPath: map[string][]tools.Diagnostic{}}
}

// get returns the diagnostics of the file at path, or of all files if path is empty.
func (d *diagnostics) get(ctx context.Context, path string) (tools.Diagnostics, error) {
	if !d.client.Ploke.Has(ploke.MethodClientDiagnostics) {
		return tools.Diagnostics{List: d.cached(path), Partial: true}, nil
	}
	var params ploke.ClientDiagnosticsParams
	if path != "" {
		params.URI = d.documents.URIOf(path)
	}
	var result ploke.ClientDiagnosticsResult
	if err := d.client.Call(ctx, ploke.MethodClientDiagnostics, &params, &result); err != nil {
		return tools.Diagnostics{}, fmt.Errorf("the editor did not send its diagnostics: %w", err)
	}
	var found tools.Diagnostics
	for _, doc := range result.Documents {
		if file := d.read(ctx, doc.URI); file != nil {
			found.List = append(found.List, convert(file, ploke.NewMapper(file.Text, d.client.Encoding), doc.Diagnostics)...)
		}
	}
	return found, nil
}

// onLines asks the client for the diagnostics on the lines of a range. A handler must call release before it calls
// onLines.
func (d *diagnostics) onLines(ctx context.Context, u uri.URI, at protocol.Range) (found []protocol.Diagnostic) {
	limited, stop := context.WithTimeout(ctx, menuTimeout)
	defer stop()
	var result ploke.ClientDiagnosticsResult
	params := ploke.ClientDiagnosticsParams{URI: u}
	if err := d.client.Call(limited, ploke.MethodClientDiagnostics, &params, &result); err != nil {
		return nil // the menu has its other actions
	}
	for _, doc := range result.Documents {
		for _, x := range doc.Diagnostics {
			if doc.URI == u && x.Range.Start.Line <= at.End.Line && at.Start.Line <= x.Range.End.Line {
				found = append(found, x)
			}
		}
	}
	return found
}

// read returns the file of a document, or nil if it is not part of the workspace.
func (d *diagnostics) read(ctx context.Context, u uri.URI) *workspace.File {
	file, err := d.workspace().Read(ctx, document.FilePath(u))
	if err != nil {
		return nil
	}
	return file
}

// convert converts diagnostics to byte offsets and 1-based lines of the file's text, which m is of. It leaves
// out the server's own.
func convert(file *workspace.File, m *ploke.Mapper, list []protocol.Diagnostic) []tools.Diagnostic {
	now := time.Now()
	var converted []tools.Diagnostic
	for _, x := range list {
		if document.IsOwn(x.Source) {
			continue
		}
		source, _ := x.Source.Get()
		start, end := m.Offset(x.Range.Start), m.Offset(x.Range.End)
		converted = append(converted, tools.Diagnostic{Path: file.Path, Hash: file.Hash,
			StartLine: m.LineAt(start), EndLine: m.LineAt(max(start, end)), StartByte: start, EndByte: max(start, end),
			Severity: tools.Severity(x.Severity), Source: source, Code: codeOf(x.Code), Message: messageOf(x.Message),
			SeenAt: now})
	}
	return converted
}

func codeOf(code protocol.ProgressToken) string {
	switch code := code.(type) {
	case protocol.Integer:
		return strconv.Itoa(int(code))
	case protocol.String:
		return string(code)
	}
	return ""
}

func messageOf(message protocol.InlayHintTooltip) string {
	switch message := message.(type) {
	case protocol.String:
		return string(message)
	case *protocol.MarkupContent:
		return message.Value
	}
	return ""
}

// cacheFrom caches the diagnostics of a code action request, which has all
// diagnostics in its range. It drops those of earlier versions of the file.
func (d *diagnostics) cacheFrom(ctx context.Context, p *protocol.CodeActionParams) {
	if len(p.Context.Diagnostics) == 0 &&
		len(d.cached(d.workspace().Canonical(document.FilePath(p.TextDocument.URI)))) == 0 {
		return // as after most keys, for which a large text need not be put together and hashed
	}
	file := d.read(ctx, p.TextDocument.URI)
	if file == nil {
		return
	}
	m := ploke.NewMapper(file.Text, d.client.Encoding)
	start, end := m.Offset(p.Range.Start), m.Offset(p.Range.End)
	d.mu.Lock()
	defer d.mu.Unlock()
	list := slices.DeleteFunc(d.byPath[file.Path], func(x tools.Diagnostic) bool {
		return x.Hash != file.Hash || x.StartByte <= end && start <= x.EndByte
	})
	list = append(list, convert(file, m, p.Context.Diagnostics)...)
	if len(list) == 0 {
		delete(d.byPath, file.Path)
		return
	}
	d.byPath[file.Path] = list[max(0, len(list)-maxCachedDiagnostics):]
	if len(d.byPath) > maxCachedFiles {
		d.evictOldest()
	}
}

// evictOldest evicts the file whose newest diagnostic is the oldest. The lock is held.
func (d *diagnostics) evictOldest() {
	oldest := ""
	for path, list := range d.byPath {
		if oldest == "" || lastSeen(list).Before(lastSeen(d.byPath[oldest])) {
			oldest = path
		}
	}
	delete(d.byPath, oldest)
}

func lastSeen(list []tools.Diagnostic) time.Time { return list[len(list)-1].SeenAt }

// cached returns the cached diagnostics of the file at path, or of all files if path is empty.
func (d *diagnostics) cached(path string) []tools.Diagnostic {
	d.mu.Lock()
	defer d.mu.Unlock()
	if path != "" {
		return slices.Clone(d.byPath[path])
	}
	var all []tools.Diagnostic
	for _, list := range d.byPath {
		all = append(all, list...)
	}
	return all
}
