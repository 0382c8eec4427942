package lspcheck

import "slices"

// phase is the phase of a connection, as the client sees it.
type phase int

const (
	created      phase = iota
	initializing       // the client sent initialize
	initialized        // the server answered it
	running            // the client sent initialized
	stopped            // the server answered shutdown
)

// early are the methods that a server may send before it has answered initialize.
var early = []string{"window/showMessage", "window/logMessage", "telemetry/event", "window/showMessageRequest", "$/progress"}

// checkPhase checks that a server may send a request or a notification now.
func (s *Session) checkPhase(m *message) {
	switch {
	case s.phase < initialized && !slices.Contains(early, m.method):
		s.violated(RulePhase, "%s comes before the answer to initialize", m.method)
	case s.phase < running && m.method == "client/registerCapability":
		s.violated(RulePhase, "%s comes before the client has sent initialized", m.method)
	case s.phase == stopped:
		s.violated(RulePhase, "%s comes after the answer to shutdown", m.method)
	}
}

// enterPhase follows the responses that begin a phase.
func (s *Session) enterPhase(r *request, m *message) {
	switch {
	case m.hasFailure:
	case r.method == "initialize":
		s.phase = max(s.phase, initialized)
	case r.method == "shutdown":
		s.phase = stopped
		s.checkAllEnded()
	}
}

// checkInitialized checks the server's capabilities.
func (s *Session) checkInitialized(_ *request, result any) {
	s.offered = field(result, "capabilities")
	s.commandNames = map[string]bool{}
	for _, name := range list(s.offered, "executeCommandProvider", "commands") {
		s.commandNames[name.(string)] = true
	}
	if e := text(s.offered, "positionEncoding"); e != "" && e != utf16Encoding &&
		!s.client.includes("general.positionEncodings", e) {
		s.violated(RuleEncoding, "the client did not offer the position encoding %s", e)
	}
	s.needs(has(s.offered, "notebookDocumentSync"), "notebookDocumentSync", "notebookDocument.synchronization")
	for provider, capability := range map[string]string{
		"codeActionProvider": "textDocument.codeAction.codeActionLiteralSupport",
		"renameProvider":     "textDocument.rename.prepareSupport",
	} {
		_, hasOptions := field(s.offered, provider).(object)
		s.needs(hasOptions, "the options of "+provider, capability)
	}
}
