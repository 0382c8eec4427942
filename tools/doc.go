// Package tools holds what a model may call: reading, searching and changing
// the code of the workspace. A tool is a plain struct made by [Define] from a
// typed arguments struct; the words that the model reads about x.go are in x.md
// beside it.
//
// Its promises:
//
//   - Pure of models: a tool never talks to a model, knows no role, token price
//     or provider, and is the same for all of them.
//   - Two channels. What the model can mend is a [Result] with "ok": false that
//     says what went wrong, in which field, and what to try, naming the nearest
//     candidates after a miss; a Go error is what the engine can't go on from.
//     Arguments are checked against the tool's schema before it runs.
//   - Bounded: no result grows with the workspace. One that was cut says what
//     is missing and how to get the rest.
//   - Deterministic: the same arguments on the same text give the same bytes, but
//     for what a program prints and what the editor knows.
//   - A turn sees its own work: all text comes from the workspace with unsaved
//     buffers and with what the turn has staged. Places that the index knows
//     from an older text are found again in that text, or left out; a line that
//     the text doesn't have is never cited.
//   - Confined: a path outside of the workspace's roots (symlinks resolved) is
//     refused, and so is what the ignore rules hide.
//   - Nothing is written. Edits are staged as a proposal on which the user
//     decides. The only programs that run are checks that the user has configured,
//     once they permit it: without a shell, and nothing of them outlives the call.
//
// Code is shown as a block in the snippet format alone (see [Snippet]). Paths
// in results are absolute; lines are 1-based and inclusive; offsets are bytes,
// 0-based and end-exclusive; hashes are lower-case hexadecimal SHA-256.
package tools
