// Package modules reads what texts of modules import and export, in Python, Rust, TypeScript and JavaScript, and
// of what moves also in Go and Java; and which lines name an attribute of a class.
//
// Its promises:
//   - A name that it returns stands in the text, outside of comments.
//   - What it can't tell from the text, it says so: no line is changed by a guess.
//   - It knows no tool, and reads no file.
package modules
