// Package mcp is a server of the Model Context Protocol: it gives the tools of a project to a
// program that brings its own model, on standard streams or over HTTP on this machine.
//
// Its promises:
//
//   - A client can list the tools at once, while the project is still being opened. A call of a
//     tool waits for that. In the first seconds it also waits for the index. Then it answers from
//     what there is, and says so.
//   - Secrets leave as placeholders, as they do to a model.
//   - Nothing is written unless the person has started the server so that edits are applied. Even
//     then the person is asked about files that run or instruct programs by themselves. A client
//     that can't ask leaves the edit waiting as a proposal.
//   - Over HTTP, each request needs the token, and names this machine as its host. Requests of web
//     pages are refused.
package mcp
