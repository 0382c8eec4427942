// Package results has what tools return to the embedded model, and how an answer shows it: symbols, edges, files,
// lines, the history.
//
// Its promises:
//   - Nothing here asks a tool, or decides what is asked: the same results give the same text.
//   - Paths are shown from their workspace folder, as [Folders] knows them. Lines are 1-based.
//   - A list that was cut says how much it leaves out.
package results
