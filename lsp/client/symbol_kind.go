package client

import (
	"go.lsp.dev/protocol"

	"ploke-lsp/internal/syntax"
)

// SymbolKind returns LSP's kind of a symbol. Clients that list no kinds know only those of the
// first version of LSP.
func (pr *Profile) SymbolKind(k syntax.Kind) protocol.SymbolKind {
	if k == syntax.KindStruct && !pr.knowsStructs {
		return protocol.SymbolKindClass
	}
	return symbolKinds[k]
}

var symbolKinds = map[syntax.Kind]protocol.SymbolKind{
	syntax.KindFile:        protocol.SymbolKindFile,
	syntax.KindModule:      protocol.SymbolKindModule,
	syntax.KindNamespace:   protocol.SymbolKindNamespace,
	syntax.KindType:        protocol.SymbolKindClass,
	syntax.KindStruct:      protocol.SymbolKindStruct,
	syntax.KindClass:       protocol.SymbolKindClass,
	syntax.KindInterface:   protocol.SymbolKindInterface,
	syntax.KindTrait:       protocol.SymbolKindInterface,
	syntax.KindEnum:        protocol.SymbolKindEnum,
	syntax.KindImpl:        protocol.SymbolKindClass,
	syntax.KindFunction:    protocol.SymbolKindFunction,
	syntax.KindMethod:      protocol.SymbolKindMethod,
	syntax.KindConstructor: protocol.SymbolKindConstructor,
	syntax.KindField:       protocol.SymbolKindField,
	syntax.KindProperty:    protocol.SymbolKindProperty,
	syntax.KindConstant:    protocol.SymbolKindConstant,
	syntax.KindVariable:    protocol.SymbolKindVariable,
	syntax.KindMacro:       protocol.SymbolKindFunction,
	syntax.KindTest:        protocol.SymbolKindFunction,
	syntax.KindSection:     protocol.SymbolKindString,
}
