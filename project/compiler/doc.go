// Package compiler asks those that have compiled a project what its code means: language servers that it starts
// itself, once the user's settings name them. Others can answer through the same [Source].
//
// Its promises:
//
//   - An [Answer] says who made it, for which text, whether the project was read by then, and how long it took.
//   - An answer holds for the texts of the moment: what was typed meanwhile has it asked again once, and is an
//     [ErrChanged] after that. Where changes on disk are reported, the folder is not looked at again, but for the files
//     of the answer.
//   - An answer is complete only if the server had read the project when it was asked.
//   - Nothing is started unless a setting names it, and then at the first question. One server runs for a folder and a
//     command. It ends when it is idle, needs too much memory, or the project closes.
//   - A server that fails is started again, later each time, and not more than a few times in a row. The person
//     reads one message of it.
//   - Every wait is bounded.
//
// Servers of another process could answer, too: [Servers] is the only one that knows of a process.
package compiler
