// Package pagesum makes SQLite notice damaged pages. SQLite itself notices only damage
// that breaks the form of a page, and returns other damage as content.
//
// It registers a VFS with the name [VFS]. A database that is created with it has a
// checksum in the last bytes of each page. A read that finds another checksum fails with
// SQLITE_IOERR_DATA, see [Damaged]. A page of the write-ahead log is compared with the
// checksum that SQLite has in front of it, which it otherwise reads only after a crash.
//
// Its promises:
//   - Every page that SQLite takes from the database or its log is as it was written, and
//     is the page that was asked for, or the read fails.
//   - A database without checksums is refused.
//
// A connection needs [Prepare] before its first statement.
package pagesum
