// Package generate makes from the Go types of the protocol what others read: docs/protocol.md, the
// JSON Schema, the TypeScript types of the extension and the Lua annotations of the plugin.
//
// Its promises:
//
//   - A word about the protocol stands in one place, the doc comments of lsp/protocol.
//   - The same source gives the same bytes.
//   - What it can't express is an error, and is not left out.
package generate
