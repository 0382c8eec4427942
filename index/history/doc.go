// Package history reads the recent commits of a folder. Their subjects say in people's
// words which files a topic concerns.
//
// Its promises:
//   - Commits are read with git's plumbing commands, which run no program that a
//     repository's configuration names, and use no network. Without git or a repository
//     there is no history.
//   - The history is bounded: the last Limit commits, without merges. The files of a
//     commit that touched more than maxFiles are not counted.
//
// Paths are relative to the folder, with slashes.
package history
