// Package lsp is the language server: the front end of a [project.Project] for
// one LSP client. It converts between the protocol (URIs, positions, client
// capabilities) and the absolute paths and byte offsets of the packages below,
// which never import LSP types. A [Server] has one connection; what it answers once a project is
// open is a service, whose table of methods names the handlers: those of packages review and chat,
// and the ones here. Package document tells of each text, and package client of the other end.
//
// Its promises:
//
//   - The server answers initialize at once. Work starts after initialized.
//   - Requests start in the order of their arrival: each one starts after the
//     request before it has returned or has called release.
//   - Every request can be cancelled, by its id or by its progress token, as soon as
//     it is sent.
//   - Every progress that has begun ends before shutdown is answered, and before the
//     server leaves.
//   - A panic fails only its own request. A malformed message gets an error reply
//     and never ends the connection (package wire).
//   - The server leaves within two seconds when its client sends exit, closes a stream or
//     ends, and when it is told to stop, even if no client reads what it writes.
//   - The server sends a request only if the client declared support for it.
//   - A client that reads slowly, or not at all, never blocks the reading of
//     messages, and costs a bounded amount of memory for progress and events.
//   - Accepted edits are sent as a versioned WorkspaceEdit, if the client supports it.
//   - When [Server.Serve] returns, every goroutine that it started has ended.
package lsp
