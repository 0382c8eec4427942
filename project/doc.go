// Package project is what is open: folders, settings and disk events go in; a
// running engine, an index and their status come out. Every front end (the
// language server, the command line) drives one [Project].
//
// Its promises:
//
//   - It knows no protocol. Paths are absolute paths of the operating system,
//     offsets are byte offsets from 0, lines are 1-based and inclusive. What it
//     needs from the person or the editor, it asks of the [FrontEnd].
//   - One goroutine reads the disk, so scans never overlap and no caller waits
//     for one, except a turn, which waits for a moment.
//   - An accepted edit counts as verified only if the resulting text shows it,
//     whatever the front end reports. A front end that can't apply edits gets
//     them written to disk, unless a file is open in it.
//   - What happens in a turn is kept as a [Transcript] of numbered parts, so
//     several front ends can follow one turn, and rejoin it.
//   - [Project.Close] returns when every goroutine of the project has ended.
package project
