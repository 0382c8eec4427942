package lspcheck

import "fmt"

// A Rule names what a message violates.
type Rule string

// The rules of all messages.
const (
	RuleFrame        Rule = "frame"         // the bytes of a message have a correct header
	RuleJSON         Rule = "JSON"          // a message is one JSON object in UTF-8, without duplicate names
	RuleEnvelope     Rule = "envelope"      // the fields of JSON-RPC
	RuleMethod       Rule = "method"        // LSP has the method, for this direction
	RuleType         Rule = "type"          // each value has the type of the meta model
	RuleMissingField Rule = "missing field" // required fields are there
	RuleUnknownField Rule = "unknown field" // no field is there that LSP does not have
	RuleURI          Rule = "URI"           // RFC 3986
	RuleRange        Rule = "range"         // a range does not end before it starts
	RuleAnswer       Rule = "answer"        // each request is answered once
	RuleError        Rule = "error"         // the fields of an error
	RulePhase        Rule = "phase"         // what may be sent before initialize and after shutdown
	RuleUndeclared   Rule = "undeclared"    // the client has declared what a message needs
	RuleCancel       Rule = "cancel"        // $/cancelRequest names a request
)

// The rules of single topics.
const (
	RuleEncoding     Rule = "encoding"     // the client offered the position encoding
	RuleProgress     Rule = "progress"     // a token is the client's, or created; begin, reports, end
	RulePercentage   Rule = "percentage"   // it does not go back
	RuleUnended      Rule = "unended"      // each progress ends
	RuleRegistration Rule = "registration" // ids, methods and their options
	RulePosition     Rule = "position"     // in the client's text, and not inside a character
	RuleVersion      Rule = "version"      // the client has had this version
	RuleOverlap      Rule = "overlap"      // edits do not overlap
	RuleAnnotation   Rule = "annotation"   // the edit has the annotation that a change names
	RuleCommand      Rule = "command"      // the server offers the command
	RuleKind         Rule = "kind"         // an action is of a kind that was asked for
	RuleShape        Rule = "shape"        // ranges that must lie within a line or another range
)

// AllRules returns every rule.
func AllRules() []Rule {
	return []Rule{
		RuleFrame, RuleJSON, RuleEnvelope, RuleMethod, RuleType, RuleMissingField, RuleUnknownField, RuleURI, RuleRange,
		RuleAnswer, RuleError,
		RulePhase, RuleUndeclared, RuleCancel, RuleEncoding, RuleProgress, RulePercentage, RuleUnended, RuleRegistration,
		RulePosition,
		RuleVersion, RuleOverlap, RuleAnnotation, RuleCommand, RuleKind, RuleShape,
	}
}

// maxShown is how many bytes of a message a violation shows.
const maxShown = 2000

// violated reports a violation by the message that is checked. The lock is held.
func (s *Session) violated(rule Rule, format string, args ...any) {
	if s.reported[rule] {
		return
	}
	s.reported[rule] = true
	s.report(Violation{rule, fmt.Sprintf(format, args...), clip(string(s.body), maxShown)})
}

// undeclared reports that the client has not declared what a message needs.
func (s *Session) undeclared(what, capability string) {
	s.violated(RuleUndeclared, "%s needs the capability %s, which the client did not declare", what, capability)
}

// needs reports what is there although the client did not declare the capability for it.
func (s *Session) needs(there bool, what, capability string) {
	if there && !s.client.declares(capability) {
		s.undeclared(what, capability)
	}
}
