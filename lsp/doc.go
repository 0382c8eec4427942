// Package lsp is the server: it speaks the Language Server Protocol with one
// editor and drives the engine for it. It is the only package that knows of
// URIs, positions and client capabilities; everything below speaks absolute
// paths and byte offsets.
//
// Its promises:
//
//   - initialize answers at once; work starts after initialized.
//   - Requests run in the order of their arrival until they release; each can be
//     cancelled; a panic fails its own request alone; a malformed message never
//     ends the server.
//   - Nothing of the editor's is written behind its back: what is accepted goes
//     out as a versioned WorkspaceEdit, and the text that comes back decides
//     whether it counts as applied. A client that can't apply edits gets them
//     written to disk, unless the file is open in it.
//   - No request waits for the disk to be indexed, but a turn for a moment; and no
//     client, however slow, holds the indexing up.
//   - A request never asks for something that the client did not declare.
//   - When Serve returns, every goroutine that it started has ended.
package lsp
