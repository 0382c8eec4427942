package lsp

import (
	"context"
	"fmt"
	"path/filepath"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/lsp/document"
	"ploke-lsp/project"
)

// rootsOf returns the paths of the folders that the client opened, from
// workspaceFolders, else rootUri, else rootPath. refused says why others are not served.
func rootsOf(p *protocol.InitializeParams) (roots []string, refused []error) {
	var uris []uri.URI
	folders, _ := p.WorkspaceFolders.Get()
	for _, f := range folders {
		uris = append(uris, f.URI)
	}
	if len(uris) == 0 && p.RootURI != nil {
		uris = append(uris, *p.RootURI)
	}
	for _, u := range uris {
		path, err := document.LocalPath(u)
		if err != nil {
			refused = append(refused, err)
			continue
		}
		roots = append(roots, path)
	}
	if path, ok := p.RootPath.Get(); len(uris) == 0 && ok && path != "" {
		if !filepath.IsAbs(path) {
			return nil, []error{fmt.Errorf("%s is not an absolute path of this machine", path)}
		}
		roots = append(roots, path)
	}
	return roots, refused
}

// refuseFolder tells the person that a folder is not served. The other ones are.
func (s *Server) refuseFolder(reason error) {
	s.frontEnd.ShowMessage(project.Warning, fmt.Sprintf("a folder is not served: %v", reason))
}

func (s *Server) didChangeWorkspaceFolders(_ context.Context, p *protocol.DidChangeWorkspaceFoldersParams) error {
	for _, f := range p.Event.Removed {
		s.project.RemoveRoot(document.FilePath(f.URI))
	}
	for _, f := range p.Event.Added {
		path, err := document.LocalPath(f.URI)
		if err != nil {
			s.refuseFolder(err)
			continue
		}
		s.project.AddRoots([]string{path})
	}
	return nil
}
