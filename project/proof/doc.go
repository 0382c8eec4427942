// Package proof checks proposals: it runs what builds and tests a folder on the folder as a proposal leaves it, and
// says what is wrong now that was not wrong before.
//
// Its promises:
//   - Nothing runs outside of the sandbox, nothing before the person permits it for the folder, and nothing is written
//     in the folder.
//   - A problem is new if the same command does not print it without the proposal, on whatever line.
//   - Passed means that the command has looked at something. No tests, no matching files and a missing program are
//     unknown, with the reason.
//   - A language server is asked only if the user's settings name it. It gets the proposal's texts, and then those of
//     the folder back; what it has not said of just these texts is unknown.
//   - A check of a version that is not current any more is stopped.
//
// [table] says which commands check which files. The commands of the user's settings come first.
package proof
