package chat

import (
	"context"

	"ploke-lsp/internal/rpc"
	"ploke-lsp/lsp/client"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
	"ploke-lsp/session"
	"ploke-lsp/session/records"
)

// defaultChatSearchLimit is how many messages a search returns if the request names no limit.
const defaultChatSearchLimit = 50

// Conversations are the stored conversations of a project.
type Conversations struct {
	project *project.Project
	client  *client.Client
}

// NewConversations returns the conversations of a project, in the form of a client.
func NewConversations(p *project.Project, c *client.Client) *Conversations {
	return &Conversations{project: p, client: c}
}

// Create creates a conversation.
func (c *Conversations) Create(ctx context.Context, p *ploke.ChatCreateParams) (*ploke.ChatCreateResult, error) {
	engine := c.project.Engine
	rpc.Release(ctx)
	created, err := engine.Create(ctx, p.Title)
	if err != nil {
		return nil, err
	}
	return &ploke.ChatCreateResult{ConversationID: created.ID}, nil
}

// List lists the conversations, the one that changed last first.
func (c *Conversations) List(ctx context.Context, _ *rpc.None) (*ploke.ChatListResult, error) {
	engine := c.project.Engine
	rpc.Release(ctx)
	all, err := engine.Conversations(ctx)
	if err != nil {
		return nil, err
	}
	result := &ploke.ChatListResult{Conversations: []ploke.Conversation{}}
	for _, conversation := range all {
		result.Conversations = append(result.Conversations, ploke.Conversation{
			ID: conversation.ID, Title: conversation.Title, UpdatedAt: conversation.UpdatedAt.UnixMilli(),
			Messages: conversation.Messages, State: c.stateOf(conversation),
		})
	}
	return result, nil
}

// stateOf returns what a list shows of a conversation.
func (c *Conversations) stateOf(conversation session.Conversation) ploke.ConversationState {
	switch {
	case c.client.IsAsked(conversation.ID):
		return ploke.ConversationWaiting
	case conversation.Last == records.Pending:
		return ploke.ConversationRunning
	case conversation.Last == records.Failed, conversation.Last == records.Interrupted:
		return ploke.ConversationFailed
	}
	return ""
}

// History returns the messages of a branch of a conversation.
func (c *Conversations) History(ctx context.Context, p *ploke.ChatHistoryParams) (*ploke.ChatHistoryResult, error) {
	project, client := c.project, c.client
	rpc.Release(ctx)
	if err := project.Engine.SettleOthers(ctx, p.ConversationID); err != nil {
		return nil, err
	}
	messages, err := project.Engine.History(ctx, p.ConversationID, p.LeafID)
	if err != nil {
		return nil, err
	}
	answers, err := project.Transcripts.Answers(ctx, p.ConversationID, messages)
	if err != nil {
		return nil, err
	}
	result := &ploke.ChatHistoryResult{Messages: []ploke.Message{}}
	for i := range messages {
		result.Messages = append(result.Messages, client.EncodeMessage(&messages[i], answers[messages[i].ID]))
	}
	return result, nil
}

// Siblings returns where a conversation branches, with the messages that begin each branch.
func (c *Conversations) Siblings(ctx context.Context, p *ploke.ChatSiblingsParams) (*ploke.ChatSiblingsResult, error) {
	engine := c.project.Engine
	rpc.Release(ctx)
	forks, err := engine.Forks(ctx, p.ConversationID, p.LeafID)
	if err != nil {
		return nil, err
	}
	result := &ploke.ChatSiblingsResult{Forks: []ploke.Fork{}}
	for _, f := range forks {
		fork := ploke.Fork{ParentID: f.ParentID}
		for _, m := range f.Messages {
			fork.Messages = append(fork.Messages,
				ploke.Sibling{ID: m.ID, Role: ploke.MessageRole(m.Role), Status: ploke.MessageStatus(m.Status),
					Excerpt: m.Excerpt, CreatedAt: m.CreatedAt.UnixMilli(), LeafID: m.LeafID, Current: m.Current})
		}
		result.Forks = append(result.Forks, fork)
	}
	return result, nil
}

// Rename gives a conversation another title.
func (c *Conversations) Rename(ctx context.Context, p *ploke.ChatRenameParams) (any, error) {
	engine := c.project.Engine
	rpc.Release(ctx)
	return struct{}{}, engine.Rename(ctx, p.ConversationID, p.Title)
}

// Delete deletes a conversation.
func (c *Conversations) Delete(ctx context.Context, p *ploke.ChatDeleteParams) (any, error) {
	engine := c.project.Engine
	rpc.Release(ctx)
	return struct{}{}, engine.Delete(ctx, p.ConversationID)
}

// Search finds messages of all conversations.
func (c *Conversations) Search(ctx context.Context, p *ploke.ChatSearchParams) (*ploke.ChatSearchResult, error) {
	engine := c.project.Engine
	rpc.Release(ctx)
	limit := p.Limit
	if limit <= 0 {
		limit = defaultChatSearchLimit
	}
	found, err := engine.Search(ctx, p.Query, limit)
	if err != nil {
		return nil, err
	}
	result := &ploke.ChatSearchResult{Results: []ploke.ChatSearchHit{}}
	for _, f := range found {
		result.Results = append(result.Results, ploke.ChatSearchHit{ConversationID: f.ConversationID, Title: f.Title,
			MessageID: f.MessageID, Role: ploke.MessageRole(f.Role), Excerpt: f.Excerpt, At: f.At.UnixMilli()})
	}
	return result, nil
}

// Export returns a branch of a conversation as Markdown.
func (c *Conversations) Export(ctx context.Context, p *ploke.ChatExportParams) (*ploke.ChatExportResult, error) {
	project := c.project
	rpc.Release(ctx)
	text, err := project.Engine.Export(ctx, p.ConversationID, p.LeafID, func(text string) string {
		return project.Transcripts.Markdown(ctx, p.ConversationID, text)
	})
	if err != nil {
		return nil, err
	}
	return &ploke.ChatExportResult{Markdown: text}, nil
}
