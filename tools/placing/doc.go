// Package placing finds out where an edit goes: from the text of a file with its symbols and a
// [Request] it makes byte edits, or a failure that explains the miss. It knows no tool and no turn,
// and reads nothing but the text that it is given.
//
// Its promises:
//
//   - One place or none. An edit goes where the request has exactly one meaning: old as it is
//     written, else old in other white space, else old in characters that look alike. Among several
//     places the request has to choose; a miss names the nearest text or symbols, with what differs.
//   - The text around an edit stays as it is. An edit takes the indentation, the separators and the
//     characters of its surroundings, and says so in its note.
//   - A whole symbol is replaced only by a whole one. Code that has only its beginning, or a comment
//     in place of the rest, is refused without the symbol's hash.
//   - Secrets stay whole: no edit begins or ends within one.
//   - The edits of a [Call] are looked at together. All faults are reported at once, edits that
//     overlap are faults, and no block in Python or Scala is left empty.
//
// Offsets are bytes, 0-based and end-exclusive. Lines are 1-based and inclusive.
package placing
