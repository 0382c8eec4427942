package project

import (
	"cmp"
	"context"
	"log/slog"
	"path/filepath"
	"sync"

	"ploke-lsp/edits"
	"ploke-lsp/index"
	"ploke-lsp/internal/config"
	"ploke-lsp/internal/sandbox"
	"ploke-lsp/internal/store"
	"ploke-lsp/internal/wake"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/project/indexing"
	"ploke-lsp/project/peers"
	"ploke-lsp/session"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/telemetry"
	"ploke-lsp/tools"
)

// A Project is everything that is open for some folders. A nil project ignores
// what happens to documents, and closes. Its exported fields must not be
// assigned.
type Project struct {
	Workspace *workspace.Workspace
	Index     *index.Index
	Edits     *edits.Manager
	Engine    *session.Engine
	Models    *Models

	Folders     *Folders
	Indexer     *indexing.Indexer
	Applier     *Applier
	AutoAccept  *AutoAccept
	Attachments *Attachments
	ToolServers *ToolServers
	Transcripts *Transcripts
	Evidence    *Evidence

	environment
	tasks
}

// environment is what the parts of a project share.
type environment struct {
	db       *store.DB
	stateDir string
	bus      *bus.Bus
	settings *Settings
	getenv   func(string) string
	frontEnd FrontEnd
	deps     tools.Deps
	tools    *tools.Set
	log      *slog.Logger
	unsavedTexts
}

// unsavedTexts tells those that use texts which an editor has not saved that they have changed.
type unsavedTexts struct {
	debouncer *indexing.Debouncer
	peers     *peers.Group
	texts     wake.Broadcast // the editor changed a text
}

// tasks are what runs for a project until it closes.
type tasks struct {
	vectors        *vectors
	languages      *languageServers
	telemetry      *telemetry.Telemetry // nil: nothing is exported
	background     sync.WaitGroup       // late answers of the editor, and clean-up
	stopAutoAccept func()
	endQuestions   func() // about settings
	stopWatching   func() // the disk; nil if the project does not
	stop           func() // ends what runs and waits for it; may be called again
}

// Open opens folders, of absolute paths, and starts to index them. A folder that can't
// be opened is left out, see [Folders.Add]. The project
// stops when ctx ends; it must be closed all the same.
func Open(ctx context.Context, o Options, roots []string, f FrontEnd) (p *Project, err error) {
	o.complete()
	p = &Project{environment: environment{bus: bus.New(), stateDir: o.StateDir, settings: o.Settings, getenv: o.Getenv,
		frontEnd: f, log: o.Logger}}
	p.stop = sync.OnceFunc(p.stopWork)
	defer func() {
		if err != nil {
			p.Close()
		}
	}()
	settings := o.Settings.Now()
	quoted := &quotations{link: o.Hooks.Link, log: p.log}
	p.Transcripts = recordTurns(p, quoted)
	p.telemetry = startTelemetry(p.bus, o, settings.Telemetry)
	if err := p.openStores(ctx, o, roots); err != nil {
		return nil, err
	}
	p.joinPeers(o)
	p.Applier = &Applier{ws: p.Workspace, frontEnd: f, peers: p.peers, bus: p.bus, texts: &p.texts,
		background: &p.background}
	p.Edits = edits.New(p.db, p.Workspace, edits.Options{OnChange: p.proposalChanged, Permit: p.Applier.permit})
	p.Applier.edits = p.Edits
	p.AutoAccept = &AutoAccept{applier: p.Applier, edits: p.Edits, ws: p.Workspace, settings: o.Settings, bus: p.bus,
		frontEnd: f, peers: p.peers, chosen: map[string]bool{}}
	p.Attachments = &Attachments{ws: p.Workspace, index: p.Index}
	quoted.ws, quoted.index, quoted.edits = p.Workspace, p.Index, p.Edits
	p.recoverEdits(ctx)
	p.Evidence = newEvidence(p)
	p.debouncer = indexing.StartDebouncer(p.Index, o.Logger, indexing.Debounce)
	p.vectors = newVectors(p, o.KeepVectors)
	p.Indexer = indexing.Start(indexing.Options{Index: p.Index, Workspace: p.Workspace, Bus: p.bus, Log: p.log,
		FrontEnd: indexingMessages{f}, Indexed: p.indexChanged, ResumeHint: o.ResumeHint,
		OneScan: o.OneCall}) // early, since the scan takes longer than what follows
	p.Applier.indexer, p.Folders.indexer, p.Folders.peers = p.Indexer, p.Indexer, p.peers
	if err := p.startEngine(o, settings); err != nil {
		return nil, err
	}
	p.stopAutoAccept = p.AutoAccept.run()
	p.vectors.start(p.Engine, p.Models)
	p.peers.Start()
	if o.WatchDisk {
		watching, stop := context.WithCancel(context.Background())
		p.stopWatching = stop
		p.background.Go(func() { p.Indexer.WatchDisk(watching) })
	}
	p.refreshEdits(ctx)
	questions, endQuestions := context.WithCancel(context.WithoutCancel(ctx))
	p.endQuestions = endQuestions
	o.Settings.start(p.configure, f, o.Logger,
		func(own, model string) error { return askPermissionFor(questions, p.Engine, o.Settings, own, model) })
	context.AfterFunc(ctx, p.stop)
	return p, nil
}

