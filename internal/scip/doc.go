// Package scip reads and writes indexes of code in the format SCIP: messages of Protocol Buffers that say which symbol
// is named at each place of a project's documents. Compilers' indexers make such files.
//
// Its promises:
//
//   - A file is read part by part. No more than one part is in memory, and no part of more than [MaxPart] bytes: a
//     longer one is passed over. A document is read occurrence by occurrence, without a list of them.
//   - Whatever a file holds, it is read or an error: it neither panics nor has more memory taken than its bytes have.
//   - What a [Writer] writes is read back as it was.
//
// Lines and characters are counted from 0, and characters in the units of the document's [Encoding]. Byte slices that
// a reader returns share its memory: those of a part hold until the next one is read.
package scip
