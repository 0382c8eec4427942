// Package shards holds what an index knows of a workspace: a shard on disk for each root, and the
// unsaved texts above them. It keeps both current, and package graph and package query read them.
//
// A shard is index.db (SQLite, one writer and several readers) with what an update has to know of
// files, and next to it the segments of index/postings, which hold all that queries read: terms,
// symbols and references. index.db lists the valid segments. An update makes a plan
// (update_plan.go). Workers take its files (work_queue.go, update_workers.go), while finished
// batches are committed (update_pipeline.go). At the end, or in the background after that of a
// whole root (compact.go), segments are merged (segment_merge.go).
//
// Its promises to queries:
//   - A [Reader] shows one generation of each shard, the newest that any process has committed, as
//     [View]s that stay usable until the call returns.
//   - Texts are those that the workspace serves now. Where a file has changed since it was indexed,
//     [CurrentTexts] parses it again. An unsaved text hides its file on disk, and is never stored.
//   - What is read is what was written for this root, or the call fails with [ErrDamaged]. Then the
//     next update builds the shard again, with one notice to the person.
//   - One process writes at a time. When it dies, the system releases its lock; after a crash, or on
//     a full disk, the last committed generation remains.
//
// Offsets are bytes, 0-based and end-exclusive. Lines are 1-based and inclusive. Hashes are those of
// internal/workspace.
package shards
