// Package history knows what the recent commits of a folder were about: whoever wrote
// them has said in words which files some matter concerns.
//
// Its promises:
//   - Commits are read with git's plumbing, which runs nothing that a repository's
//     configuration names, and takes nothing from a network. Where there is no git, or no
//     repository, there is no history.
//   - Bounded: the last Limit commits without merges, none of which touched more than
//     maxFiles files.
//
// Paths are relative to the folder, with slashes.
package history
