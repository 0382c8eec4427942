// Package peer lets the processes that have a folder open tell each other, over local sockets
// or pipes, which documents are open in their editors, with their unsaved texts, and which proposals have
// changed. Such processes are peers of each other.
//
// Its promises:
//   - Only processes of the same user meet. Their sockets are in folders that only their owner
//     can enter, and each end asks the system whose process the other end is. A pipe of Windows lets
//     in no other user, and who connects asks the system whose pipe it is before it says anything.
//   - Processes of the same user with the same folder meet, whatever variables each was started with.
//   - A peer can listen, and ask what is in the folder. There is no message that accepts a proposal, gives a
//     permission, changes a text, or reads a setting or a key.
//   - When a process ends in any way, its texts are forgotten at once.
//   - No process waits for a peer. One that hangs costs a goroutine at each of the others, one that
//     sends what is not in the protocol is not listened to any more, and what one may make the
//     others keep is bounded.
//   - A text arrives as it is when it is sent: of several changes that a slow peer has not read
//     yet, it gets the last one.
//
// # Meeting
//
// Each process listens in all places of [Dirs], at addresses that have the same name, by which the
// others know it. An address is a socket, or a file with the random name of a pipe. When a process
// starts, it connects to all the others that it finds there. A process that accepts a connection reads
// the places again, so that the one that came first learns of the one that came later. So each two
// processes have two connections, each of which carries what one of them says.
// An address has its name only once a process listens there. Where none does, the process has died, and
// the file is removed.
//
// How a process listens, connects, and learns whose process is at the other end is in the file of each
// system, sockets_unix.go and pipes_windows.go. The rest works with any [net.Conn].
//
// # Messages
//
// A message is two lengths, each of four bytes in big-endian order, a header in JSON of the first
// length, and a text of the second. The header of most messages has no text. The side that
// connected sends hello, the other one answers with hello, and then only the other one speaks:
//
//	{"type":"hello","version":1,"program":"1.0.0","texts":true}
//	{"type":"hello","version":1,"program":"1.0.0","state":"0f1e2d3c4b5a6978"}
//	{"type":"open","path":"L2EuZ28=","version":3}   with the text; again after each change
//	{"type":"open","path":"L2IuZ28=","hidden":"it is too large"}
//	{"type":"listed"}                               after all documents that were open
//	{"type":"closed","path":"L2EuZ28="}
//	{"type":"proposals","proposals":["..."],"turns":["..."]}
//
// A client that only asks does not join. It sends a question in place of hello, and gets one
// answer, both as the text of their messages:
//
//	{"type":"ask","version":1,"program":"1.0.0"}    with the question
//	{"type":"taken"}                                at once, and several times a second until there is the answer
//	{"type":"answer"}                               with the answer
//
// Instead of the answer, or of "taken", there may be a sentence in "refused".
//
// Paths are absolute paths of the system in base64, since they may hold any bytes. Without "texts", the messages
// "open" come without texts, and only when a document is opened. The answer to a hello of another
// version is a hello with a sentence in "refused". The form of these two messages stays the same
// in all versions. "state" names the state folder: the proposals of another one are not known here.
//
// # What peers are for
//
// An editor's process tells which documents are open in it, with their texts, except those of skipped
// files. Any other front end borrows these texts: it reads and searches them as if they were its own,
// and forgets them when that process ends. Between two editors only the names of open files count,
// because an editor would apply edits to another text than they were made for. No process writes a
// file that is open in another one's editor: the decision is refused, and the proposal waits there, if
// both have the same state folder. Only if an ACP client and the other process have the same text, and
// the client writes the file, are both taken for the same editor.
//
// A process that needs a language server asks the one that runs it. It gives its unsaved texts along.
//
// The command line asks a peer instead of opening the folder: a search, or a tool that only reads.
// A process refuses if it has other folders open, too, or is an editor's while files are open in
// another one, since it does not have their texts. If none answers, the command opens the folder
// itself. Changes of proposals are told, too, so that the windows of a folder show each other's
// decisions. No process waits for a peer, except once for half a second for what is open at the start.
package peer
