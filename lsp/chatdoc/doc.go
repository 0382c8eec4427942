// Package chatdoc is the text of a chat document: a conversation as Markdown that a person
// reads and writes in any editor. It has no state and does no input or output.
//
// The first line is a comment that names the conversation and the last message of the
// branch that is shown. Each turn has two headings, which begin at the start of a line:
//
//	<!-- ploke chat 0198c0de-… 0198c0df-… -->
//	# What does Serve do?
//
//	## You 1
//
//	What does Serve do?
//
//	## ploke 1 · embedded
//
//	- ⚙ 1 code_item_lookup: lsp/server.go
//
//	Serve serves one client.
//
//	## You 2
//
// The person writes below the last heading. A heading may name a model behind its number. The
// conversation is stored elsewhere; the document is a view of it. [Parse] finds the parts of
// a text, [Render] makes one, [Update] adds what a text lacks, [Rewrite] shows another branch, and a
// [Writer] streams an answer into a text that changes meanwhile.
//
// No text of a message can look like a heading of a turn, since such lines are indented by
// a space, which Markdown ignores. Offsets are in bytes.
package chatdoc
