// Package postings reads and writes the inverted index of text search: for each term
// of a set of documents, the places where it occurs.
//
// A document is a file. It is divided into units: the file itself first, then its
// symbols. Each word belongs to the innermost unit around it. The list of a term names
// the documents that contain the term, and for each document the units and how often
// the term occurs in each of their fields.
//
// Its promises:
//   - A segment never changes once it is written. A changed document is added to a new
//     segment. The caller keeps track of which documents are live, and Merge leaves out
//     the others.
//   - Texts and queries are split into terms by the same function.
//   - Segments are mapped into memory where the system supports it.
//   - Each block of a segment is compared with its checksum when it is first read. A damaged
//     block, a file that becomes shorter, and content that no writer writes end the [Read]
//     around them. What was read before is right. Later changes to a block that was compared
//     are not noticed.
//
// The package does not depend on languages or databases.
package postings
