// Package review lets the person decide on what is proposed, where it is proposed: as data for
// clients that show it themselves, and as diagnostics, lenses, code actions and diff documents in
// plain LSP.
//
// Its promises:
//
//   - A proposal is in the review once its turn has ended, until it is decided.
//   - Each hunk is shown where it belongs in the text as it is now, or with the reason why it does
//     not fit any more.
//   - A decision is on the version that the client was shown. The texts show what came of it; the
//     person is told only if it failed.
//   - What the person edits in a diff becomes the proposal's, and what is decided is shown there.
//     Where both have changed, both stay, and the document says why.
//   - No request waits for a refresh of the queue that it does not need.
package review
