package lspcheck

import "strings"

// clientRequested takes a request of the client.
func (s *Session) clientRequested(m *message) {
	r := &request{method: m.method, params: m.params, clock: s.clock}
	s.requests[m.id] = append(s.requests[m.id], r)
	s.giveTokens(r)
	if m.method == "initialize" && s.phase == created {
		s.client.declared, s.client.options = field(m.params, "capabilities"), field(m.params, "initializationOptions")
		s.phase = initializing
	}
}

// serverResponded checks a response of the server.
func (s *Session) serverResponded(m *message) {
	r := s.waiting(m)
	if m.hasFailure {
		s.checkError(m.failure)
	}
	if r == nil {
		return
	}
	s.takeTokens(r)
	if !m.hasFailure && m.hasResult {
		s.checkResult(r, m.result)
	}
	s.enterPhase(r, m)
}

// waiting returns the request that a response is for, which waits no longer. The server can't
// know the id of a message that it can't decode.
func (s *Session) waiting(m *message) *request {
	if m.id == "null" {
		if s.unreadable == 0 {
			s.violated(RuleAnswer, "a response has no id, but the client's messages could be read")
		}
		s.unreadable--
		return nil
	}
	waiting := s.requests[m.id]
	if len(waiting) == 0 {
		s.violated(RuleAnswer, "no request %s waits for a response", m.id)
		return nil
	}
	s.requests[m.id] = waiting[1:]
	return waiting[0]
}

// checkError checks the fields of an error.
func (s *Session) checkError(failure any) {
	code, isNumber := field(failure, "code").(float64)
	switch {
	case text(failure, "message") == "":
		s.violated(RuleError, "the error has no message")
	case !isNumber || code != float64(int(code)):
		s.violated(RuleError, "the error has the code %s, which is not an integer", describe(field(failure, "code")))
	}
	fields, _ := failure.(object)
	for name := range fields {
		if name != "code" && name != "message" && name != "data" {
			s.violated(RuleError, "the error has the field %s", name)
		}
	}
}

// checkResult checks the result of a request.
func (s *Session) checkResult(r *request, result any) {
	if strings.HasPrefix(r.method, plokePrefix) {
		return
	}
	meta := s.model.requests[r.method]
	if meta == nil || !meta.fromClient() {
		s.violated(RuleMethod, "%s has a result, although LSP does not have the request", r.method)
		return
	}
	if s.conforms(result, meta.Result, "result") && result != nil {
		if rule := resultRules[r.method]; rule != nil {
			rule(s, r, result)
		}
	}
}

// resultRules are the rules of results, which are not null and have the right types.
var resultRules = map[string]func(*Session, *request, any){
	"initialize":                  (*Session).checkInitialized,
	"textDocument/codeAction":     (*Session).checkCodeActions,
	"textDocument/codeLens":       (*Session).checkLenses,
	"textDocument/completion":     (*Session).checkCompletion,
	"textDocument/hover":          (*Session).checkHover,
	"textDocument/definition":     (*Session).checkDefinition,
	"textDocument/foldingRange":   (*Session).checkFolding,
	"textDocument/documentSymbol": (*Session).checkDocumentSymbols,
	"workspace/symbol":            (*Session).checkWorkspaceSymbols,
}