// openStores opens the workspace, its index and the first folder's state.db.
func (p *Project) openStores(ctx context.Context, o Options, roots []string) (err error) {
	p.Workspace, err = workspace.New(nil, workspaceOptions(o.Settings.Now()))
	if err != nil {
		return err
	}
	p.Folders = &Folders{ws: p.Workspace, frontEnd: p.frontEnd, bus: p.bus, getenv: p.getenv}
	p.Folders.add(roots)
	folder := func(root string) string { return store.Folder(o.StateDir, root) }
	var opening sync.WaitGroup // both wait for the disk, most of all for new databases
	var indexErr error
	notice := func(text string) { p.bus.Publish(bus.Notice{Text: text}) }
	opening.Go(func() {
		p.Index, indexErr = index.Open(ctx, p.Workspace, index.Options{Dir: folder, Logger: o.Logger, Notice: notice})
	})
	p.db, err = store.Open(ctx, filepath.Join(folder(firstRoot(p.Workspace)), "state.db"))
	opening.Wait()
	if err = cmp.Or(err, indexErr); err != nil {
		return err
	}
	p.db.OnRemoved(func(removed *store.RemovedError) { p.frontEnd.ShowMessage(Error, removed.Error()) })
	return nil
}

// startEngine starts the engine with its tools. Its model comes from the settings of the moment
// at which a turn begins.
func (p *Project) startEngine(o Options, settings config.Settings) (err error) {
	p.languages = newLanguageServers(o, p)
	p.deps = tools.Deps{Workspace: p.Workspace, Index: p.Index, Edits: p.Edits,
		Diagnostics:  p.languages.withProblems(p.Workspace, p.frontEnd.Diagnostics),
		Editor:       p.frontEnd.EditorState,
		Compiler:     newCompilers(p.frontEnd, p.languages, p.Workspace, p.bus, p.log),
		Decides:      decides(p.frontEnd),
		Checks:       func() map[string]tools.Check { return checks(o.Settings.Now()) },
		RunTrial:     p.Evidence.run,
		Network:      func() sandbox.Network { return networkOf(o.Settings.Now()) },
		ReadTrial:    p.Evidence.trials.Read,
		LayTrial:     p.Evidence.trials.Lay,
		ResultTokens: func() int { return o.Settings.Now().Limits.ToolTokens }}
	p.tools = o.Tools(p.deps)
	p.ToolServers = &ToolServers{servers: newToolServers(o, p.deps.BytesWithin), settings: o.Settings, getenv: o.Getenv,
		ws: p.Workspace}
	p.Models = NewModels(o)
	if source, ok := p.frontEnd.(ModelSource); ok {
		p.Models.editor = source.EditorModelSource()
	}
	rules := &projectRules{ws: p.Workspace, settings: o.Settings, bus: p.bus, frontEnd: p.frontEnd,
		noted: map[string]bool{}}
	shown := &shownFiles{ws: p.Workspace, edits: p.Edits}
	p.Engine, err = session.New(session.Options{
		DB:          p.db,
		Bus:         p.bus,
		Tools:       p.tools,
		Model:       p.Models.Find,
		Fallback:    settings.Fallback,
		Limits:      engineLimits(settings),
		Logger:      p.log,
		Permissions: true,
		Workspace: session.Workspace{
			ServerTools: p.ToolServers.tools,
			Context:     p.retrieveContext,
			Waiting:     p.Edits.Proposals.WaitingOn,
			Roots:       p.Workspace.Roots,
			Paths:       p.Workspace,
			Rules:       rules.rules,
			NestedRules: rules.nestedRules,
			FileStates:  shown.fileStates,
			FileChanges: shown.fileChanges,
			CurrentFile: rules.currentFile,
			Proof:       p.Evidence.prove,
			BeforeTurn:  p.beforeTurn,
			BeforeCall:  p.beforeCall(o.Hooks.BeforeCall),
		},
	})
	return err
}

