// Package trials runs commands on a folder as a turn would leave it, and keeps what they write away from the folder.
//
// Its promises:
//   - The folder is as it was after a command, whatever it did, and however this process ends.
//   - All commands on the proposal of a turn see one tree, one after another, so that a build goes on where the last
//     one was.
//   - A command's result says what was written in the tree, and whether the folder was changed meanwhile.
//   - A tree is gone when its proposal no longer waits and another tree is made, when this process ends, and if it
//     was killed, when the next one starts.
//   - A command runs in the sandbox or not at all.
package trials
