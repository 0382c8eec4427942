// Package acp serves a client of the Agent Client Protocol: an editor that shows the
// conversation and asks the person, while the agent reads, searches and proposes edits.
// Each folder in which a session works is a [project.Project].
//
// Its promises:
//
//   - A prompt is answered after all updates of its turn were sent, and after the person
//     has decided on its edits. A cancelled prompt ends as cancelled, wherever it was.
//   - Nothing of a proposal is written without permission, or the person's choice to
//     accept edits automatically. Anything but an explicit answer rejects nothing and
//     applies nothing: the proposal waits.
//   - A file is written by the client if it can, and read from the client if it can, so
//     that text which is not saved is seen and kept.
//   - Reading never waits for writing. A wrong message gets an error, and the next one is read.
//   - What is shown is bounded: diffs, arguments and results of tools.
package acp
