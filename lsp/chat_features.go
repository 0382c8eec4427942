package lsp

import (
	"context"
	"slices"

	"go.lsp.dev/protocol"
)

// chatSelector selects the documents that the features of chat documents are for.
var chatSelector = protocol.DocumentSelector{
	&protocol.TextDocumentFilterPattern{Pattern: protocol.Pattern("**/*" + chatDocumentSuffix)},
}

// anyDocument selects the documents that have an outline if the person wants that.
var anyDocument = protocol.DocumentSelector{&protocol.TextDocumentFilterPattern{Pattern: protocol.Pattern("**/*")}}

// completionTriggers begin a file, a symbol, a slash command, and a model behind a heading.
var completionTriggers = []string{"@", "#", "/", "·"}

// A chatFeature is a part of LSP that the server offers in chat documents alone. A client that registers
// features dynamically sends requests for no other document.
type chatFeature struct {
	method  string
	options any // of the registration
	// declared returns what the client says of the feature; nil if it has none.
	declared func(*protocol.TextDocumentClientCapabilities) (dynamic *bool, ok bool)
	offer    func(*protocol.ServerCapabilities) // for clients that don't register it dynamically
}

func chatFeatures() []chatFeature {
	selector := protocol.TextDocumentRegistrationOptions{DocumentSelector: &chatSelector}
	completion := protocol.CompletionOptions{TriggerCharacters: completionTriggers}
	return []chatFeature{
		{protocol.MethodTextDocumentCompletion,
			&protocol.CompletionRegistrationOptions{TextDocumentRegistrationOptions: selector, CompletionOptions: completion},
			func(t *protocol.TextDocumentClientCapabilities) (*bool, bool) {
				if t.Completion == nil {
					return nil, false
				}
				return t.Completion.DynamicRegistration, true
			},
			func(c *protocol.ServerCapabilities) { c.CompletionProvider = &completion }},
		{protocol.MethodTextDocumentDefinition,
			&protocol.DefinitionRegistrationOptions{TextDocumentRegistrationOptions: selector},
			func(t *protocol.TextDocumentClientCapabilities) (*bool, bool) {
				if t.Definition == nil {
					return nil, false
				}
				return t.Definition.DynamicRegistration, true
			},
			func(c *protocol.ServerCapabilities) { c.DefinitionProvider = protocol.Boolean(true) }},
		{protocol.MethodTextDocumentFoldingRange,
			&protocol.FoldingRangeRegistrationOptions{TextDocumentRegistrationOptions: selector},
			func(t *protocol.TextDocumentClientCapabilities) (*bool, bool) {
				if t.FoldingRange == nil {
					return nil, false
				}
				return t.FoldingRange.DynamicRegistration, true
			},
			func(c *protocol.ServerCapabilities) { c.FoldingRangeProvider = protocol.Boolean(true) }},
		{protocol.MethodTextDocumentDocumentSymbol,
			&protocol.DocumentSymbolRegistrationOptions{TextDocumentRegistrationOptions: selector},
			func(t *protocol.TextDocumentClientCapabilities) (*bool, bool) {
				if t.DocumentSymbol == nil || !isTrue(t.DocumentSymbol.HierarchicalDocumentSymbolSupport) {
					return nil, false
				}
				return t.DocumentSymbol.DynamicRegistration, true
			},
			func(c *protocol.ServerCapabilities) { c.DocumentSymbolProvider = protocol.Boolean(true) }},
	}
}

// readChatFeatures sorts the features of chat documents into those that initialize offers and those that
// are registered afterwards. A client gets neither of a feature that it does not have.
func (pr *profile) readChatFeatures(t *protocol.TextDocumentClientCapabilities) {
	for _, f := range chatFeatures() {
		switch dynamic, ok := f.declared(t); {
		case !ok && !slices.Contains(pr.undeclared, f.method):
		case isTrue(dynamic):
			pr.registeredChatFeatures = append(pr.registeredChatFeatures, f)
		default:
			pr.offeredChatFeatures = append(pr.offeredChatFeatures, f)
		}
	}
}

// registerChatFeatures registers the features of chat documents that the client registers dynamically.
func (s *Server) registerChatFeatures(ctx context.Context) {
	params := &protocol.RegistrationParams{}
	languages, _ := s.symbolLanguages()
	for _, f := range s.client.registeredChatFeatures {
		if f.method == protocol.MethodTextDocumentDocumentSymbol && len(languages) > 0 {
			f.options = &protocol.DocumentSymbolRegistrationOptions{TextDocumentRegistrationOptions: protocol.TextDocumentRegistrationOptions{DocumentSelector: &anyDocument}}
		}
		params.Registrations = append(params.Registrations, protocol.Registration{
			ID: "ploke/chat " + f.method, Method: f.method, RegisterOptions: mustMarshal(f.options),
		})
	}
	if len(params.Registrations) == 0 {
		return
	}
	if err := protocol.Call(ctx, s.client.conn, protocol.MethodClientRegisterCapability, params, nil); err != nil && ctx.Err() == nil {
		s.log.Warn("the client does not register the features of chat documents", "error", err)
	}
}
