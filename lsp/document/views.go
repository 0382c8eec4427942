package document

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
	"ploke-lsp/internal/workspace"
	"ploke-lsp/lsp/client"
)

// A Channel is a way in which a client brings a document of the server to the person.
type Channel string

const (
	// ByShowDocument opens it with window/showDocument.
	ByShowDocument Channel = "showDocument"
	// ByEdit opens it in the background, with a workspace/applyEdit.
	ByEdit Channel = "applyEdit"
	// InPlace opens nothing: the person opens the file, or reads the text where it belongs, as
	// a hover and a diagnostic.
	InPlace Channel = "inPlace"
)

// Views writes text documents for the person and shows them. It is safe for concurrent use.
type Views struct {
	client    *client.Client
	documents *Table
	stateDir  string
	log       *slog.Logger
	workspace *workspace.Workspace

	mu       sync.Mutex
	streamed map[uri.URI]string // the texts of finished documents that only the editor has
}

// A View is a document that the server has written for the person.
type View struct {
	*Views
	Name string // of the file
	Path string
	URI  uri.URI

	unattached bool // the client edits the document without opening it with ploke-lsp
}

// folder is where the documents are. Some clients attach no server to a file outside of the
// workspace, so that no action would work in it.
func (v *Views) folder() folder {
	root := ""
	if roots := v.workspace.Roots(); len(roots) > 0 {
		root = roots[0]
	}
	if root != "" && v.client.StaysInWorkspace {
		return folder{root, filepath.Join(root, viewsInWorkspace)}
	}
	return folder{"", filepath.Join(store.Folder(v.stateDir, root), "documents")}
}

// NewViews returns the documents that the server writes for a workspace, in a state folder or in the workspace.
func NewViews(c *client.Client, d *Table, w *workspace.Workspace, stateDir string, log *slog.Logger) *Views {
	return &Views{client: c, documents: d, workspace: w, stateDir: stateDir, log: log}
}

// At returns the document with a file name, whether it exists or not.
func (v *Views) At(name string) *View {
	path := filepath.Join(v.folder().path, name)
	return &View{Views: v, Name: name, Path: path, URI: uri.File(path)}
}

// Holds reports whether a document is in the folder of the server's documents.
func (v *Views) Holds(u uri.URI) bool { return filepath.Dir(FilePath(u)) == v.folder().path }

// Create writes a document under a name that no other has: name, or name with a number.
func (v *Views) Create(name, text string) (*View, error) {
	used, created, err := v.folder().create(name, text)
	if err != nil {
		return nil, err
	}
	v.announceFolder(created)
	return v.At(used), nil
}

// Write writes the file of a document in place of its old text. The caller makes sure that
// nothing of what a person typed is lost.
func (v *Views) Write(name, text string) (*View, error) {
	created, err := v.folder().write(name, text)
	if err != nil {
		return nil, err
	}
	v.announceFolder(created)
	return v.At(name), nil
}

// Read returns a document with the text of its file. It fails with fs.ErrNotExist if there
// is none.
func (v *Views) Read(name string) (*View, string, error) {
	text, err := v.folder().read(name)
	return v.At(name), text, err
}

// announceFolder tells the person about a folder that is new in the workspace.
func (v *Views) announceFolder(created bool) {
	if created {
		v.client.ShowMessage(protocol.MessageTypeInfo,
			"ploke: the folder %s holds what ploke writes for you to read; git ignores it", viewsInWorkspace)
	}
}

// Where names the document for people, behind the keys that go there if the client does not. What the editor holds
// already goes by its name, since a long path would not fit the line.
func (v *View) Where(shown Channel) string {
	keys := ""
	if v.client.OpenKeys != "" && shown != ByShowDocument {
		keys = "(" + v.client.OpenKeys + ") "
	}
	switch {
	case keys != "" && v.client.OpensPaths:
		return keys + fromHome(v.Path)
	case v.folder().workspace != "":
		return keys + viewsInWorkspace + "/" + v.Name
	case shown == ByEdit:
		return "the buffer " + keys + v.Name
	case shown == ByShowDocument:
		return v.Name
	}
	return v.Path
}

// Show brings the document to the person by the best channel that works, and returns it.
// focus moves the cursor there, if the client supports that.
func (v *View) Show(ctx context.Context, focus bool) Channel {
	if v.client.ShowsDocuments &&
		v.client.ShowDocument(ctx, &protocol.ShowDocumentParams{URI: v.URI, TakeFocus: &focus}) == nil {
		return ByShowDocument
	}
	if v.client.OpensByEdit() && v.openByEdit(ctx) == nil {
		return ByEdit
	}
	return InPlace
}

// openByEdit opens the document in the background, with an edit that changes nothing.
func (v *View) openByEdit(ctx context.Context) error {
	if v.documents.Get(v.URI) != nil {
		return nil
	}
	return v.apply(ctx, v.URI, nil, protocol.TextEdit{})
}

// Keep remembers the text of a document that was streamed into the editor. Its file is empty
// until the person saves it.
func (v *View) Keep(text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.streamed == nil {
		v.streamed = map[uri.URI]string{}
	}
	v.streamed[v.URI] = text
}

// Closed writes a kept text to its file, unless the person has saved the document.
func (v *Views) Closed(u uri.URI) {
	v.mu.Lock()
	text, ok := v.streamed[u]
	delete(v.streamed, u)
	v.mu.Unlock()
	if !ok {
		return
	}
	if err := v.folder().fill(filepath.Base(FilePath(u)), text); err != nil {
		v.log.Warn("the text of a document was not written to its file", "uri", u, "error", err)
	}
}

// Close writes all kept texts when the editor leaves. Nil views have none.
func (v *Views) Close() {
	if v == nil {
		return
	}
	v.mu.Lock()
	all := slices.Collect(maps.Keys(v.streamed))
	v.mu.Unlock()
	for _, u := range all {
		v.Closed(u)
	}
}

// ViewName returns the name of a Markdown file about something, such as explain-Serve.md.
func ViewName(words ...string) string {
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
