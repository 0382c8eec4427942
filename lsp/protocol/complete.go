package protocol

// MethodChatComplete completes what a person writes in a message: the word before the cursor. A word
// that begins with @ names a file, a folder or what [MethodChatSend] takes for more, such as @diff; # names a symbol,
// and / at the beginning of the message a slash command. It needs no document, so it is for clients with an input of
// their own. What the person has open, has edited and has talked about comes first.
const MethodChatComplete = "ploke/chat/complete"

// ChatCompleteParams is the beginning of a message.
type ChatCompleteParams struct {
	Text string `json:"text"` // before the cursor
	// ConversationID is the conversation that the message is for: the files that it is about come before others.
	ConversationID string `json:"conversationId,omitzero"`
	// Actions are those of the client that a word behind / may stand for. By default none are offered.
	Actions []ClientAction `json:"actions,omitzero"`
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
	Matched    []int          `json:"matched,omitzero"` // the letters of the label that the word has: offsets in UTF-16 code units
	Detail     string         `json:"detail,omitzero"`
	Insert     string         `json:"insert"`              // the text that replaces the word, without a space behind it
	Attachment *Attachment    `json:"attachment,omitzero"` // what it names, for [ChatSendParams]; omitted for a command
	// Action is what the client does instead of inserting a text, which is empty.
	Action ClientAction `json:"action,omitzero"`
}

// CompletionKind is what a completion names.
type CompletionKind string

// The kinds of completions.
const (
	CompletionFile    CompletionKind = "file"
	CompletionFolder  CompletionKind = "folder" // it ends with a slash, behind which the folder's entries are completed
	CompletionSymbol  CompletionKind = "symbol"
	CompletionCommand CompletionKind = "command" // also a word such as @diff
	CompletionAction  CompletionKind = "action"  // what the client does
)

// ClientAction is something that a client does when the person chooses it.
type ClientAction string

// The actions.
const (
	ActionNew        ClientAction = "new"        // begins a new conversation
	ActionModel      ClientAction = "model"      // lets the person choose the model
	ActionHelp       ClientAction = "help"       // shows what can be done
	ActionAddCommand ClientAction = "addCommand" // creates a slash command in the folder of [SlashCommandsResult]
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
