// Package conventions has what projects of many kinds have in common: how manifests name dependencies, scripts and
// versions, by which commands a project is built or tested, how prose says what something is, and how a line of code
// declares something.
//
// Its promises:
//
//   - It knows no tool: what it returns depends on its arguments only.
//   - What it holds is never changed. It may be used by several goroutines at once.
package conventions
