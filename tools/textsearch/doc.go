// Package textsearch finds the lines of files that match a regular expression, in the texts that a turn
// sees (see package current).
//
// Its promises:
//
//   - A line matches by itself, without its end. No line that matches is missed: the literals of a pattern only
//     rule lines out, see [New].
//   - The same texts give the same matches in the same order, however many goroutines search: by the precedence
//     of their files, then in the order of files.
//   - Memory is bounded by the limit on matches, not by the workspace. Matches above it are only counted.
//   - A file with many matches does not hide those of others: see [Shares].
//   - Files that are not text have no matches. A notebook is searched as a model reads it.
//
// Lines are 1-based, offsets are bytes.
package textsearch
