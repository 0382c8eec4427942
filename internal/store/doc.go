// Package store opens state.db, which holds conversations, proposals and records of
// what was sent. It owns the schema and its migrations. Its callers bring their own
// queries.
//
// Its promises:
//   - What Write has committed survives a loss of power: the database runs in WAL mode
//     with synchronous=FULL. What Record has committed survives the end of this
//     program, even a crash. If the file was removed or replaced while it is open,
//     both fail, and the program is told once.
//   - This process has one writer and several readers. Other processes may have the
//     same file open. Each waits for the other's transaction.
//   - A file with a newer schema is refused and not changed. A file with an older
//     schema is migrated in one transaction, after a copy, and only while no other
//     process has it open. Of these copies, the latest is kept.
//   - Only its owner can read the file.
//
// Times in the tables are Unix milliseconds.
//
// # The state folder
//
// Both databases are outside of the workspace, in one folder for each workspace folder ([Folder]).
// index.db and its postings may be deleted at any time, and are rebuilt. So may vectors-*.vec, but
// making them again costs tokens. Everything in these files has a checksum, which is compared when
// it is read: each page of index.db and of its log, each block of a segment, each vector. A query
// that finds damage fails, and may be repeated. The next update, which is requested at once,
// removes the index and builds it again, with one notice. Only index.db-shm, the memory that
// SQLite's processes share, is trusted while it is in use.
//
// state.db must not be deleted: it holds conversations, proposals, tool calls and the ledger,
// committed before anything is acknowledged. Long texts in it, such as results of calls and the
// texts of files before an edit, are compressed. Messages, proposals and the end of a turn wait
// for the disk. What happens within a turn does not: it survives the program, but perhaps not the
// machine ([DB.Record]). If the state folder is removed while the program runs, nothing is
// acknowledged any more: turns fail, and the person is told once. With several folders open, each
// has its own index, and the first one's state.db holds the conversations. Without a folder, the
// folder of the first opened file becomes the workspace, and the conversations have a place of
// their own.
package store
