package lsp

import (
	"context"
	"errors"
	"fmt"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"ploke-lsp/internal/lease"
	"ploke-lsp/internal/rpc"
	"ploke-lsp/lsp/chat"
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
)

func (s *Server) initialize(_ context.Context, p *protocol.InitializeParams) (*protocol.InitializeResult, error) {
	s.client.Introduce(client.NewProfile(p, chat.Features()))
	s.folders = foldersOf(p)
	s.configuration = newConfiguration(s.client, s.log, s.options.Config, p.InitializationOptions)
	s.phase = initialized
	s.watchClient(p.ProcessID)
	version := protocol.NewOptional(s.options.Version)
	return &protocol.InitializeResult{
		Capabilities: s.capabilities(),
		ServerInfo:   protocol.ServerInfo{Name: "ploke-lsp", Version: version},
	}, nil
}

func (s *Server) capabilities() protocol.ServerCapabilities {
	yes, incremental := true, protocol.TextDocumentSyncKindIncremental
	scheme := "file"
	anyFile := protocol.FileOperationRegistrationOptions{
		Filters: []protocol.FileOperationFilter{{Scheme: &scheme, Pattern: protocol.FileOperationPattern{Glob: "**/*"}}},
	}
	capabilities := protocol.ServerCapabilities{
		PositionEncoding: s.client.Negotiated,
		TextDocumentSync: &protocol.TextDocumentSyncOptions{
			OpenClose: &yes,
			Change:    &incremental,
			Save:      protocol.Boolean(true),
		},
		CodeActionProvider:     protocol.Boolean(true),
		HoverProvider:          protocol.Boolean(true),
		ExecuteCommandProvider: protocol.ExecuteCommandOptions{Commands: ploke.Commands()},
		Workspace: &protocol.WorkspaceOptions{
			WorkspaceFolders: &protocol.WorkspaceFoldersServerCapabilities{
				Supported:           &yes,
				ChangeNotifications: protocol.Boolean(true),
			},
			FileOperations: &protocol.FileOperationOptions{DidCreate: anyFile, DidRename: anyFile, DidDelete: anyFile},
		},
		Experimental: client.MustMarshal(ploke.Experimental{
			Ploke: s.client.OfferedMethods(),
		}),
	}
	if s.client.ActionLiterals {
		capabilities.CodeActionProvider = &protocol.CodeActionOptions{
			CodeActionKinds: []protocol.CodeActionKind{client.KindQuickFix, client.KindRewrite, client.KindSource,
				client.KindAsk, client.KindWrite},
		}
	}
	if s.client.CodeLenses {
		capabilities.CodeLensProvider = &protocol.CodeLensOptions{}
	}
	if s.client.SyncsNotebooks {
		capabilities.NotebookDocumentSync = document.NotebookSync()
	}
	for _, f := range s.client.OfferedFeatures {
		f.Offer(&capabilities)
	}
	if languages, _ := symbolLanguages(s.configuration.settings); len(languages) > 0 {
		capabilities.WorkspaceSymbolProvider = protocol.Boolean(true)
	}
	return capabilities
}

func (s *Server) initialized(_ context.Context, _ *rpc.None) error {
	if s.phase != initialized {
		return errors.New("initialized came before initialize, or a second time")
	}
	s.phase = running
	p, err := project.Open(s.background.Context(), s.projectOptions(), s.folders.roots, s.frontEnd)
	if err != nil {
		s.openError = fmt.Errorf("the workspace could not be opened: %w", err)
		s.frontEnd.ShowMessage(project.Error, s.openError.Error())
		return err
	}
	s.service = newService(s, p)
	s.router.Add(s.service.routes()...)
	for _, reason := range s.folders.refused {
		refuseFolder(s.client, reason)
	}
	s.explainVersion()
	s.configuration.start(s.background.Context())
	s.service.start(s.log)
	return nil
}

func (s *Server) projectOptions() project.Options {
	return project.Options{
		StateDir:   s.options.StateDir,
		Version:    s.options.Version,
		Settings:   s.configuration.settings,
		Logger:     s.log,
		HTTPClient: s.options.HTTPClient,
		Getenv:     s.options.Getenv,

		KeepVectors: s.options.KeepVectors,
		Editor:      !s.options.Headless,
		Alone:       s.options.Alone,
		WatchDisk:   s.options.WatchDisk && !s.client.WatchesFiles,

		Tools:      s.options.tools,
		ResumeHint: "the command " + ploke.CommandIndexResume + " resumes it",
		Hooks: project.Hooks{
			Link:   func(c project.Citation) string { return fmt.Sprintf("%s#L%d", client.CitedURI(c), c.StartLine) },
			Answer: s.options.Answer,
		},
	}
}

func (s *Server) shutdown(_ context.Context, _ *rpc.None) (any, error) {
	if s.phase == created {
		return nil, jsonrpc2.NewError(ploke.CodeServerNotInitialized, "shutdown came before initialize")
	}
	s.phase = stopping
	s.client.EndProgress()
	s.client.StopCalls()
	return nil, nil
}

func (s *Server) exit(context.Context, *rpc.None) error {
	s.leave(nil)
	return nil
}

// watchClient makes Serve return once the client's process has ended. A process that can't be
// seen says nothing about the client, which may run on another machine or outside of this container.
func (s *Server) watchClient(id *int32) {
	if id == nil {
		return
	}
	process, lives := lease.Find(int(*id))
	if !lives {
		s.log.Info("the client's process is not visible, so its end won't be noticed", "processId", *id)
		return
	}
	s.background.Go(func() {
		if awaitEnd(s.background.Context(), process) {
			s.leave(ErrClientGone)
		}
	})
}

// workDoneProgressCancel cancels the work whose progress the client has cancelled.
func (s *Server) workDoneProgressCancel(_ context.Context, p *ploke.ProgressCancel) error {
	return s.client.CancelProgress(p.Token)
}

// explainVersion tells the person why the extension has only what every editor has.
func (s *Server) explainVersion() {
	if s.client.Differs != "" {
		s.frontEnd.ShowMessage(project.Warning,
			s.client.Differs+". Until then there is what every editor has: code actions, commands and the chat document")
	}
}
