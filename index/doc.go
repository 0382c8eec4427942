// Package index knows the symbols, references and words of a workspace, and finds
// the places that a question is about.
//
// Its promises:
//   - Tolerant: a file with syntax errors is indexed as far as it parses, and a file
//     that can't be read or is no text touches only itself. Both are counted.
//   - Current: what is returned has been compared with the text that the workspace
//     serves now; where a file has changed since it was indexed, its symbols are
//     found anew. Unsaved text wins over the disk's and is never stored.
//   - Cheap to keep: an update stats every file and reads those that changed.
//     Nothing is parsed at the start.
//   - Safe to lose: an index folder holds what can be computed again. A damaged
//     or older one is rebuilt; one of a newer program is refused. A crash leaves the
//     last committed generation.
//   - Shared: several processes may have a folder open. One writes at a time, all read.
//   - Deterministic: the same files and the same question give the same order.
//
// Each root folder has a shard of its own: index.db (SQLite, one writer and several
// readers) with files, symbols and references, and beside it the segments of
// index/postings for text search. index.db says which segments are valid.
//
// Offsets are bytes, 0-based and end-exclusive; lines are 1-based and inclusive;
// hashes are those of internal/workspace.
package index
