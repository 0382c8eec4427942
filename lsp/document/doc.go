// Package document holds the documents that are open in the editor, and those that the server writes
// for the person. It knows how the client counts positions, and which edits it applies.
//
// Its promises:
//
//   - A [Document] is one version of a text, and never changes.
//   - A text is known or it is not: after a notification that can't be applied the document is out of
//     step, and has no text, until the client sends all of it.
//   - Changes are applied in the order of their versions, even if a client with that quirk sends them
//     in another one.
//   - Who must know of a text learns of it by one [Event] from [Sync], in the order in which the
//     followers are listed, before the next event. The [Table] has the text already.
//   - Each version is parsed at most once, and only when its symbols are needed.
//   - [Views.Edit] disturbs nothing that is typed elsewhere in the document.
//   - What the server writes in a workspace follows no link, and replaces nothing of the person's.
package document
