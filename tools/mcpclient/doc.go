// Package mcpclient gives conversations the tools of MCP servers: of those in the user's settings, and
// of those that a client passes for a conversation.
//
// Its promises:
//
//   - A server is started when a turn first needs it, and again after it has ended, each time later.
//     It ends with the program, and so do all processes that it has started.
//   - A server gets the environment variables that checks get, and those that its settings name.
//     It does not run in the workspace, unless its settings say so.
//   - Each tool asks for permission. A permanent answer holds for this tool of this server as it
//     describes itself now.
//   - Nothing that a server says is believed. Its names, descriptions, schemas and results are
//     bounded, and what breaks the protocol is left out. The person reads one message about it.
//   - A server gets no secrets in place of placeholders. What it returns is shown as data.
//   - The tools of a turn don't change. A tool that has changed meanwhile is not called.
package mcpclient