// indexChanged notes that files have changed.
func (p *Project) indexChanged() {
	p.vectors.indexChanged()
	wake.Up(p.Evidence.wake)
}

// recoverEdits settles the edits that an earlier process left unfinished.
func (p *Project) recoverEdits(ctx context.Context) {
	if err := p.Edits.Recover(ctx); err != nil {
		p.log.Error("edits of an earlier run could not be recovered", "error", err)
		p.bus.Publish(bus.Notice{Text: "edits of an earlier run could not be recovered: " + err.Error()})
	}
}

// refreshEdits finds out in the background which proposals still fit their files, as they read
// in the editors of other processes, too, and which old texts and records are not needed any more.
func (p *Project) refreshEdits(ctx context.Context) {
	p.background.Go(func() {
		p.peers.AwaitListed(ctx)
		if err := p.Edits.RefreshStale(ctx); err != nil && ctx.Err() == nil {
			p.log.Warn("proposals were not compared with their files", "error", err)
		}
		history := p.settings.Now().History
		age, size := keepAge(history), keepBytes(history)
		if err := p.Edits.Proposals.Collect(ctx, age, size); err != nil && ctx.Err() == nil {
			p.log.Warn("old texts of edits stay in the database", "error", err)
		}
		if err := p.Engine.Collect(ctx, age, size); err != nil && ctx.Err() == nil {
			p.log.Warn("old records stay in the database", "error", err)
		}
	})
}

// checks are the commands that the settings let a model run.
func checks(settings config.Settings) map[string]tools.Check {
	all := make(map[string]tools.Check)
	for name, c := range settings.Checks {
		all[name] = tools.Check{Command: c.Command, Timeout: seconds(c.Timeout), Env: c.Env, OnProposal: onProposal(c)}
	}
	return all
}

// firstRoot is the folder whose state.db holds the conversations: the first
// one; without a folder they have a place of their own.
func firstRoot(w *workspace.Workspace) string {
	if roots := w.Roots(); len(roots) > 0 {
		return roots[0]
	}
	return ""
}

// announce publishes the new state of a proposal.
func announce(b *bus.Bus, p *edits.Proposal) {
	var files []string
	for _, c := range p.Changes {
		files = append(files, c.Path)
	}
	status, turn := p.Status(), bus.TurnRef{ConversationID: p.ConversationID, RequestID: p.RequestID}
	switch status {
	case edits.Staged:
		b.Publish(bus.ProposalStaged{TurnRef: turn, CallID: p.CallID, ProposalID: p.ID, Title: p.Title,
			Version: string(p.Version()), Files: files})
	case edits.Accepted, edits.Rejected, edits.Stale, edits.Withdrawn:
		b.Publish(bus.ProposalDecided{TurnRef: turn, ProposalID: p.ID, Status: string(status), Reason: p.DecisionReason})
	default:
		b.Publish(bus.ProposalApplied{TurnRef: turn, ProposalID: p.ID, Status: string(status), Files: files})
	}
}

// beforeTurn brings the index up to date for a turn: with unsaved text, and with
// what changed outside the editor.
func (p *Project) beforeTurn(ctx context.Context) error {
	p.peers.AwaitListed(ctx)
	if err := p.IndexUnsaved(ctx); err != nil {
		return err
	}
	return p.Indexer.Refresh(ctx)
}

// stopWork ends the turns, the indexing and their displays.
func (p *Project) stopWork() {
	if p.endQuestions != nil {
		p.endQuestions()
		p.settings.stop()
	}
	if p.stopWatching != nil {
		p.stopWatching()
	}
	if p.vectors != nil {
		p.vectors.close()
	}
	if p.Engine != nil {
		p.Engine.Close()
	}
	p.Evidence.close()
	if p.languages != nil {
		p.languages.Close()
	}
	if p.ToolServers != nil {
		p.ToolServers.servers.Close()
	}
	if p.stopAutoAccept != nil {
		p.stopAutoAccept()
	}
	p.background.Wait()
	if p.peers != nil {
		p.peers.Close()
	}
	if p.Indexer != nil {
		p.Indexer.Close()
		p.debouncer.Close()
	}
	p.bus.Close()
	p.Transcripts.wait()
	stopTelemetry(p.telemetry, p.log)
}

// Close stops what runs, waits for it, and closes the databases.
func (p *Project) Close() {
	if p == nil {
		return
	}
	p.stop()
	if p.Index != nil {
		p.Index.Close()
	}
	if p.db != nil {
		p.db.Close()
	}
}
