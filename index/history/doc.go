// Package history reads the recent commits of a folder. Their subjects say in people's
// words which files a topic concerns.
//
// Its promises:
//   - Commits are read with git's plumbing commands, which run no program that a
//     repository's configuration names, and use no network. Without git or a repository
//     there is no history. Git is not asked to read files of the disk either, since it
//     would run the repository's filters: their contents are compared here.
//   - The history is bounded: the last Limit commits, without merges. The files of a
//     commit that touched more than maxFiles are not counted, nor are more than maxRenames
//     renames of a commit.
//   - What people ask (the latest commits, authors, tags and uncommitted files) is read when it is asked, within ten
//     seconds.
//   - A file that was moved without a change keeps its history, with less weight.
//
// Paths are relative to the folder, with slashes. Those of files outside of the folder begin
// with "../".
package history
