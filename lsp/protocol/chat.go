package protocol

// The methods of conversations. A conversation is a tree of messages: a branch leads from its
// root to a leaf. Those that name a conversation fail if there is none with this id.
const (
	// MethodChatCreate creates an empty conversation.
	MethodChatCreate = "ploke/chat/create"
	// MethodChatList lists all conversations of the workspace.
	MethodChatList = "ploke/chat/list"
	// MethodChatHistory reads the messages of a branch. It waits up to a second for an answer that another
	// server writes: the server of an editor that was closed a moment ago is about to end.
	MethodChatHistory = "ploke/chat/history"
	// MethodChatSiblings reads the places at which a branch has alternatives.
	MethodChatSiblings = "ploke/chat/siblings"
	// MethodChatRename changes the title of a conversation.
	MethodChatRename = "ploke/chat/rename"
	// MethodChatDelete deletes a conversation with its messages. It fails while a turn runs in it.
	MethodChatDelete = "ploke/chat/delete"
	// MethodChatSearch searches all titles and messages for words.
	MethodChatSearch = "ploke/chat/search"
	// MethodChatExport exports the messages of a branch as Markdown.
	MethodChatExport = "ploke/chat/export"
)

// ChatCreateParams describes a new conversation.
type ChatCreateParams struct {
	Title string `json:"title,omitzero"`
}

// ChatCreateResult holds the id of the new conversation.
type ChatCreateResult struct {
	ConversationID string `json:"conversationId"`
}

// ChatListResult holds all conversations.
type ChatListResult struct {
	Conversations []Conversation `json:"conversations"` // the most recently updated first
}

// A Conversation is the summary of a conversation.
type Conversation struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	UpdatedAt int64  `json:"updatedAt"` // in milliseconds since 1970
	Messages  int    `json:"messages"`  // how many it has
	// State is what a list shows of it; omitted if there is nothing to show.
	State ConversationState `json:"state,omitzero"`
}

// ConversationState says that a conversation may want the person.
type ConversationState string

// The states.
const (
	ConversationRunning ConversationState = "running" // an answer is being written
	ConversationWaiting ConversationState = "waiting" // for an answer to a permission request
	ConversationFailed  ConversationState = "failed"  // its last answer has failed, or was interrupted
)

// ChatHistoryParams selects a branch.
type ChatHistoryParams struct {
	ConversationID string `json:"conversationId"`
	LeafID         string `json:"leafId,omitzero"` // of the last message; by default the newest one
}

// ChatHistoryResult holds the messages of a branch.
type ChatHistoryResult struct {
	Messages []Message `json:"messages"` // the oldest first
}

// ChatSiblingsParams selects a branch.
type ChatSiblingsParams struct {
	ConversationID string `json:"conversationId"`
	LeafID         string `json:"leafId,omitzero"` // of the last message; by default the newest one
}

// ChatSiblingsResult holds the forks of the branch.
type ChatSiblingsResult struct {
	Forks []Fork `json:"forks"` // the one nearest to the root first
}

// A Fork is two or more messages with the same parent.
type Fork struct {
	ParentID string    `json:"parentId,omitzero"` // omitted at the root
	Messages []Sibling `json:"messages"`          // the oldest first
}

// A Sibling is one of the messages at a fork.
type Sibling struct {
	ID        string        `json:"id"`
	Role      MessageRole   `json:"role"`
	Status    MessageStatus `json:"status"`
	Excerpt   string        `json:"excerpt"`   // its first words, on one line
	CreatedAt int64         `json:"createdAt"` // in milliseconds since 1970
	LeafID    string        `json:"leafId"`    // of the newest branch through it, for [ChatHistoryParams]
	Current   bool          `json:"current"`   // it is on the branch
}

// ChatRenameParams changes the title of a conversation.
type ChatRenameParams struct {
	ConversationID string `json:"conversationId"`
	Title          string `json:"title"`
}

// ChatDeleteParams deletes a conversation with its messages.
type ChatDeleteParams struct {
	ConversationID string `json:"conversationId"`
}

// ChatSearchParams searches all titles and messages for words.
type ChatSearchParams struct {
	Query string `json:"query"`
	Limit int    `json:"limit,omitzero"` // by default 50
}

// ChatSearchResult holds the titles and messages that contain all words.
type ChatSearchResult struct {
	Results []ChatSearchHit `json:"results"` // the newest first
}

// A ChatSearchHit is a message or, without its id, the title of a conversation.
type ChatSearchHit struct {
	ConversationID string `json:"conversationId"`
	Title          string `json:"title"`
	// also the leaf of the history up to it, for [ChatHistoryParams]
	MessageID string      `json:"messageId,omitzero"`
	Role      MessageRole `json:"role,omitzero"`
	Excerpt   string      `json:"excerpt"`
	At        int64       `json:"at"` // in milliseconds since 1970
}

// ChatExportParams selects a branch.
type ChatExportParams struct {
	ConversationID string `json:"conversationId"`
	LeafID         string `json:"leafId,omitzero"` // of the last message; by default the newest one
}

// ChatExportResult holds the exported text.
type ChatExportResult struct {
	Markdown string `json:"markdown"`
}
