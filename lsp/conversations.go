package lsp

import (
	"context"

	"ploke-lsp/internal/rpc"
	ploke "ploke-lsp/lsp/protocol"
)

// defaultChatSearchLimit is how many messages a search returns if the request names no limit.
const defaultChatSearchLimit = 50

func (s *Server) chatCreate(ctx context.Context, p *ploke.ChatCreateParams) (*ploke.ChatCreateResult, error) {
	engine := s.project.Engine
	rpc.Release(ctx)
	c, err := engine.Create(ctx, p.Title)
	if err != nil {
		return nil, err
	}
	return &ploke.ChatCreateResult{ConversationID: c.ID}, nil
}

func (s *Server) chatList(ctx context.Context, _ *rpc.None) (*ploke.ChatListResult, error) {
	engine := s.project.Engine
	rpc.Release(ctx)
	all, err := engine.Conversations(ctx)
	if err != nil {
		return nil, err
	}
	result := &ploke.ChatListResult{Conversations: []ploke.Conversation{}}
	for _, c := range all {
		result.Conversations = append(result.Conversations, ploke.Conversation{
			ID: c.ID, Title: c.Title, UpdatedAt: c.UpdatedAt.UnixMilli(), Messages: c.Messages,
		})
	}
	return result, nil
}

func (s *Server) chatHistory(ctx context.Context, p *ploke.ChatHistoryParams) (*ploke.ChatHistoryResult, error) {
	project, client := s.project, s.client
	rpc.Release(ctx)
	if err := project.Engine.SettleOthers(ctx, p.ConversationID); err != nil {
		return nil, err
	}
	messages, err := project.Engine.History(ctx, p.ConversationID, p.LeafID)
	if err != nil {
		return nil, err
	}
	answers, err := project.StoredAnswers(ctx, p.ConversationID, messages)
	if err != nil {
		return nil, err
	}
	result := &ploke.ChatHistoryResult{Messages: []ploke.Message{}}
	for i := range messages {
		result.Messages = append(result.Messages, client.EncodeMessage(&messages[i], answers[messages[i].ID]))
	}
	return result, nil
}

func (s *Server) chatSiblings(ctx context.Context, p *ploke.ChatSiblingsParams) (*ploke.ChatSiblingsResult, error) {
	engine := s.project.Engine
	rpc.Release(ctx)
	forks, err := engine.Forks(ctx, p.ConversationID, p.LeafID)
	if err != nil {
		return nil, err
	}
	result := &ploke.ChatSiblingsResult{Forks: []ploke.Fork{}}
	for _, f := range forks {
		fork := ploke.Fork{ParentID: f.ParentID}
		for _, m := range f.Messages {
			fork.Messages = append(fork.Messages, ploke.Sibling{ID: m.ID, Role: ploke.MessageRole(m.Role), Status: ploke.MessageStatus(m.Status),
				Excerpt: m.Excerpt, CreatedAt: m.CreatedAt.UnixMilli(), LeafID: m.LeafID, Current: m.Current})
		}
		result.Forks = append(result.Forks, fork)
	}
	return result, nil
}

func (s *Server) chatRename(ctx context.Context, p *ploke.ChatRenameParams) (any, error) {
	engine := s.project.Engine
	rpc.Release(ctx)
	return struct{}{}, engine.Rename(ctx, p.ConversationID, p.Title)
}

func (s *Server) chatDelete(ctx context.Context, p *ploke.ChatDeleteParams) (any, error) {
	engine := s.project.Engine
	rpc.Release(ctx)
	return struct{}{}, engine.Delete(ctx, p.ConversationID)
}

func (s *Server) chatSearch(ctx context.Context, p *ploke.ChatSearchParams) (*ploke.ChatSearchResult, error) {
	engine := s.project.Engine
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

func (s *Server) chatExport(ctx context.Context, p *ploke.ChatExportParams) (*ploke.ChatExportResult, error) {
	project := s.project
	rpc.Release(ctx)
	text, err := project.Engine.Export(ctx, p.ConversationID, p.LeafID, func(text string) string {
		return project.Markdown(ctx, p.ConversationID, text)
	})
	if err != nil {
		return nil, err
	}
	return &ploke.ChatExportResult{Markdown: text}, nil
}
