package lsp

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
)

func (s *Server) initialize(_ context.Context, p *protocol.InitializeParams) (*protocol.InitializeResult, error) {
	s.client.profile = newProfile(p)
	s.opening.roots = rootsOf(p)
	s.configuration = newConfiguration(s.client, s.log, s.options.Config, p.InitializationOptions)
	s.phase = initialized
	version := protocol.NewOptional(s.options.Version)
	return &protocol.InitializeResult{
		Capabilities: s.capabilities(),
		ServerInfo:   protocol.ServerInfo{Name: "ploke-lsp", Version: version},
	}, nil
}

func (s *Server) capabilities() protocol.ServerCapabilities {
	yes, incremental := true, protocol.TextDocumentSyncKindIncremental
	scheme := "file"
	anyFile := protocol.FileOperationRegistrationOptions{
		Filters: []protocol.FileOperationFilter{{Scheme: &scheme, Pattern: protocol.FileOperationPattern{Glob: "**/*"}}},
	}
	return protocol.ServerCapabilities{
		PositionEncoding: s.client.encoding,
		TextDocumentSync: &protocol.TextDocumentSyncOptions{
			OpenClose: &yes,
			Change:    &incremental,
			Save:      protocol.Boolean(true),
		},
		CodeActionProvider: &protocol.CodeActionOptions{
			CodeActionKinds: []protocol.CodeActionKind{kindExplain, kindDocument},
		},
		ExecuteCommandProvider: protocol.ExecuteCommandOptions{Commands: ploke.Commands()},
		Workspace: &protocol.WorkspaceOptions{
			WorkspaceFolders: &protocol.WorkspaceFoldersServerCapabilities{
				Supported:           &yes,
				ChangeNotifications: protocol.Boolean(true),
			},
			FileOperations: &protocol.FileOperationOptions{DidCreate: anyFile, DidRename: anyFile, DidDelete: anyFile},
		},
		Experimental: mustMarshal(ploke.Experimental{
			Ploke: ploke.Capabilities{Version: ploke.Version, Methods: ploke.Methods()},
		}),
	}
}

// rootsOf returns the folders that the client opened: workspaceFolders, else
// rootUri, else rootPath.
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

func (s *Server) initialized(_ context.Context, _ *noParams) error {
	if s.phase != initialized {
		return errors.New("initialized came in the wrong place")
	}
	s.phase = running
	p, err := openProject(s.life, s)
	if err != nil {
		s.opening.failed = fmt.Errorf("the workspace could not be opened: %w", err)
		s.client.showMessage(protocol.MessageTypeError, "ploke: %v", s.opening.failed)
		return err
	}
	s.project = p
	s.configuration.start(s.life, p.configure)
	return nil
}

func (s *Server) shutdown(_ context.Context, _ *noParams) (any, error) {
	if s.phase == created {
		return nil, jsonrpc2.NewError(codeServerNotInitialized, "shutdown came before initialize")
	}
	s.phase = stopping
	return nil, nil
}

func (s *Server) exit(context.Context, *noParams) error {
	select {
	case <-s.exited:
	default:
		close(s.exited)
	}
	return nil
}

func (s *Server) didChangeWorkspaceFolders(_ context.Context, p *protocol.DidChangeWorkspaceFoldersParams) error {
	for _, f := range p.Event.Removed {
		s.project.removeRoot(filePath(f.URI))
	}
	for _, f := range p.Event.Added {
		path := filePath(f.URI)
		if path == "" {
			continue
		}
		if err := s.project.addRoot(path); err != nil {
			s.client.showMessage(protocol.MessageTypeError, "ploke: the folder %s could not be opened: %v", path, err)
		}
	}
	return nil
}
