package lspcheck

import "strings"

// capabilityOf names the capability that a method needs, where the meta model does not, or not
// precisely. window/showMessage needs none: LSP has had it before there were capabilities.
var capabilityOf = map[string]string{
	"window/showMessage":         "",
	"workspace/codeLens/refresh": "workspace.codeLens.refreshSupport",
	"textDocument/codeLens":      "",
}

// plokePrefix begins the methods of the ploke extension, which are outside of the meta model.
const plokePrefix = "ploke/"

// serverCalled checks a request or a notification of the server.
func (s *Session) serverCalled(m *message) {
	s.checkPhase(m)
	if m.id != "" {
		s.ask(m)
	}
	if strings.HasPrefix(m.method, plokePrefix) {
		if !s.client.ploke(m.method) {
			s.undeclared(m.method, "experimental.ploke.methods")
		}
		return
	}
	methods := s.model.notifications
	if m.id != "" {
		methods = s.model.requests
	}
	meta := methods[m.method]
	if meta == nil || !meta.fromServer() {
		s.violated(RuleMethod, "LSP has no %s from a server to a client in this form", m.method)
		return
	}
	capability, ok := capabilityOf[m.method]
	if !ok {
		capability = meta.ClientCapability
	}
	s.needs(capability != "", m.method, capability)
	if s.checkParams(m, meta) {
		if rule := serverRules[m.method]; rule != nil {
			rule(s, m)
		}
	}
}

// checkParams reports whether the parameters have the types of the meta model.
func (s *Session) checkParams(m *message, meta *metaMethod) bool {
	if meta.Params == nil {
		if m.params != nil {
			s.violated(RuleType, "%s has parameters, but must not", m.method)
		}
		return m.params == nil
	}
	return s.conforms(m.params, meta.Params, "params")
}

// conforms reports whether a value has a type, and reports the violations.
func (s *Session) conforms(value any, t *metaType, at string) bool {
	wrong := s.model.conform(value, t, at)
	for _, w := range wrong {
		s.violated(w.rule, "%s", w.text)
	}
	return len(wrong) == 0
}

// serverRules are the rules of what a server sends by itself, for which the parameters have the
// right types.
var serverRules = map[string]func(*Session, *message){
	"$/cancelRequest":                 (*Session).checkCancel,
	"$/progress":                      (*Session).checkProgress,
	"window/workDoneProgress/create":  (*Session).createProgress,
	"client/registerCapability":       (*Session).checkRegistrations,
	"client/unregisterCapability":     (*Session).checkUnregistrations,
	"workspace/applyEdit":             (*Session).checkApplyEdit,
	"window/showDocument":             (*Session).checkShowDocument,
	"textDocument/publishDiagnostics": (*Session).checkPublished,
}

// ask remembers a request of the server.
func (s *Session) ask(m *message) {
	if s.askedBefore[m.id] {
		s.violated(RuleAnswer, "the id %s was used before", m.id)
	}
	s.askedBefore[m.id] = true
	s.asked[m.id] = &request{method: m.method, params: m.params}
}

// clientResponded takes the client's answer to a request of the server.
func (s *Session) clientResponded(m *message) {
	r := s.asked[m.id]
	delete(s.asked, m.id)
	if r != nil && r.answered != nil {
		r.answered(!m.hasFailure)
	}
}

// checkCancel checks that the server cancels a request of its own.
func (s *Session) checkCancel(m *message) {
	if id := key(field(m.params, "id")); !s.askedBefore[id] {
		s.violated(RuleCancel, "the server has sent no request %s that it could cancel", id)
	}
}
