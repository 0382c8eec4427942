// Package records encodes what a segment holds of one file besides its words: its symbols and
// its references.
//
// Its promises:
//   - What is encoded decodes to the same, except the lines of references, which a [LineCounter]
//     counts in the text.
//   - A damaged value is recognized where it is read, or yields other values of the same form. It
//     neither panics nor is read beyond its end.
//   - Only what is asked for is decoded: a [SymbolTable] compares names in the stored bytes, and
//     [References] finds the references to one name without reading the others.
//
// Values share memory with the stored bytes, so they are valid as long as these.
package records
