package lsp

import (
	"log/slog"
	"slices"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/rpc"
	"ploke-lsp/lsp/chat"
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/lsp/review"
	"ploke-lsp/project"
)

// A service is what a client is served once its project is open. Its fields never change, so that
// handlers need no lock for them, before and after release.
type service struct {
	project     *project.Project
	client      *client.Client
	background  *client.Background
	texts       texts
	frontEnd    *frontEnd
	offered     *offeredChoices
	review      *review.Review
	turns       *chat.Turns
	chats       *chat.Documents
	code        *codeActions
	queries     *queries
	permissions *permissions
}

// texts are the documents that are open, and what follows them.
type texts struct {
	documents *document.Table
	parser    *document.Parser
	views     *document.Views
	published *document.Published
	sync      *document.Sync
	notebooks *document.Notebooks
}

// newService returns what is served of a project.
func newService(s *Server, p *project.Project) *service {
	v := &service{project: p, client: s.client, background: s.background, frontEnd: s.frontEnd}
	settings := s.configuration.settings
	v.texts = texts{
		documents: s.documents,
		parser:    document.NewParser(s.client, s.documents, p.Workspace),
		views:     document.NewViews(s.client, s.documents, p.Workspace, s.options.StateDir, s.log),
		published: document.NewPublished(s.client, s.documents),
		notebooks: document.NewNotebooks(s.client, p.Workspace, s.background),
	}
	v.offered = &offeredChoices{client: s.client}
	v.review = review.New(s.frontEnd.review, review.Deps{
		Project: p, Client: s.client, Documents: s.documents, Views: v.texts.views, Published: v.texts.published,
		Applier: s.frontEnd.Applier, Background: s.background, Log: s.log,
	})
	v.turns = chat.NewTurns(chat.Deps{
		Project: p, Settings: settings, Settled: s.configuration.loaded, Client: s.client,
		Documents: s.documents, Parser: v.texts.parser, Views: v.texts.views, Published: v.texts.published,
		Background: s.background, Log: s.log, Editor: s.frontEnd, Notebooks: v.texts.notebooks,
	})
	v.chats = chat.NewDocuments(v.turns, s.options.StateDir)
	s.frontEnd.chats.Store(v.chats)
	v.code = &codeActions{
		project: p, client: s.client, background: s.background, settings: settings,
		parser: v.texts.parser, views: v.texts.views, editorState: s.frontEnd.editorState,
		offered: v.offered, turns: v.turns, chats: v.chats,
	}
	v.queries = &queries{
		project: p, client: s.client, settings: settings, documents: s.documents, parser: v.texts.parser,
		editorState: s.frontEnd.editorState, version: s.options.Version,
	}
	v.permissions = &permissions{project: p, client: s.client, background: s.background, offered: v.offered}
	v.texts.sync = document.NewSync(s.client, s.documents, p.Workspace, s.background, s.log, v.followers()...)
	return v
}

// start starts what goes on in the background until the server stops.
func (s *service) start(log *slog.Logger) {
	ctx := s.background.Context()
	languages, _ := symbolLanguages(s.queries.settings)
	s.background.Go(func() { s.review.Run(ctx) })
	s.background.Go(func() { s.texts.parser.Run(ctx) })
	s.background.Go(func() { s.chats.RegisterFeatures(ctx, len(languages) > 0) })
	s.background.Go(func() { newWatcher(s.client, s.project, log).loop(ctx) })
}

// stop ends what a document has started. A nil service has started nothing.
func (s *service) stop() {
	if s != nil {
		s.texts.sync.Stop()
	}
}

// close closes the project once nothing runs in the background any more.
func (s *service) close() {
	if s != nil {
		s.texts.views.Close()
		s.project.Close()
	}
}

// routes is the table of every method that is answered once a project is open.
func (s *service) routes() []rpc.Route { return slices.Concat(s.editorRoutes(), s.ownRoutes()) }

// editorRoutes are those of the Language Server Protocol.
func (s *service) editorRoutes() []rpc.Route {
	return []rpc.Route{
		rpc.OnNotification(protocol.MethodTextDocumentDidOpen, s.texts.sync.DidOpen),
		rpc.OnNotification(protocol.MethodTextDocumentDidChange, s.texts.sync.DidChange),
		rpc.OnNotification(protocol.MethodTextDocumentDidSave, s.didSave),
		rpc.OnNotification(protocol.MethodTextDocumentDidClose, s.texts.sync.DidClose),
		rpc.OnNotification(protocol.MethodNotebookDocumentDidOpen, s.texts.notebooks.DidOpen),
		rpc.OnNotification(protocol.MethodNotebookDocumentDidChange, s.texts.notebooks.DidChange),
		rpc.OnNotification(protocol.MethodNotebookDocumentDidSave, s.texts.notebooks.DidSave),
		rpc.OnNotification(protocol.MethodNotebookDocumentDidClose, s.texts.notebooks.DidClose),
		rpc.OnNotification(protocol.MethodWorkspaceDidChangeWorkspaceFolders, s.didChangeWorkspaceFolders),
		rpc.OnNotification(protocol.MethodWorkspaceDidChangeWatchedFiles, s.didChangeWatchedFiles),
		rpc.OnNotification(protocol.MethodWorkspaceDidCreateFiles, s.didCreateFiles),
		rpc.OnNotification(protocol.MethodWorkspaceDidRenameFiles, s.didRenameFiles),
		rpc.OnNotification(protocol.MethodWorkspaceDidDeleteFiles, s.didDeleteFiles),

		rpc.OnRequest(protocol.MethodTextDocumentCodeAction, s.codeAction),
		rpc.OnRequest(protocol.MethodTextDocumentCodeLens, s.codeLens),
		rpc.OnRequest(protocol.MethodTextDocumentHover, s.hover),
		rpc.OnRequest(protocol.MethodTextDocumentCompletion, s.chats.Completion),
		rpc.OnRequest(protocol.MethodTextDocumentDefinition, s.chats.Definition),
		rpc.OnRequest(protocol.MethodTextDocumentFoldingRange, s.chats.FoldingRange),
		rpc.OnRequest(protocol.MethodTextDocumentDocumentSymbol, s.documentSymbol),
		rpc.OnRequest(protocol.MethodWorkspaceSymbol, s.queries.workspaceSymbol),
		rpc.OnRequest(protocol.MethodWorkspaceExecuteCommand, s.executeCommand),
	}
}

