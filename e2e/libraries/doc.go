// Package libraries tests parts of the program against what others wrote for the same purpose: the count of tokens
// against a library, what is exported against OpenTelemetry's own definitions, and Markdown that is made safe against
// readers of Markdown. It is a Go module of its own, since the program needs none of these libraries.
package libraries
