// Package setup knows how to configure other people's editors for ploke-lsp: the text of each
// configuration, where it belongs, and how to put it into a file that a person has written. It also
// names a model in the settings of ploke-lsp.
//
// Its promises:
//
//   - What it writes for an editor is one block between two marker comments. All else in the file stays, byte for byte.
//   - Taking the block out restores the bytes from before, if nothing else has changed.
//   - A file is replaced at once or not at all. A dated copy next to it has whatever a person may miss.
//   - A file that is a link, is in a workspace, or can't be understood is not touched.
package setup
