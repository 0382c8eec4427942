// Package chat holds the conversations of a client: the turns that it starts and follows, what is
// stored, and the chat documents in which a person writes to the model in any editor.
//
// Its promises:
//
//   - Turns of one conversation start in the order of their requests, and none starts before the
//     client has sent its settings once.
//   - A chat document is only a view: what is stored counts, whatever its text says. If it is closed,
//     the answer goes on without it.
//   - Nothing that the person types in a chat document is lost, while an answer streams into it.
//   - A text that was not written here is not sent unless the person vouches for it: its ids may come
//     from anywhere.
//   - An answer for a client without events comes to the person by the best channel that works: a
//     document that the client shows, one that an edit opens, or a hover and a diagnostic.
package chat
