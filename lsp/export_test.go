package lsp

import "ploke-lsp/tools"

// AddTools adds tools to the server's own, for tests.
func (s *Server) AddTools(more ...*tools.Tool) {
	s.tools = func(deps tools.Deps) *tools.Set { return tools.NewSet(append(tools.New(deps).All(), more...)...) }
}
