// Package index knows the symbols, references and words of a workspace, and finds
// the places that a question is about.
//
// Its promises:
//   - Tolerant: a file with syntax errors is indexed as far as it parses, and a file
//     that can't be read or is no text touches only itself. Both are counted.
//   - Current: what is returned has been compared with the text that the workspace
//     serves now; where a file has changed since it was indexed, its symbols are
//     found anew. Unsaved text wins over the disk's and is never stored.
//   - The same however it came about: an index that followed years of changes holds
//     what one from scratch holds, and the same question gives the same order.
//   - Cheap to keep: an update stats every file and reads those that changed.
//     Nothing is parsed at the start. Indexing runs at a low priority, can be paused,
//     and a search meanwhile finds what is there.
//   - Safe to lose: an index folder holds what can be computed again. A damaged, older
//     or deleted one is rebuilt, and a person told; one of a newer program is refused. A
//     crash, or a full disk, leaves the last committed generation.
//   - Shared: several processes may have a folder open. One writes at a time, all read
//     the newest generation, and the system's lock passes on when one dies.
//
// Each root folder has a shard of its own: index.db (SQLite, one writer and several
// readers) with files, symbols and references, and beside it the segments of
// index/postings for text search. index.db says which segments are valid. An update
// is a plan (plan.go) that workers carry out (workers.go) while batches are committed
// beside them (pipeline.go); segments are merged as they pile up (compact.go, tidy.go).
//
// What a mention means is found out when somebody asks (edges.go, resolve.go), from
// what the text of its file says: scope, imports, and the type of what stands before
// the name. An Edge says how sure that is.
//
// Offsets are bytes, 0-based and end-exclusive; lines are 1-based and inclusive;
// hashes are those of internal/workspace.
package index
