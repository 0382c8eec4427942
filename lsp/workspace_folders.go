package lsp

import (
	"context"
	"fmt"
	"path/filepath"

	"go.lsp.dev/protocol"

	"ploke-lsp/project"
)

// rootsOf returns the paths of the folders that the client opened, from
// workspaceFolders, else rootUri, else rootPath.
func rootsOf(p *protocol.InitializeParams) []string {
	var roots []string
	folders, _ := p.WorkspaceFolders.Get()
	for _, f := range folders {
		if path := filePath(f.URI); path != "" {
			roots = append(roots, path)
		}
	}
	if len(roots) > 0 {
		return roots
	}
	if p.RootURI != nil {
		if path := filePath(*p.RootURI); path != "" {
			return []string{path}
		}
	}
	if path, ok := p.RootPath.Get(); ok && filepath.IsAbs(path) {
		return []string{path}
	}
	return nil
}

func (s *Server) didChangeWorkspaceFolders(_ context.Context, p *protocol.DidChangeWorkspaceFoldersParams) error {
	for _, f := range p.Event.Removed {
		s.project.RemoveRoot(filePath(f.URI))
	}
	for _, f := range p.Event.Added {
		path := filePath(f.URI)
		if path == "" {
			continue
		}
		if err := s.project.AddRoot(path); err != nil {
			s.frontEnd.ShowMessage(project.Error, fmt.Sprintf("the folder %s could not be opened: %v", path, err))
		}
	}
	return nil
}
