// Command bench measures the index and the engine against floors that it measures itself, in the
// same run and on the same files, and prints one table.
//
// What an index costs says little in seconds, which are the machine's; so each
// figure that can have one has a floor: the least that anything could do that gives
// the same. A target is a ratio to the floor, or a size or time that a person
// notices. Beside the floors stand the peers, programs that people know.
//
// The figures, by the part that -only names:
//
//   - cold: `ploke-lsp index` into an empty state folder: wall clock, processor time
//     (user and system) and peak resident set of the process. The floor is a process
//     that reads the same files and parses with tree-sitter those that have a
//     language, on all cores, and closes each tree. Both run in turns; figures are
//     medians, the peak is the largest.
//   - size: the bytes of the index's files by those of the texts that it holds.
//   - memory: the resident set of `ploke-lsp serve` that has indexed the tree, or
//     found it indexed, once it no longer changes.
//   - warm: nothing has changed since the tree was indexed. From the start of
//     `ploke-lsp serve` to its saying that the index is ready; and in a process that
//     runs already, from opening the index to the first answer, with and without an
//     update before it. The floor is one loop of lstat over the same files. That no
//     file is read is shown by the kernel: inotify tells of each open of a file by
//     its folder, for a copy of a part of the tree that nobody else looks at.
//   - edit: a word is typed into an open file of about 1,000 lines, at a random
//     place, and searched for until it is found: in process by Index.SetBuffer and
//     Search, and over the wire by textDocument/didChange and ploke/search, less the
//     pause for which the server waits for more keystrokes.
//   - query: questions of three to eight words from doc comments and names of the
//     tree, 20 results; names misspelt by one or two edits. The seed is fixed. The same
//     questions of the whole of request_code_context, packing included, also while a copy
//     of the tree is indexed as a second root, beside ripgrep's scan for the words.
//   - engine: turns with 8 calls at once, of tools that take up to 3 ms and fail now
//     and then, in process: what a turn takes less the model, the tools and the commits,
//     and the number of commits. Over the wire: from a model server's writing the first
//     words of an answer to the editor's having them.
//   - scaling: one, two and four copies of a part of the tree, per 1,000 files.
//   - peers: ctags, cindex and gopls for the index, csearch and ripgrep for a search.
//     The ratio is ours by theirs.
//   - other: cold, size, warm and query on a tree of another language.
//   - copies: the queries again, on ten copies of the tree.
//
// Every measurement that takes memory runs in a process of its own (see worker), and
// this process stays small. It says what it found and exits with 0 also where a
// target was missed: it is no test. It runs on Linux.
package main
