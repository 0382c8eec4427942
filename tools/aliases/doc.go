// Package aliases knows the names under which other coding agents have the tools and the arguments
// of this program. A model that was trained with theirs writes them in its calls.
//
// Its promises:
//
//   - An alias has one meaning. A name that stands for different things in those tools, such as
//     offset, is not among them.
//   - Names are compared as plain names: startLine, start_line and StartLine are the same.
//   - It knows no schema and runs nothing: it translates names, and the few values whose form differs.
//   - No model is told of an alias.
package aliases
