// Package wording has the forms in which tools and models speak to each other: code as snippets
// and with line numbers, the text of results, short hashes, and failures with the nearest
// candidates. It knows no tool.
//
// Its promises:
//
//   - What is written can be read back: a [Scanner] finds each [Snippet] again, byte for byte and in
//     whatever pieces a text arrives, and [Unnumbered] takes off what [Numbered] has put on. A text
//     that only looks like one of them stays as it is.
//   - Deterministic: equal input gives equal bytes.
//   - One line stays one line: [OneLine], [InLine] and [Cut] end between words, since a part of a
//     secret is not recognized as one, and a path that could deceive a reader is written as JSON.
package wording
