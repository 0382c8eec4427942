// Package peers connects a project to the other processes that have the same folders open, its
// peers: what is open in an editor of theirs, and which proposals they have changed.
//
// Its promises:
//   - No caller waits for a peer: a goroutine tells what was noted. Close tells the rest.
//   - A process without an editor serves the unsaved texts of the others' editors, the latest first.
//     An editor's process serves its own alone: its editor would apply edits to another text than they
//     were made for. It knows which files are open elsewhere.
//   - The text of a file that the workspace does not serve stays in its process.
//   - What a peer had open, and the turns that it ran, end with it.
//
// Package internal/peer has the connections between processes.
package peers
