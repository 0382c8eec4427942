// Package query searches an index: for what words mean ([Searcher.Search]), and for symbols and
// files by their names.
//
// A search parses its text (query_parse.go) into terms, and into names, paths and quotations that it
// mentions (query_mention_*.go). It scores whole documents (score_docs.go), then the units of the
// best documents (score_units.go), with BM25 (bm25.go) and further signals (weights.go), and ranks
// the units (rank.go) so that they are not all of one file (diversify.go). It also says
// how sure it is that the project has what the query is about (evidence.go). Names are matched as far as
// they fit (symbol_fit.go, fuzzy.go).
//
// Its promises:
//   - The same query on the same workspace gives the same hits in the same order, however the index
//     was built and whichever process built it.
//   - Each unit is described by the text that the workspace serves now. What no longer exists is
//     left out.
//   - A signal that is not there costs nothing: without vectors, history or an editor's state, the
//     others decide.
//   - It reads views of package shards, and changes nothing.
package query
