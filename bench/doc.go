// Command bench measures the index and the engine. In the same run and on the same files it measures
// floors and peers for comparison, and prints one table.
//
// Seconds alone say little about the cost of an index, since they depend on the machine. So a figure
// has a floor where possible: the least that any program could take for the same result. A target is
// a ratio to the floor, or a size or time that a person notices. Peers are well-known programs.
//
// The figures, by the part that -only names:
//
//   - cold: `ploke-lsp index` into an empty state folder: wall time, processor time (user and
//     system) and peak resident set of the process. The floor is a process that reads the same
//     files and parses the supported languages with tree-sitter, on all cores, and discards each
//     tree. Both run alternately. The figures are medians, the peak is the maximum.
//   - size: the size of the index's files, compared with the size of the indexed texts.
//   - small: the time from the start of `ploke-lsp serve` on 1,000 files, none of which is indexed,
//     until it reports a ready index. The floor is that of cold.
//   - languages: the processor time of the parser for each language, in code of this machine (Go's folders and module
//     cache, /usr/include, /usr/lib, /usr/share), or in the samples of the tests where there is none; and small for
//     up to 1,000 files of each language that has 300.
//   - binary: the size of the program without symbols, and of the object of each grammar; the time from its start to
//     its end if it only says its version.
//   - memory: the memory, but for pages that are mapped from files, of `ploke-lsp serve` once it is stable, after it
//     has indexed the tree and after it has opened an existing index.
//   - twins: eight servers that are started at once on a tree that is not indexed yet: the sum of their
//     memory, in which a page that several share counts once, and the time from didChange at one of
//     them until a search in another process finds the text.
//   - warm: nothing has changed since the tree was indexed. Measured are the time from the start of
//     `ploke-lsp serve` until it reports a ready index, and within a process the time from opening
//     the index to the first answer, with and without an update before it. The floor is one lstat
//     call for each file. inotify counts the source files that are opened, in a copy of a part of
//     the tree that no other process uses.
//   - edit: a word is inserted into an open file, one of about 1,000 lines and one of about 10,000 lines,
//     at a random place, and searched for until it is found: in process by Index.SetBuffer and Search, and over the
//     wire by textDocument/didChange, which removes the word before and inserts the next, and ploke/search, from the
//     notification to the answer of a search right behind it. The search finds the word by its text alone: the
//     editor has no cursor, and a word that is in no file is not found.
//   - query: queries of three to eight words from doc comments and names of the tree, with 20
//     results; names with one or two typing errors; texts of 8 KB; the incoming references of the most
//     common names. The seed is fixed. The same queries for a whole
//     request_code_context, packing included, next to ripgrep's search for the words; also while
//     a copy of the tree is indexed as a second root.
//   - dense: the 100 nearest of 100,000 random vectors of 768 dimensions.
//   - editor: a person types in an open file of about 200 KB, eight letters at each of many places.
//     After each letter, over the wire: the time from writing didChange until a hover, which finds
//     nothing, is answered; the time of a request for code actions there; of completing # and a
//     part of a name in a chat document, with the change that types it; and of a workspace/symbol
//     request for that part. Then the same while the index is rebuilt and three turns run.
//   - engine: turns with 8 concurrent tool calls that take up to 3 ms and sometimes fail, in
//     process: the time of a turn less the model, the tools and the commits, and the number of
//     commits. Over the wire: the time from a model server's first token to the client. The floor is
//     a process that copies the first line of each stream to its standard output.
//   - engine-scaling: over the wire, the time of one call among 2,000 in a response, of one turn
//     after 1,000 in a conversation, and of one turn with 10,000 staged proposals. Each is
//     compared with the time among a tenth as many.
//   - engine-growth: in process, one conversation of 10 to 10,000 turns, each with three calls whose results
//     are as long as those of searches: the time of a turn, the room that state.db takes for a turn, and the
//     memory of the engine.
//   - memory-over-time: the anonymous memory of `ploke-lsp serve` before a document of 60 MB is opened and
//     after it is closed, and how much its median grows while turns run one after another for ten minutes.
//   - scaling: one, two, four and ten copies of a part of the tree, per 1,000 files.
//   - growth: the same for generated trees of 10,000 small files and ten times as many, up to -grow.
//   - many-files: 200,000 generated files of four lines: a turn with a model that answers at once, in a server that
//     watches them, and the command search from its start to its end, while the server runs and without it.
//   - proof: the time to make a trial of what is proposed, and that of a command in it which does nothing, less its
//     time outside, on few files and on 200,000; a compile step in a trial and outside. It needs bubblewrap.
//   - compiler: language servers (gopls, typescript-language-server, pyright, clangd) on code that -code names, in a
//     copy without inner Go modules. For random functions, methods and types: which callers, references and
//     implementers code_item_edges misses by name, and which of its are wrong, if the server's count as true; the
//     time of a call that asks the server, and of the server alone. What is wrong with a proposal of ten files, with
//     the server's problems before and after. 50 renames by the server, applied to the copy and compiled, with what
//     stands in strings and comments (links in doc comments are references). -list prints what differs.
//   - peers: ctags, cindex, zoekt, gopls and tree-sitter's own program for the index, which parses Go's files on one
//     core; csearch, zoekt and ripgrep for a search. The ratio is our figure divided by the peer's.
//   - other: cold, size, warm and query on a tree in another language.
//   - copies: the queries and the memory at rest again, on ten copies of the tree.
//
// Measurements that take memory run in processes of their own (see worker), so that this process
// stays small: a child's peak includes its parent's. It runs on Linux.
//
// The results of each run are kept in a file with the name of the commit, and the table shows how each
// figure has changed since the last other commit that has it. If a target is missed, the exit status is 1.
// On a virtual machine, they also say how much of the processor time its host gave to others.
// With -page, the program brings the tables of docs/performance.md up to date instead.
package main
