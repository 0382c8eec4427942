// Package client is the LSP client: what it declares, what it does whatever it declares, and what
// the server sends to it. It knows no document.
//
// Its promises:
//
//   - Nothing is sent that the client has not declared: the [Profile] decides.
//   - What a client does otherwise than it declares is in one table ([Quirks]).
//   - Every progress that has begun ends once ([Client.EndProgress] ends those that are left), and
//     its token cancels the work as soon as the client knows it.
//   - A client that reads slowly delays only what is sent as a series ([Client.Stream]), and no
//     message of another kind.
//   - A permission is given only by an explicit answer of the person.
//   - A decision on a proposal that names no version is on the one that the client was last shown
//     ([Client.Decision]).
//   - Text of a file or a model reaches the person escaped (package display).
package client
