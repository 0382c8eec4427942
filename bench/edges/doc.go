// Command edges measures how well the index finds the references to symbols, and their callers, against language
// servers.
//
// It takes folders of projects, and servers of languages: gopls, pyright-langserver, and TypeScript's tsserver.js. Of
// each project it draws symbols at random, the same in each run, and asks both for the references. What a server
// says is taken as true. For each language it prints recall and precision of references, callers and heirs (places
// where a type says that it inherits from the symbol), and how often each kind of mistake is made:
//
//   - a missing place was unlikely (too little confidence), unresolved (said to be a namesake whose meaning is not
//     known), elsewhere (resolved to another symbol), or unread (no reference was read there);
//   - a wrong place is named by its confidence.
//
// A caller is a place whose name is followed by an opening parenthesis, for a server, and a reference of that kind,
// for the index. The symbol's own declaration never counts, nor do places outside of the project.
package main
