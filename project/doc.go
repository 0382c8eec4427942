// Package project is what is open: folders, settings and disk events go in; a
// running engine, an index and their status come out. Every front end (the
// language server, the command line) drives one [Project].
//
// Its promises:
//
//   - It knows no protocol. Paths are absolute paths of the operating system,
//     offsets are byte offsets from 0, lines are 1-based and inclusive. What it
//     needs from the person or the editor, it asks of the [FrontEnd].
//   - One goroutine reads the disk, so scans never overlap and no caller waits
//     for one, except a turn, which waits for a moment.
//   - An accepted edit counts as verified only if the resulting text shows it,
//     whatever the front end reports. A front end that can't apply edits gets
//     them written to disk, unless a file is open in it.
//   - What happens in a turn is kept as a [Transcript] of numbered parts, so
//     several front ends can follow one turn, and rejoin it.
//   - [Project.Close] returns when every goroutine of the project has ended.
//
// # What it decides
//
// A [Project] opens and closes what is below, and takes the texts that an editor tells. [Folders]
// opens and closes folders. [Applier] has decisions carried out, in the editor or on disk, and
// [AutoAccept] decides where the user need not. [Transcripts] records turns for those that follow
// them. [Attachments] reads what goes with a message, [ToolServers] knows the MCP servers, and
// [Models] the models. The indexer is that of package indexing.
//
// It owns opening and closing, indexing with its progress, the debounce of typing, the making of
// vectors, the models and their list, the settings, the context that goes with a message, the
// policy of automatic acceptance, and what follows a turn: numbered parts that can be replayed, in
// terms of the bus. Each client of mcp is a [ToolClient], whose calls follow each other as turns
// of a conversation do: they run in the engine with its limits, secrets are placeholders, and
// edits amend the proposal that waits.
//
// # The disk
//
// One goroutine handles everything that concerns the disk: the first scan, added folders, what
// watchers report, and scans that a turn needs. So scans never overlap, requests are merged, and
// no handler waits for a disk. Typing has a goroutine of its own that never waits for the disk.
// While a person types without a pause, it indexes the text every two seconds. A turn, a search,
// and what a person asks of a name in a chat document do not wait for the pause: they index what
// was typed first. A third shows progress, so that a slow client can't delay a scan.
//
// One rule says when the disk is scanned. Where the client watches files, or else the server does,
// a turn scans nothing. It waits until what was reported is indexed, and for a scan if HEAD, its
// branch or git's index have moved since the last one: git writes many files at once, and watchers
// are late. What is shown is compared with the disk in any case. Where it is not watched, each turn
// scans. Opening and saving a file, searching, and code actions trigger a scan that no caller waits
// for, if the last one is more than five seconds old, or five minutes where the disk is watched;
// there a clock does, too. If such a scan finds changes although nothing was reported since the
// one before, the watcher is not trusted until it reports something. More than 300 changed paths
// at once become one scan. A turn waits at most five seconds for a scan, the first one included.
//
// When folders come or move, or the system loses events, the server's own watch begins again, and
// until then turns scan. It takes at most a quarter of the watches that the system allows; with
// more folders than that, and on network file systems, nothing is watched. A failure is reported
// once and tried again at the next turn or save, or after minutes: trying does not empty a full
// disk. A person who cancels the progress pauses the index. Rebuilding, and adding or removing a
// folder, interrupt the running scan; what it has committed stays.
//
// All processes of a folder share one index. The one that gets its lock first indexes; the others wait
// for the lock, load what is committed meanwhile, and then find nothing left to do. The system
// releases the lock of a process that dies, and the next one tries to get it every 50
// milliseconds. Segments are mapped files, whose memory the processes share.
package project
