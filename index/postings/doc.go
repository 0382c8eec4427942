// Package postings keeps, for the terms of a set of documents, where they occur:
// the files that text search reads.
//
// A document is a file, cut into units (the file itself first, then its symbols)
// so that each of its words belongs to the innermost unit around it. A term's list
// names the documents with it, and for each the units and how often the term occurs
// in each of their fields.
//
// Its promises:
//   - A segment is immutable once written. Changing a document means adding it to a
//     new segment; who is alive is the caller's business, and Merge leaves the dead out.
//   - Terms are made by one function, for texts and queries alike.
//   - Segments are mapped into memory where the system can do so. A damaged segment
//     is refused when opened; nothing in it makes a reader leave its bounds.
//
// The package knows neither languages nor databases.
package postings
