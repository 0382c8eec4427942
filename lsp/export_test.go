package lsp

import (
	"context"
	"slices"
	"strings"

	"go.lsp.dev/uri"

	"ploke-lsp/index"
	"ploke-lsp/project"
	"ploke-lsp/tools"
)

// AddTools adds tools to the server's own, for tests.
func (s *Server) AddTools(more ...*tools.Tool) {
	s.options.tools = func(deps tools.Deps) *tools.Set { return tools.NewSet(append(tools.New(deps).All(), more...)...) }
}

// Document returns what the server knows of an open document: its text, or why the text is
// not known. open is false if the document is not open.
func (s *Server) Document(u uri.URI) (text, outOfStep string, open bool) {
	doc := s.documents.Get(u)
	if doc == nil {
		return "", "", false
	}
	return string(doc.Text.Bytes()), doc.OutOfStep, true
}

// Read returns the text that the workspace serves for a path.
func (s *Server) Read(path string) (string, error) {
	f, err := s.service.project.Workspace.Read(context.Background(), path)
	if err != nil {
		return "", err
	}
	return string(f.Text), nil
}

// Held returns why a file may not be edited.
func (s *Server) Held(path string) string { return s.service.project.Workspace.Held(path) }

// Indexed reports whether the index has a symbol with that canonical name, without indexing what was typed.
func (s *Server) Indexed(canon string) (bool, error) {
	found, _, err := s.service.project.Index.Lookup(context.Background(), index.LookupQuery{Name: canon})
	return len(found) > 0, err
}

// BeginProgress begins a progress as the project does.
func (s *Server) BeginProgress(title string) project.Progress {
	return s.frontEnd.BeginProgress(context.Background(), project.Task{Title: title})
}

// Routes returns the methods with a prefix that a server handles.
func Routes(prefix string) (methods []string) {
	for _, r := range slices.Concat(NewServer(Options{}).routes(), new(service).routes()) {
		if strings.HasPrefix(r.Method, prefix) {
			methods = append(methods, r.Method)
		}
	}
	return methods
}

// CommandNames returns the commands that a server executes.
func CommandNames() (names []string) {
	for _, c := range new(service).commands() {
		names = append(names, c.name)
	}
	return names
}

// Meets reports whether the server is told what another process of the folder changes.
func (s *Server) Meets() bool {
	met, _ := s.service.project.Processes()
	return len(met) > 0
}
