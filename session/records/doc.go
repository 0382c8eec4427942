// Package records stores what was said and done in conversations: messages, the calls of
// tools, what a person saw besides an answer, and the text that is being streamed.
//
// Its promises:
//
//   - A message is stored as a whole or not at all. Its text is what was streamed, even after
//     a crash, which loses about the last second of it ([StreamedText]).
//   - The first result of a call stays ([StoreCall]).
//   - A row that is read gives the message that was stored. One that was stored by an earlier
//     version gives the message that this version stored: new fields are empty.
//   - What is stored for the model, such as rules, notices and notes on results, is stored where
//     it was said. So a later turn sends the same bytes.
//   - A message that is no longer pending does not change. A turn that has ended can hand its
//     rows to the next one ([EndedTurn]), as if that had read them.
//   - Nothing here decides: who may write a message, what a model sees of it, and what happens
//     next is decided in package session.
//
// Functions that write take a transaction of their caller; those that read take a [Queryer].
package records
