package acp

import (
	"context"
	"slices"
	"strconv"
	"time"

	"ploke-lsp/acp/protocol"
	"ploke-lsp/internal/display"
	"ploke-lsp/internal/rpc"
	"ploke-lsp/session"
	"ploke-lsp/session/llm"
)

// sessionPage is how many sessions a page of the list has.
const sessionPage = 100

// newSession opens a session. Its first message creates the conversation, so that one without a message leaves nothing.
func (a *Agent) newSession(ctx context.Context, p *protocol.SessionParams) (*protocol.SessionResponse, error) {
	rpc.Release(ctx)
	f, err := a.sessionFolder(ctx, p)
	if err != nil {
		return nil, err
	}
	p.SessionID = session.NewConversationID()
	response, err := a.open(ctx, p, f, true)
	if err != nil {
		return nil, err
	}
	response.SessionID = p.SessionID
	return response, nil
}

// resumeSession opens a conversation without replaying it.
func (a *Agent) resumeSession(ctx context.Context, p *protocol.SessionParams) (*protocol.SessionResponse, error) {
	response, _, err := a.openAgain(ctx, p)
	return response, err
}

// loadSession opens a conversation and replays it.
func (a *Agent) loadSession(ctx context.Context, p *protocol.SessionParams) (*protocol.SessionResponse, error) {
	response, fresh, err := a.openAgain(ctx, p)
	if err != nil || fresh {
		return response, err
	}
	s, err := a.sessions.get(p.SessionID)
	if err != nil {
		return nil, err
	}
	return response, s.replay(ctx)
}

// openAgain opens a conversation that exists, or a session that is open and had no message.
func (a *Agent) openAgain(ctx context.Context,
	p *protocol.SessionParams) (response *protocol.SessionResponse, fresh bool, err error) {
	rpc.Release(ctx)
	f, err := a.sessionFolder(ctx, p)
	if err != nil {
		return nil, false, err
	}
	if before, err := a.sessions.get(p.SessionID); err == nil {
		fresh = before.folder == f && before.isFresh()
	}
	if !fresh {
		if _, err := f.project.Engine.Conversation(ctx, p.SessionID); err != nil {
			return nil, false, err
		}
	}
	response, err = a.open(ctx, p, f, fresh)
	return response, fresh, err
}

// sessionFolder opens the folder of a session.
func (a *Agent) sessionFolder(ctx context.Context, p *protocol.SessionParams) (*folder, error) {
	for _, dir := range p.AdditionalDirectories {
		if err := a.folders.check(dir); err != nil {
			return nil, err
		}
	}
	return a.folders.get(ctx, p.CWD)
}

// open opens a session. The client learns of the commands and of all models once it has the
// response, since some clients take no update of a session that they do not know.
func (a *Agent) open(ctx context.Context, p *protocol.SessionParams, f *folder,
	fresh bool) (*protocol.SessionResponse, error) {
	servers, err := toolServers(p)
	if err != nil {
		return nil, err
	}
	s := &openSession{id: p.SessionID, fresh: fresh, folder: f, client: a.client, directories: p.AdditionalDirectories,
		prompts: map[*prompt]bool{}, shown: map[string]chan struct{}{}}
	f.settings.Refresh()
	for _, name := range f.project.Models.Configured() {
		if model, _ := llm.CutEffort(name); !slices.Contains(s.models, model) {
			s.models = append(s.models, model)
		}
	}
	f.project.ToolServers.Use(s.id, servers)
	a.sessions.add(s)
	a.client.afterResponse(ctx, func() {
		a.background.Go(func() {
			s.sendCommands()
			if a.client.hasNotices() {
				f.frontEnd.showMessages(s)
			}
			s.sendModels(f.listModels(a.baseContext))
		})
	})
	return &protocol.SessionResponse{ConfigOptions: s.configOptions()}, nil
}

// listSessions lists the conversations of a folder, or of all folders that are open. Conversations
// without a message are left out.
func (a *Agent) listSessions(ctx context.Context,
	p *protocol.ListSessionsRequest) (*protocol.ListSessionsResponse, error) {
	rpc.Release(ctx)
	list, err := a.listedFolders(ctx, p.CWD)
	if err != nil {
		return nil, err
	}
	var all []protocol.SessionInfo
	for _, f := range list {
		conversations, err := f.project.Engine.Conversations(ctx)
		if err != nil {
			return nil, err
		}
		for _, c := range conversations {
			if c.Messages > 0 {
				all = append(all, protocol.SessionInfo{SessionID: c.ID, CWD: f.cwd, Title: display.Name(c.Title),
					UpdatedAt: c.UpdatedAt.UTC().Format(time.RFC3339)})
			}
		}
	}
	return pageOf(all, p.Cursor)
}

// pageOf returns the page that a cursor names: the number of sessions before it.
func pageOf(all []protocol.SessionInfo, cursor string) (*protocol.ListSessionsResponse, error) {
	start := 0
	if cursor != "" {
		var err error
		if start, err = strconv.Atoi(cursor); err != nil || start < 0 {
			return nil, invalidParams("%q is not a cursor of session/list", cursor)
		}
	}
	start = min(start, len(all))
	end := min(start+sessionPage, len(all))
	result := &protocol.ListSessionsResponse{Sessions: append([]protocol.SessionInfo{}, all[start:end]...)}
	if end < len(all) {
		result.NextCursor = strconv.Itoa(end)
	}
	return result, nil
}

// listedFolders returns the folder with a path, or without one those that are open.
func (a *Agent) listedFolders(ctx context.Context, cwd string) ([]*folder, error) {
	if cwd != "" {
		f, err := a.folders.get(ctx, cwd)
		return []*folder{f}, err
	}
	return a.folders.all(), nil
}

// closeSession stops what the session does.
func (a *Agent) closeSession(ctx context.Context, p *protocol.SessionID) (struct{}, error) {
	s := a.sessions.remove(p.SessionID)
	rpc.Release(ctx)
	if s == nil {
		return struct{}{}, invalidParams("the session %q is not open", p.SessionID)
	}
	s.folder.project.Engine.Stop(s.id)
	s.folder.project.ToolServers.Use(s.id, nil)
	return struct{}{}, nil
}

// deleteSession deletes a conversation of one of the open folders.
func (a *Agent) deleteSession(ctx context.Context, p *protocol.SessionID) (struct{}, error) {
	if s := a.sessions.remove(p.SessionID); s != nil {
		s.folder.project.Engine.Stop(s.id)
		s.folder.project.ToolServers.Use(s.id, nil)
		if s.isFresh() {
			return struct{}{}, nil
		}
	}
	rpc.Release(ctx)
	folders, err := a.listedFolders(ctx, "")
	if err != nil {
		return struct{}{}, err
	}
	for _, f := range folders {
		if _, err := f.project.Engine.Conversation(ctx, p.SessionID); err == nil {
			return struct{}{}, f.project.Engine.Delete(ctx, p.SessionID)
		}
	}
	return struct{}{}, invalidParams("there is no session %q in the folders that are open: list the sessions of its "+
		"folder first", p.SessionID)
}
