// Package graph resolves the references of a workspace: which symbol each means, who refers to a
// symbol, what implements it, what a file imports, and which symbols are related.
//
// Nothing of it is stored. References are resolved on demand from what the text of their file
// says: scope (resolve_scope.go), imports (resolve_import.go), and the type of the qualifier
// (resolve_member.go). What these leave open is resolved by the name alone, first in the folder and
// in what the file imports. [Edge].Confidence says how certain that is.
//
// Its promises:
//   - An [Overlay] answers for the texts that the workspace serves now, with its own texts laid over
//     them. A file that has changed since it was indexed is parsed again.
//   - Only what an answer needs is loaded, and no more words than a budget where the answer may
//     be incomplete; then it says so.
//   - The same workspace gives the same answers in the same order, whatever was asked before.
//   - It reads views of package shards, and changes nothing.
package graph
