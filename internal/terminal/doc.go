// Package terminal writes for a person at a terminal: styles, links, lines that fit the width, and Markdown while it
// comes.
//
// Its promises:
//
//   - No character of a text drives the terminal. All text goes through [display.Escape]; the only control sequences
//     are the package's own: those that set and reset a style, and those of a link (OSC 8), whose address is printable
//     ASCII.
//   - A style ends with the text that it is for, so that what others write meanwhile is not in it.
//   - Text is shown when its meaning is certain: a word when it ends, an emphasis when its end has come. What is held
//     back is bounded.
//
// Which text is code, and which link may be followed, is decided before, by [display.Markdown].
package terminal
