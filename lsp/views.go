package lsp

import (
	"context"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/internal/store"
	"ploke-lsp/lsp/client"
)

// A channel is a way in which a client brings a document of the server to the person.
type channel string

const (
	// byShowDocument opens it with window/showDocument.
	byShowDocument channel = "showDocument"
	// byEdit opens it in the background, with a workspace/applyEdit.
	byEdit channel = "applyEdit"
	// inPlace opens nothing: the person opens the file, or reads the text where it belongs, as
	// a hover and a diagnostic.
	inPlace channel = "inPlace"
)

// views writes text documents for the person and shows them. It is safe for concurrent use.
type views struct {
	client    *client.Client
	documents *documents
	stateDir  string
	log       *slog.Logger
	roots     func() []string // the workspace folders

	mu       sync.Mutex
	streamed map[uri.URI]string // the texts of finished documents that only the editor has
}

// A view is a document that the server has written for the person.
type view struct {
	*views
	name string // of the file
	path string
	uri  uri.URI

	unattached bool // the client edits the document without opening it with ploke-lsp
}

// folder is where the documents are. Some clients attach no server to a file outside of the
// workspace, so that no action would work in it.
func (v *views) folder() viewFolder {
	root := ""
	if roots := v.roots(); len(roots) > 0 {
		root = roots[0]
	}
	if root != "" && v.client.StaysInWorkspace {
		return viewFolder{root, filepath.Join(root, viewsInWorkspace)}
	}
	return viewFolder{"", filepath.Join(store.Folder(v.stateDir, root), "documents")}
}

// view returns the document with a file name, whether it exists or not.
func (v *views) view(name string) *view {
	path := filepath.Join(v.folder().path, name)
	return &view{views: v, name: name, path: path, uri: uri.File(path)}
}

// holds reports whether a document is in the folder of the server's documents.
func (v *views) holds(u uri.URI) bool { return filepath.Dir(filePath(u)) == v.folder().path }

// isWork reports whether a document is what the person works on: not a chat document, nor one
// that the server has written.
func (s *Server) isWork(u uri.URI) bool { return !isChatDocument(u) && !s.views.holds(u) }

// create writes a document under a name that no other has: name, or name with a number.
func (v *views) create(name, text string) (*view, error) {
	used, created, err := v.folder().create(name, text)
	if err != nil {
		return nil, err
	}
	v.announceFolder(created)
	return v.view(used), nil
}

// write writes the file of a document in place of its old text. The caller makes sure that
// nothing of what a person typed is lost.
func (v *views) write(name, text string) (*view, error) {
	created, err := v.folder().write(name, text)
	if err != nil {
		return nil, err
	}
	v.announceFolder(created)
	return v.view(name), nil
}

// read returns a document with the text of its file. It fails with fs.ErrNotExist if there
// is none.
func (v *views) read(name string) (*view, string, error) {
	text, err := v.folder().read(name)
	return v.view(name), text, err
}

// announceFolder tells the person about a folder that is new in the workspace.
func (v *views) announceFolder(created bool) {
	if created {
		v.client.ShowMessage(protocol.MessageTypeInfo, "ploke: the folder %s holds what ploke writes for you to read; git ignores it", viewsInWorkspace)
	}
}

// where names the document for people. A buffer that the editor holds already goes by its name, since a long path
// would not fit the line.
func (v *view) where(shown channel) string {
	switch {
	case v.folder().workspace != "":
		return viewsInWorkspace + "/" + v.name
	case shown == byEdit:
		return "the buffer " + v.name
	}
	return v.path
}

// show brings the document to the person by the best channel that works, and returns it.
// focus moves the cursor there, if the client supports that.
func (v *view) show(ctx context.Context, focus bool) channel {
	if v.client.ShowsDocuments && v.client.ShowDocument(ctx, &protocol.ShowDocumentParams{URI: v.uri, TakeFocus: &focus}) == nil {
		return byShowDocument
	}
	if v.client.OpensByEdit() && v.openByEdit(ctx) == nil {
		return byEdit
	}
	return inPlace
}

// openByEdit opens the document in the background, with an edit that changes nothing.
func (v *view) openByEdit(ctx context.Context) error {
	if v.documents.get(v.uri) != nil {
		return nil
	}
	return v.apply(ctx, v.uri, nil, protocol.TextEdit{})
}

// keep remembers the text of a document that was streamed into the editor. Its file is empty
// until the person saves it.
func (v *view) keep(text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.streamed == nil {
		v.streamed = map[uri.URI]string{}
	}
	v.streamed[v.uri] = text
}

// closed writes a kept text to its file, unless the person has saved the document.
func (v *views) closed(u uri.URI) {
	v.mu.Lock()
	text, ok := v.streamed[u]
	delete(v.streamed, u)
	v.mu.Unlock()
	if !ok {
		return
	}
	if err := v.folder().fill(filepath.Base(filePath(u)), text); err != nil {
		v.log.Warn("the text of a document was not written to its file", "uri", u, "error", err)
	}
}

// closeAll writes all kept texts when the editor leaves.
func (v *views) closeAll() {
	v.mu.Lock()
	all := slices.Collect(maps.Keys(v.streamed))
	v.mu.Unlock()
	for _, u := range all {
		v.closed(u)
	}
}

// viewName returns the name of a Markdown file about something, such as explain-Serve.md.
func viewName(words ...string) string {
	letters := func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' {
			return r
		}
		return '-'
	}
	name := []rune(strings.Trim(strings.Map(letters, strings.Join(words, "-")), "-"))
	return string(name[:min(len(name), maxViewName)]) + ".md"
}

// maxViewName is the length of a file's name in characters, without its extension.
const maxViewName = 60
