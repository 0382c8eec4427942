// Package tools contains the tools that a model may call: to read, search and change the code
// of the workspace. A tool is a plain struct made by [Define] from a typed arguments struct.
// The description of x.go that the model reads is in x.md next to it.
//
// Its promises:
//
//   - Independent of models: a tool never talks to a model, does not depend on roles, token
//     prices or providers, and is the same for all of them.
//   - Two kinds of errors. If the model can correct a call, it gets a [Result] with OK false
//     that says what went wrong, in which field, and what to try; after a miss it names the
//     nearest candidates. A Go error means that the engine cannot continue. Arguments are
//     checked against the tool's schema before the tool runs.
//   - A slip costs no call: what has only one meaning is understood, such as the name that a
//     field has in other tools, or a number in a string. Arguments that fit the schema are used
//     as they are.
//   - Bounded: no result grows with the workspace. A result that was cut says what is missing
//     and how to get the rest.
//   - Deterministic: the same arguments on the same text give the same bytes, except for the
//     output of programs and for the editor's state.
//   - A turn sees its own work: all text comes from the workspace with unsaved buffers and with
//     the turn's staged changes. Places that the index has from an older text are found again
//     in the current text, or left out. A line that the text does not have is never cited.
//   - Confined: paths outside the workspace's roots (with symlinks resolved) are refused, and
//     so are ignored paths.
//   - Nothing is written. Edits are staged as a proposal, and the user decides on it. The only
//     programs that run are checks that the user has configured, after the user permits it:
//     without a shell, and no process outlives the call.
//
// A result has two renderings. Its JSON is stored, and programs read it: paths are absolute,
// offsets are bytes, 0-based and end-exclusive, hashes are lower-case hexadecimal SHA-256, and
// code is a block in the snippet format (see [wording.Snippet]). Its text is what a model reads (see
// [Set.Text]): a function of the JSON and of the workspace's folders, so equal results are sent as
// equal bytes. In the text paths are relative in a form that each tool takes, hashes have 12 digits,
// code has its line numbers (see [wording.Numbered]), and there are no offsets and no scores. It begins
// with "error: " exactly if the call failed. Lines are 1-based and inclusive in both.
package tools
