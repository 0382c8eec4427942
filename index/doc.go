// Package index holds the symbols, references and words of a workspace, and searches them.
//
// Its promises:
//   - Tolerant: a file with syntax errors is indexed as far as it parses. A file that
//     can't be read, or is not text, affects only itself. Both kinds are counted.
//   - Current: every result is compared with the text that the workspace serves now. Where
//     a file has changed since it was indexed, its symbols are parsed again. Unsaved text
//     takes precedence over the disk and is never stored.
//   - Deterministic: an index that followed years of changes holds the same as one built
//     from scratch, and the same query gives the same order.
//   - Cheap to keep: an update stats every file and reads the changed files. Nothing is
//     parsed at the start. Indexing runs at a low priority and can be paused. Meanwhile, a
//     search finds what is indexed so far.
//   - Safe to lose: an index folder holds only what can be computed again. The files may be
//     deleted, cut, swapped or changed at any time, except index.db-shm while it is in use.
//     What is read is what was written for this root, or the query fails with [ErrDamaged].
//     Then the next update rebuilds the index, with one notice to the person. The index of
//     an older program is rebuilt without one; that of a newer program is refused. After a
//     crash, or on a full disk, the last committed generation remains.
//   - Private: only the user may read the files.
//   - Shared: several processes may open the same folder. One process writes at a time,
//     and all read the newest generation. When the writer dies, the system releases its
//     lock. A process that rebuilds a damaged index does so for all: the others use the new
//     files from their next update on.
//
// The package is what the rest of the program uses; the work is done beneath it. Package shards keeps
// a shard on disk for each root and the unsaved texts above it. Package graph resolves references,
// and package query searches; both read views of the shards. Package records encodes symbols and
// references, package postings words, package vectors vectors, and package history reads commits.
//
// Offsets are bytes, 0-based and end-exclusive. Lines are 1-based and inclusive. Hashes
// are those of internal/workspace.
package index
