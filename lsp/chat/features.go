package chat

import (
	"context"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/client"
)

// chatSelector selects the documents that the features of chat documents are for.
var chatSelector = protocol.DocumentSelector{
	&protocol.TextDocumentFilterPattern{Pattern: protocol.Pattern("**/*" + documentSuffix)},
}

// anyDocument selects the documents that have an outline if the person wants that.
var anyDocument = protocol.DocumentSelector{&protocol.TextDocumentFilterPattern{Pattern: protocol.Pattern("**/*")}}

var anyRegistration = protocol.TextDocumentRegistrationOptions{DocumentSelector: &anyDocument}

// completionTriggers begin a file, a symbol, a slash command, and a model behind a heading.
var completionTriggers = []string{"@", "#", "/", "·"}

// Features are the parts of LSP that the server offers in chat documents alone.
//
// Without dynamic registration, LSP lets a server name the documents of folding ranges only. Such a client asks for
// completion, definitions and outlines in every document, and gets nothing outside of chat documents. It gets no
// trigger characters, since each / and # in code would ask: completion comes with a key or, in most clients, with
// letters.
func Features() []client.Feature {
	selector := protocol.TextDocumentRegistrationOptions{DocumentSelector: &chatSelector}
	folding := "ploke/chat folding"
	return []client.Feature{
		{Method: protocol.MethodTextDocumentCompletion,
			Options: &protocol.CompletionRegistrationOptions{TextDocumentRegistrationOptions: selector,
				CompletionOptions: protocol.CompletionOptions{TriggerCharacters: completionTriggers}},
			Declared: func(t *protocol.TextDocumentClientCapabilities) (*bool, bool) {
				if t.Completion == nil {
					return nil, false
				}
				return t.Completion.DynamicRegistration, true
			},
			Offer: func(c *protocol.ServerCapabilities) { c.CompletionProvider = &protocol.CompletionOptions{} }},
		{Method: protocol.MethodTextDocumentDefinition,
			Options: &protocol.DefinitionRegistrationOptions{TextDocumentRegistrationOptions: selector},
			Declared: func(t *protocol.TextDocumentClientCapabilities) (*bool, bool) {
				if t.Definition == nil {
					return nil, false
				}
				return t.Definition.DynamicRegistration, true
			},
			Offer: func(c *protocol.ServerCapabilities) { c.DefinitionProvider = protocol.Boolean(true) }},
		{Method: protocol.MethodTextDocumentFoldingRange,
			Options: &protocol.FoldingRangeRegistrationOptions{TextDocumentRegistrationOptions: selector},
			Declared: func(t *protocol.TextDocumentClientCapabilities) (*bool, bool) {
				if t.FoldingRange == nil {
					return nil, false
				}
				return t.FoldingRange.DynamicRegistration, true
			},
			Offer: func(c *protocol.ServerCapabilities) {
				c.FoldingRangeProvider = &protocol.FoldingRangeRegistrationOptions{TextDocumentRegistrationOptions: selector,
					StaticRegistrationOptions: protocol.StaticRegistrationOptions{ID: &folding}}
			}},
		{Method: protocol.MethodTextDocumentDocumentSymbol,
			Options: &protocol.DocumentSymbolRegistrationOptions{TextDocumentRegistrationOptions: selector},
			Declared: func(t *protocol.TextDocumentClientCapabilities) (*bool, bool) {
				if t.DocumentSymbol == nil || !client.IsTrue(t.DocumentSymbol.HierarchicalDocumentSymbolSupport) {
					return nil, false
				}
				return t.DocumentSymbol.DynamicRegistration, true
			},
			Offer: func(c *protocol.ServerCapabilities) { c.DocumentSymbolProvider = protocol.Boolean(true) }},
	}
}

// RegisterFeatures registers the features of chat documents that the client registers dynamically. Other documents
// have an outline, too, if the person wants that.
func (ds *Documents) RegisterFeatures(ctx context.Context, outlines bool) {
	params := &protocol.RegistrationParams{}
	for _, f := range ds.Client.RegisteredFeatures {
		if f.Method == protocol.MethodTextDocumentDocumentSymbol && outlines {
			f.Options = &protocol.DocumentSymbolRegistrationOptions{TextDocumentRegistrationOptions: anyRegistration}
		}
		params.Registrations = append(params.Registrations, protocol.Registration{
			ID: "ploke/chat " + f.Method, Method: f.Method, RegisterOptions: client.MustMarshal(f.Options),
		})
	}
	if len(params.Registrations) == 0 {
		return
	}
	if err := ds.Client.Call(ctx, protocol.MethodClientRegisterCapability, params, nil); err != nil && ctx.Err() == nil {
		ds.Log.Warn("the client does not register the features of chat documents", "error", err)
	}
}
