package lsp

import (
	"context"
	"fmt"
	"path/filepath"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
)

// foldersOf returns the folders that the client opened, from workspaceFolders, else rootUri, else
// rootPath.
func foldersOf(p *protocol.InitializeParams) (f folders) {
	var uris []uri.URI
	list, _ := p.WorkspaceFolders.Get()
	for _, opened := range list {
		uris = append(uris, opened.URI)
	}
	if len(uris) == 0 && p.RootURI != nil {
		uris = append(uris, *p.RootURI)
	}
	for _, u := range uris {
		path, err := document.LocalPath(u)
		if err != nil {
			f.refused = append(f.refused, err)
			continue
		}
		f.roots = append(f.roots, path)
	}
	if path, ok := p.RootPath.Get(); len(uris) == 0 && ok && path != "" {
		if !filepath.IsAbs(path) {
			return folders{refused: []error{fmt.Errorf("%s is not an absolute path of this machine", path)}}
		}
		f.roots = append(f.roots, path)
	}
	return f
}

// refuseFolder tells the person that a folder is not served. The other ones are.
func refuseFolder(c *client.Client, reason error) {
	c.ShowMessage(protocol.MessageTypeWarning, "ploke: a folder is not served: %v", reason)
}

func (s *service) didChangeWorkspaceFolders(_ context.Context, p *protocol.DidChangeWorkspaceFoldersParams) error {
	for _, f := range p.Event.Removed {
		s.project.Folders.Remove(document.FilePath(f.URI))
	}
	for _, f := range p.Event.Added {
		path, err := document.LocalPath(f.URI)
		if err != nil {
			refuseFolder(s.client, err)
			continue
		}
		s.project.Folders.Add([]string{path})
	}
	s.review.FoldersChanged()
	return nil
}
