// Package protocol defines the extensions of the Language Server Protocol by
// ploke-lsp: the ploke/* methods with their parameters and results, the parts of a
// streamed answer, and the conversion between byte offsets and positions.
//
// Its promises:
//
//   - The names and types are those of the wire. The server, the command line's
//     client and the test editor share them.
//   - Arrays are never null.
//   - Positions are those of LSP: 0-based lines, and 0-based characters in the
//     negotiated encoding. Only this package converts them.
//   - It imports no other package of this module.
//
//go:generate go test ./generate -update
package protocol
