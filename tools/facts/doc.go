// Package facts gathers what can be counted about a project: its commits and their authors, what is not
// committed, its lines by language, symbols whose names no other place has, the longest symbols, and how often symbols
// are used.
//
// Its promises:
//
//   - A list is in one order, whatever order git or the disk has: the newest, the most, or by path first.
//   - A project without a history that git reads has none: that is not an error, see [Result].
//   - It reads files that the workspace serves, and what a repository has committed. It runs nothing that a
//     repository names.
//   - A symbol counts as unused only if its name stands nowhere else. What runs without being named, such as an entry
//     point or a test, is left out.
package facts
