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
//   - Segments are mapped into memory where the system supports it. A segment with a
//     damaged footer is refused when opened. Damage elsewhere may change what is found,
//     but it never makes a reader leave the bounds of the segment.
//
// The package does not depend on languages or databases.
package postings
