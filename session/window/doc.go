// Package window makes what a model sees of what is stored of a conversation: the text of each
// message and result, in full or shortened, how many tokens that has, and the past of a turn.
//
// Its promises:
//
//   - The same stored messages give the same bytes, in each turn and each process, for the same
//     folders and tools. So each request begins with the one before.
//   - A result that is shortened or cut says so, and how to get the rest. It is never cut within
//     a secret, a part of which would not be found.
//   - Messages that are sent have the order that providers require: each call has a result.
//   - A count of tokens is exact for a known vocabulary, else an estimate with a margin
//     ([Counter]).
//   - Nothing here decides what is shortened or dropped; that is the step of a turn
//     (package session), which stores it as a [records.Compaction].
//
// # What is kept between a turn and the model
//
// A request repeats the one before it and adds a little. So that a turn costs as much as what is
// new in it, what was made for the request before is kept at each stage on the way of a message
// to the model:
//
//	rows in the database        the rows of the turn that has just ended (records.EndedTurn)
//	        └───────────┬───────────┘ read by the next turn, once
//	                    ▼
//	the past: messages, each with what the model gets for it (Past, Prepared; Cache)
//	                    │    ▲ the text of a result (RenderedResults)
//	                    ▼
//	the messages before the turn, as they are sent, with their tokens (session.builtMessages, countedMessages)
//	                    ▼
//	the same with placeholders for secrets (session.hiddenMessages), with their sums for the ledger (session.sentPast)
//	                    ▼
//	the provider, with their JSON (llm.sentMessages)
//
// A turn reaches the stages between the rows and the provider through one type, session.modelView:
// it reads the past, takes what was built and hidden out of the cache, and gives it back at the end.
// The rows of a turn are collected while it runs (session.turnRecord) and handed over if it succeeds.
//
// A stage is let go by what is above it, and by nothing below:
//
//   - [records.EndedTurn] is of a turn that has succeeded and whose rows are all stored. It is used once,
//     if the next turn follows it directly on its branch. A larger turn, or one of another
//     process, is read from the database.
//   - A message that is no longer pending never changes, so what is prepared of it never
//     expires. [Cache] lets the whole past go if one of its messages is pending, or if the
//     folders have changed that paths are relative to. Another branch begins with the messages
//     that it shares. What a compaction has shortened or dropped is trimmed; a branch that
//     begins before this compaction is read again.
//   - [RenderedResults] compares the result's JSON and the folders. The oldest go when there are
//     too many bytes.
//   - builtMessages holds while the past goes on from the same prepared message, under the same
//     compaction, with the same system text and the same text in front of the first message
//     (rules, lines of dropped messages, pinned attachments). A step of a compaction builds all
//     messages again, and countedMessages begins at zero. So it does if the last results are cut
//     again, or for a model with another vocabulary.
//   - hiddenMessages compares message by message from the front. From the first one that
//     differs, all are hidden again, and sentPast goes back to the last turn before it. If other
//     secrets are known of dropped messages, that is the first message of all.
//   - How many tokens a text has in a known vocabulary is kept by the text's hash ([TokenCounts]),
//     for all conversations. When there are too many counts, all of them go.
//
// [Cache] and session.hiddenCache hold the four conversations that were used last. A turn takes its
// hiddenMessages, with builtMessages in it, out of the cache and puts them back at its end, so
// only one goroutine uses them.
package window
