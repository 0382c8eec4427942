package lspcheck

import "strings"

const actionCapabilities = "textDocument.codeAction."

// checkCodeActions checks code actions.
func (s *Session) checkCodeActions(r *request, result any) {
	for _, a := range list(result) {
		if _, plain := field(a, "command").(string); plain {
			s.checkCommand(a)
			continue
		}
		s.needs(true, "a code action that is not a command", actionCapabilities+"codeActionLiteralSupport")
		s.needs(has(a, "disabled"), "a disabled action", actionCapabilities+"disabledSupport")
		s.needs(has(a, "isPreferred"), "isPreferred", actionCapabilities+"isPreferredSupport")
		s.needs(has(a, "data"), "the data of an action", actionCapabilities+"dataSupport")
		s.needs(has(a, "tags"), "the tags of an action", actionCapabilities+"tagSupport")
		if has(a, "command") {
			s.checkCommand(field(a, "command"))
		}
		if has(a, "edit") {
			s.checkWorkspaceEdit(field(a, "edit"), r.clock)
		}
		s.checkKind(r, a)
	}
}

// checkKind checks that an action is of a kind that the client asked for.
func (s *Session) checkKind(r *request, action any) {
	only, kind := list(r.params, "context", "only"), text(action, "kind")
	for _, o := range only {
		if o == "" || kind == o || strings.HasPrefix(kind, o.(string)+".") {
			return
		}
	}
	if len(only) > 0 {
		s.violated(RuleKind, "the action %q has the kind %q, but only %s were asked for", text(action, "title"), kind,
			key(only))
	}
}

// checkCommand checks that the server offers a command.
func (s *Session) checkCommand(command any) {
	if name := text(command, "command"); !s.commandNames[name] {
		s.violated(RuleCommand, "the server does not offer the command %q", name)
	}
}

// checkLenses checks code lenses, each of which lies on one line.
func (s *Session) checkLenses(r *request, result any) {
	for _, l := range list(result) {
		if !onOneLine(field(l, "range")) {
			s.violated(RuleShape, "the lens at %s spans lines", key(field(l, "range")))
		}
		s.checkAnswered(r, field(l, "range"))
		if has(l, "command") {
			s.checkCommand(field(l, "command"))
		}
	}
}
