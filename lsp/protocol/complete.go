package protocol

// MethodChatComplete completes what a person writes in a message: the word before the cursor. A word
// that begins with @ names a file or a folder, # a symbol, and / at the beginning of the message a slash
// command. It needs no document, so it is for clients with an input of their own.
const MethodChatComplete = "ploke/chat/complete"

// ChatCompleteParams is the beginning of a message.
type ChatCompleteParams struct {
	Text string `json:"text"` // before the cursor
}

// ChatCompleteResult holds what the word before the cursor may become. There are no items if it is not one
// of these words.
type ChatCompleteResult struct {
	Replace int              `json:"replace"` // how many UTF-16 code units before the cursor an item replaces
	Items   []ChatCompletion `json:"items"`   // the best first; they fit the word, so a client need not filter them
}

// A ChatCompletion is one way to complete the word.
type ChatCompletion struct {
	Kind       CompletionKind `json:"kind"`
	Label      string         `json:"label"`
	Detail     string         `json:"detail,omitzero"`
	Insert     string         `json:"insert"`              // the text that replaces the word, without a space behind it
	Attachment *Attachment    `json:"attachment,omitzero"` // what it names, for [ChatSendParams]; omitted for a command
}

// CompletionKind is what a completion names.
type CompletionKind string

// The kinds of completions.
const (
	CompletionFile    CompletionKind = "file"
	CompletionFolder  CompletionKind = "folder" // it ends with a slash, behind which the folder's entries are completed
	CompletionSymbol  CompletionKind = "symbol"
	CompletionCommand CompletionKind = "command"
)

// MethodChatMentions reads the files, folders and symbols that a message mentions, as in "Why does @lib/x.go#L10-L20
// fail in #Server.Run?". [MethodChatSend] does not read a message like this: a client that lets people write so sends
// what they mention as attachments.
const MethodChatMentions = "ploke/chat/mentions"

// ChatMentionsParams is a message.
type ChatMentionsParams struct {
	Text string `json:"text"`
}

// ChatMentionsResult holds what a message mentions, in the order of the text, each once.
type ChatMentionsResult struct {
	Mentions []ChatMention    `json:"mentions"`
	Unknown  []UnknownMention `json:"unknown,omitzero"` // words behind an @ or a # that are just text
}

// A ChatMention is a file, lines of one, a folder or a symbol in a message.
type ChatMention struct {
	Text       string             `json:"text"` // as it is in the message, with the @ or the #
	Attachment Attachment         `json:"attachment"`
	Details    *AttachmentDetails `json:"details,omitzero"` // omitted if there is a problem
	Problem    string             `json:"problem,omitzero"` // why [MethodChatSend] would refuse it
}

// An UnknownMention is a word that looks like a mention, and names nothing or several symbols, or a file without its
// folder.
type UnknownMention struct {
	Text   string `json:"text"` // as it is in the message, with the @ or the #
	Reason string `json:"reason"`
	Count  int    `json:"count,omitzero"` // how many symbols, or files in folders, have this name
}

// MethodChatSent lists what the person has sent before, for an input in which a key walks back through it.
const MethodChatSent = "ploke/chat/sent"

// ChatSentParams says which messages come first.
type ChatSentParams struct {
	ConversationID string `json:"conversationId,omitzero"` // its messages come first; by default none
	Limit          int    `json:"limit,omitzero"`          // by default 100
}

// ChatSentResult holds the texts of sent messages, each one once: those of the conversation, then those of the
// workspace's other conversations, the newest first.
type ChatSentResult struct {
	Texts []string `json:"texts"`
}
