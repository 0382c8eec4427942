// Package mux serves an editor that takes one language server for a buffer with two: another one, called the inner
// server, and ours. It stands between them and knows messages as JSON with a method and an id.
//
// Its promises:
//
//   - The parameters and results of the inner server pass unchanged, with what is in their data. Only ids are others,
//     and what both servers may name alike: tokens of progress and ids of registrations.
//   - Neither server waits for the other. What both answer is answered by one alone if the other is late; an inner
//     server that is late, ends or does not read what it is sent costs the person one message, and ours lives on.
//   - Each request has one answer. What answers none that waits is left aside.
//   - Both servers count positions in the same way, which is UTF-16 for every client that takes it.
//   - What both publish of a document is shown together. A server that has ended leaves nothing behind: no diagnostics,
//     no progress and no registration.
//   - The documents that ours writes are seen by ours alone.
//   - The inner server ends with the editor, and with it all that it has started, unless that has left the process
//     group.
//
// Ours asks the inner server through the mux, as it asks servers in an editor with an extension (ploke/client/lsp).
//
// The table in routes.go says what goes where. All state is guarded by one lock, under which nothing waits: messages
// are queued.
package mux
