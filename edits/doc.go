// Package edits keeps proposed changes to files. It stages them, checks them, rebases them onto
// later states of the files, and plans and verifies their application. It never decides whether
// a change may be applied.
//
// Its promises:
//   - Staging writes to no file. Only WriteToDisk writes files, and only what Accept, Undo or
//     Redo has planned: all files of a plan or none, even if the program is killed in the
//     middle (see Recover). At any moment each file has its complete old or its complete new
//     content, except a file that can't be replaced, which Recover completes.
//   - WriteToDisk keeps what a file has besides its text: owner, mode, access control lists,
//     extended attributes and its other names (hard links). Rolling back and undoing keep it,
//     too. What can't be kept is refused with the reason. What another program writes to a
//     file that is being replaced is found and stays. Deleting a link leaves its target.
//   - A file stays in its encoding. If the encoding lacks a character, or is not certain, the
//     edit is refused with the reason. No character is ever replaced by another one.
//   - When a call returns without an error, its result is durable in state.db, together with
//     the texts that the changes were made against.
//   - What was applied can be undone. If it has not changed since, the file gets its old
//     bytes back; text that was typed since is never lost. Folders that were made for a
//     new file are removed with it, if they are empty.
//   - Of several decisions on a change, in any processes, one is made at a time. Each is one
//     compare-and-set, before anything is touched. A decision that comes too late gets an error
//     that says what was decided.
//   - Every decision gets an outcome, by what the files show, hunk by hunk. If its process ends
//     before, the next decision or the next start settles it (see Recover). A process that was
//     taken for dead can't settle it any more.
//   - A change that is not in its file, whatever an editor said, can be accepted again or
//     rejected. A change that is in its file can be undone, unless it was changed since.
//   - Each file name takes part in at most one change of a proposal, so changes can be accepted
//     one by one and in any order.
//   - An edit applies to the exact text that it was made for. If that text has changed since,
//     the edit moves along if nothing near it changed. Otherwise it is stale, and the error
//     says where. Bytes of the file outside the edits never change.
//   - State is kept on hunks. A hunk's id lives as long as its proposal, wherever the hunk
//     moves.
//
// Offsets are bytes, 0-based and end-exclusive, in the text as the workspace serves it. Lines
// are 1-based and inclusive. Hashes are those of workspace.Hash.
//
// # Its parts
//
// [Proposals] are what is stored. [Staging] adds what a turn proposes and serves what the turn sees.
// [Preview] shows what a proposal does to the files as they read now. A [Manager] decides: it plans,
// puts plans in flight, settles them by what the files show, and writes files where no editor does.
//
// # Staging
//
// A proposal is made against a text that is identified by its hash. All edits of a turn amend one
// proposal. A proposal that waits is seen by the next turns of its own branch, too, and their
// edits amend it. From then on it belongs to the turn that amended it last, and other branches
// don't see it. An edit is visible before it is stored, so that successive edits of a response
// build on each other and are still stored in groups; it is reported when it is stored. What a
// proposal does to a file is a row of its own. Changes are made in an overlay: file states laid
// over the disk in memory. What a turn sees, what accepting does and what undoing does are all
// read from an overlay.
//
// # Deciding
//
// A decision names the version that was shown ([Decision]). It is one compare-and-set on the
// proposal's row, before any file or editor is touched. The row then holds the plan and the
// process that carries it out, so a second decision is refused in each process until the plan is
// settled. If that process is gone, the next decision or the next start settles the plan.
//
// Accepting makes a plan from the current text. The edits are carried over if the person typed
// elsewhere, and refused as stale if the person typed in lines that overlap or touch. That is
// git's rule, and a test compares with git merge-file. The plan goes out as a versioned edit with
// the file operations that the client declared. The client's answer is not believed: the text that
// it sends afterwards decides for each hunk between verified and failed. If an editor does not
// answer for 30 seconds, the person decides again; a late answer still counts, for a rejected
// change only if the text has it. A file that the client changed without opening it is applied,
// not verified; what is not seen there can be accepted again or rejected.
//
// For a client that can't apply edits the files are written, unless one of them is open in the
// client. So are links, and files that are not open and not UTF-8 or of mixed line ends, since the
// client may read them in another encoding than we do, or change all their line ends. Undoing and
// redoing are plans of the same kind, made from stored texts. When an editor's own undo brings a
// file back to exactly a text that a plan began or ended with, the edits are recorded as undone or
// made again. What waits next to an undone edit moves back only where its place is certain.
//
// A proposal is withdrawn when its own turn has taken back everything in it. No person is asked
// about it. A proposal that was accepted in a program that has died is settled by what the files say:
// verified if the change is there, else failed, and it may be accepted again.
//
// # Writing
//
// Files are written with a journal in state.db. The plan is stored, and new and old bytes are
// prepared next to their places. Once this is recorded, the next start or the next writer finishes
// the work after a crash. Before that point it takes everything back. A file lock, which the
// system releases when a process dies, tells a dead writer from a live one. The old file keeps a
// temporary name until the end, so a rollback brings back the file itself, with its owner and
// attributes, and a late append to it is found. A file with several names is written in place.
// Where files can't have two names, as on exFAT, a file that is created, renamed or brought back
// is copied to its name, and the journal says so before. No way replaces a file that was made
// meanwhile. All paths go through os.Root, so that a link that is swapped in meanwhile leads
// nowhere. A rename in case alone needs no other name in between.
package edits
