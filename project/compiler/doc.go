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
//     command, also if several processes have the folder open, see [Sharing]: the first that needs it runs it and
//     answers the others, and once that ends in any way, the next that needs it does. It ends when it is idle, takes
//     too much memory, or the project closes.
//   - An answer is one for the unsaved texts of the process that asks. It gives them along, and the server has the
//     texts of one process at a time. What it answers counts only where this process has the same texts.
//   - Another process can have nothing started, and no file read that this one would not. What it answers is believed
//     as little as what a server says.
//   - A server that fails is started again, later each time, and not more than a few times in a row. The person
//     reads one message of it.
//   - Every wait is bounded. An editor that does not answer costs the person one message, and is not asked for a while.
package compiler