// ownRoutes are those of ploke's own methods.
func (s *service) ownRoutes() []rpc.Route {
	conversations := chat.NewConversations(s.project, s.client)
	return []rpc.Route{
		rpc.OnRequest(ploke.MethodChatCreate, conversations.Create),
		rpc.OnRequest(ploke.MethodChatList, conversations.List),
		rpc.OnRequest(ploke.MethodChatHistory, conversations.History),
		rpc.OnRequest(ploke.MethodChatSiblings, conversations.Siblings),
		rpc.OnRequest(ploke.MethodChatSend, s.turns.Send),
		rpc.OnRequest(ploke.MethodChatComplete, s.turns.Complete),
		rpc.OnRequest(ploke.MethodChatSent, conversations.Sent),
		rpc.OnRequest(ploke.MethodChatMentions, s.turns.Mentions),
		rpc.OnRequest(ploke.MethodChatPlaces, s.turns.Places),
		rpc.OnRequest(ploke.MethodNotebookCell, s.turns.Cell),
		rpc.OnRequest(ploke.MethodChatAttachment, s.turns.Attachment),
		rpc.OnRequest(ploke.MethodChatStop, s.turns.Stop),
		rpc.OnRequest(ploke.MethodChatAttach, s.turns.Attach),
		rpc.OnRequest(ploke.MethodChatRename, conversations.Rename),
		rpc.OnRequest(ploke.MethodChatDelete, conversations.Delete),
		rpc.OnRequest(ploke.MethodChatSearch, conversations.Search),
		rpc.OnRequest(ploke.MethodChatExport, conversations.Export),
		rpc.OnRequest(ploke.MethodToolResult, conversations.ToolResult),
		rpc.OnRequest(ploke.MethodPermissionAnswer, s.permissions.permissionAnswer),
		rpc.OnRequest(ploke.MethodPermissionList, s.permissions.permissionList),
		rpc.OnRequest(ploke.MethodPermissionForget, s.permissions.permissionForget),
		rpc.OnRequest(ploke.MethodProposalList, s.review.Proposals),
		rpc.OnRequest(ploke.MethodProposalGet, s.review.Proposal),
		rpc.OnRequest(ploke.MethodProposalAccept, s.review.Accept),
		rpc.OnRequest(ploke.MethodProposalReject, s.review.Reject),
		rpc.OnRequest(ploke.MethodProposalEdit, s.review.Edit),
		rpc.OnRequest(ploke.MethodProposalUndo, s.review.Undo),
		rpc.OnRequest(ploke.MethodProposalRedo, s.review.Redo),
		rpc.OnRequest(ploke.MethodProposalCheck, s.review.Check),
		rpc.OnRequest(ploke.MethodReview, s.review.List),
		rpc.OnRequest(ploke.MethodReviewMerge, s.review.Merge),
		rpc.OnRequest(ploke.MethodSearch, s.queries.search),
		rpc.OnRequest(ploke.MethodModels, s.queries.models),
		rpc.OnRequest(ploke.MethodModelDefault, s.queries.modelDefault),
		rpc.OnRequest(ploke.MethodModelChoose, s.modelChoose),
		rpc.OnRequest(ploke.MethodModelTest, s.queries.modelTest),
		rpc.OnNotification(ploke.MethodModelPart, s.modelPart),
		rpc.OnNotification(ploke.MethodServerAnswer, s.lspAnswer),
		rpc.OnRequest(ploke.MethodSlashCommands, s.queries.slashCommands),
		rpc.OnRequest(ploke.MethodExamples, s.queries.examples),
		rpc.OnRequest(ploke.MethodLedger, s.queries.ledger),
		rpc.OnRequest(ploke.MethodLedgerDocument, s.queries.ledgerDocument),
		rpc.OnRequest(ploke.MethodDoctor, s.queries.doctor),
		rpc.OnRequest(ploke.MethodMetrics, s.queries.metrics),
		rpc.OnRequest(ploke.MethodIndexStatus, s.queries.indexStatus),
		rpc.OnRequest(ploke.MethodIndexRebuild, s.queries.indexRebuild),
		rpc.OnRequest(ploke.MethodIndexPause, s.queries.indexPause),
		rpc.OnRequest(ploke.MethodIndexResume, s.queries.indexResume),
	}
}
