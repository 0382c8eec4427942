// Package modules reads what a module exports from its text, in Python, Rust, TypeScript and JavaScript.
//
// Its promises:
//   - A name that it returns stands in the text, outside of comments.
//   - It knows no tool, and reads no file.
package modules
