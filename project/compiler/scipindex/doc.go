// Package scipindex answers what code means from files that compilers' indexers have made in the format SCIP, without a
// server. [Files] is a [compiler.Source].
//
// Its promises:
//
//   - Only documents whose texts are those that were indexed are told of. That is certain if the file has the text; if
//     it names the commit that it was made at, and the text is that of the commit; or if it was made in this very
//     folder, and the text has not changed on disk since. And each place of a document must begin and end where words
//     do. Everything else is absent: an answer says of which places it knows what they mean.
//   - A file that is damaged or cut off is not used.
//   - A file is read once as a whole, document by document, and after that only the documents of an answer. What stays
//     in memory has a bound for all files together.
//   - A file that is replaced is read again. It is not written to.
package scipindex
