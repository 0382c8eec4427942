package lsp

import "ploke-lsp/tools"

// AddTools has the server offer more tools than there are, for tests.
func (s *Server) AddTools(more ...*tools.Tool) {
	s.tools = func(deps tools.Deps) *tools.Set { return tools.NewSet(append(tools.New(deps).All(), more...)...) }
}
