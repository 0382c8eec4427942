// Package lspclient asks another language server over its standard streams. A caller sees paths and byte offsets,
// and no type of LSP.
//
// Its promises:
//
//   - Every wait ends: a start, a call and a stop each have a bound, and all end when the server does. A call that
//     is given up is cancelled at the server.
//   - Every request of the server gets an answer. It reads settings, of which there are none, and never has a file
//     changed: an edit that it asks for is refused. What it sends that is not known or not well-formed is left aside.
//   - What the server sends is not believed: an answer with a wrong form is an error, a place counts only if it is
//     in a file that the caller can read, and what is kept of notifications is bounded.
//   - The server ends with the client, and with it all that it has started, unless that has left the process group.
package lspclient
