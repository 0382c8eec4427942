// Package compiler asks those that have compiled a project what its code means: language servers of the editor, through
// a [Bridge], and [Servers] that it starts itself, once the user's settings name them. Both are a [Source].
//
// Its promises:
//
//   - An [Answer] says who made it, for which text, whether the project was read by then, and how long it took.
//   - An answer holds for the texts of the moment: what was typed meanwhile has it asked again once, and is an
//     [ErrChanged] after that. Where changes on disk are reported, the folder is not looked at again, but for the files
//     of the answer.
//   - An answer is complete only if the server had read the project when it was asked, or if it says of each place
//     that was found by name what is meant there, see [Settled].
//   - Nothing is started unless a setting names it, and then at the first question. One server runs for a folder and a
//     command. It ends when it is idle, needs too much memory, or the project closes.
//   - A server that fails is started again, later each time, and not more than a few times in a row. The person
//     reads one message of it.
//   - Every wait is bounded. An editor that does not answer costs the person one message, and is not asked for a while.
package compiler
