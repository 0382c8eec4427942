package lspcheck

import "strings"

// checkRegistrations checks what the server registers dynamically.
func (s *Session) checkRegistrations(m *message) {
	ids := map[string]string{}
	for _, r := range list(m.params, "registrations") {
		id, method := text(r, "id"), text(r, "method")
		if s.registered[id] != "" || ids[id] != "" {
			s.violated(RuleRegistration, "the id %q is registered already", id)
		}
		ids[id] = method
		s.checkRegistration(method, field(r, "registerOptions"))
	}
	s.asked[m.id].answered = func(ok bool) {
		for id, method := range ids {
			if ok {
				s.registered[id] = method
			}
		}
	}
}

func (s *Session) checkRegistration(method string, options any) {
	meta := s.model.requests[method]
	if meta == nil {
		meta = s.model.notifications[method]
	}
	if meta == nil || !meta.fromClient() {
		s.violated(RuleRegistration, "LSP has no method %s that a server could register", method)
		return
	}
	capability := meta.ClientCapability
	if capability == "" {
		capability = strings.ReplaceAll(method, "/", ".")
	}
	s.needs(true, "the registration of "+method, capability+".dynamicRegistration")
	if provider := meta.ServerCapability; provider != "" && field(s.offered, strings.Split(provider, ".")...) != nil {
		s.violated(RuleRegistration, "%s is registered, but the answer to initialize has offered it", method)
	}
	if meta.RegistrationOptions == nil || !s.conforms(options, meta.RegistrationOptions, "registerOptions") {
		return
	}
	for _, w := range list(options, "watchers") {
		_, relative := field(w, "globPattern").(object)
		s.needs(relative, "a relative pattern", "workspace.didChangeWatchedFiles.relativePatternSupport")
	}
}

// checkUnregistrations checks that the server takes back what it has registered.
func (s *Session) checkUnregistrations(m *message) {
	for _, u := range list(m.params, "unregisterations") {
		id, method := text(u, "id"), text(u, "method")
		if s.registered[id] != method {
			s.violated(RuleRegistration, "%s is not registered as %q", method, id)
		}
		delete(s.registered, id)
	}
}
