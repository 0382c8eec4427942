// Package current has the files and symbols of the workspace as a turn sees them now: with the unsaved
// texts of the editor, and with what the proposals of the turn have staged.
//
// Its promises:
//
//   - A text is what the turn would change: staged before unsaved, unsaved before what is on disk. A file that
//     the turn has deleted or renamed is not there.
//   - The index may be older. A symbol that it has found is at its place in the current text, or is found
//     again by its address, or is left out: see [Files.Resolve]. No line is cited that the text lacks.
//   - A name means one file. Lines behind it, the end of its path, and characters that look alike are
//     understood if exactly one file has such a name; else the error names the closest ones.
//   - Nothing outside of the workspace's roots is read, and nothing that they ignore.
//   - The secrets of each file that is read are noted for the call, as its whole text shows them: see [Readings].
//   - Each file is read once, so that all of a call sees one text. A [Files] is for one call, and not safe for
//     concurrent use.
//
// Errors that the model can correct are a [*wording.Failure]; see [Files.Unreadable]. Any other one is a failure of
// the engine.
package current
