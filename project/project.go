package project

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"sync"

	"ploke-lsp/edits"
	"ploke-lsp/index"
	"ploke-lsp/internal/config"
	"ploke-lsp/internal/store"
	"ploke-lsp/internal/wake"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/project/indexing"
	"ploke-lsp/project/peers"
	"ploke-lsp/session"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/telemetry"
	"ploke-lsp/tools"
	"ploke-lsp/tools/mcpclient"
)

// Options is what the outside world gives to a project. StateDir, Settings and
// Getenv are required.
type Options struct {
	StateDir   string // where the databases live; created as needed
	Version    string // of the program
	Settings   *Settings
	Logger     *slog.Logger        // nil discards
	HTTPClient *http.Client        // for model providers; nil is http.DefaultClient
	Getenv     func(string) string // looks up the variables that settings name for keys
	// Editor says that the front end is an editor, which reports the documents that it has open.
	// Their unsaved texts are shared with other processes that have the same folder open. Any other
	// front end sees the unsaved texts of these processes' editors as if they were its own.
	Editor bool
	// Alone keeps the project from meeting the other processes that have the same folder open.
	Alone bool
	// WatchDisk says that the front end does not report what changes on disk, and that it is
	// worth the effort to watch it.
	WatchDisk bool
	// OneCall says that the project is opened for one call of a tool, for which the first scan is
	// enough.
	OneCall bool
	// KeepVectors leaves the vectors as they are: searches compare the vectors
	// that exist, and no code is sent to make more.
	KeepVectors bool
	// Tools makes the tools that a model may call; nil is [tools.New].
	Tools func(tools.Deps) *tools.Set
	// Link returns the target of a Markdown link to a cited place; nil is the path with the line.
	Link func(Citation) string
	// ResumeHint is what the person does to resume indexing, such as "run X".
	ResumeHint string
	// Answer answers what the command line asks a process that has its folder open; see [AskServer].
	// nil answers nothing.
	Answer func(ctx context.Context, p *Project, q Question) ([]byte, error)
	// BeforeCall is called before a tool runs with the absolute path of each file that the call
	// names, so that a front end that is not told of changes can ask for the file's text. nil does
	// nothing.
	BeforeCall func(ctx context.Context, conversationID, path string)
}

// complete fills in the defaults.
func (o *Options) complete() {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.HTTPClient == nil {
		o.HTTPClient = http.DefaultClient
	}
	if o.Tools == nil {
		o.Tools = tools.New
	}
	if o.Link == nil {
		o.Link = func(c Citation) string { return fmt.Sprintf("%s#L%d", c.Path, c.StartLine) }
	}
}

// A Project is everything that is open for some folders. A nil project ignores
// what happens to documents, and closes. Its exported fields must not be
// assigned.
type Project struct {
	Workspace *workspace.Workspace
	Index     *index.Index
	Edits     *edits.Manager
	Engine    *session.Engine
	Models    *Models

	db             *store.DB
	stateDir       string
	deps           tools.Deps
	tools          *tools.Set
	toolServers    *mcpclient.Servers
	bus            *bus.Bus
	settings       *Settings
	getenv         func(string) string
	frontEnd       FrontEnd
	link           func(Citation) string
	resumeHint     string
	debouncer      *indexing.Debouncer
	vectors        *vectors
	indexer        *indexing.Indexer
	absent         absentRoots
	transcripts    *transcripts
	texts          wake.Broadcast // the editor changed a text
	peers          *peers.Group
	projectRules   projectRules
	shownTexts     shownTexts
	telemetry      *telemetry.Telemetry // nil: nothing is exported
	log            *slog.Logger
	background     sync.WaitGroup // late answers of the editor, and clean-up
	stopAutoAccept func()
	autoAccepted   autoAccepted
	endQuestions   func() // about settings
	stopWatching   func() // the disk; nil if the project does not
	stop           func() // ends what runs and waits for it; may be called again
}

// Open opens folders, of absolute paths, and starts to index them. A folder that can't
// be opened is left out, see AddRoots. The project
// stops when ctx ends; it must be closed all the same.
func Open(ctx context.Context, o Options, roots []string, f FrontEnd) (p *Project, err error) {
	o.complete()
	p = &Project{bus: bus.New(), stateDir: o.StateDir, settings: o.Settings, getenv: o.Getenv, frontEnd: f, link: o.Link,
		resumeHint: o.ResumeHint, log: o.Logger}
	p.stop = sync.OnceFunc(p.stopWork)
	defer func() {
		if err != nil {
			p.Close()
		}
	}()
	settings := o.Settings.Now()
	p.transcripts = recordTurns(p)
	p.startTelemetry(o, settings.Telemetry)
	if err := p.openStores(ctx, o, roots); err != nil {
		return nil, err
	}
	others := o.peers(p.Workspace, p.Index, p.peerEvents())
	if o.Answer != nil {
		others.Answer = func(ctx context.Context, root string, question []byte) ([]byte, error) {
			return p.answer(ctx, o.Answer, root, question)
		}
	}
	p.peers = peers.New(others)
	p.Edits = edits.New(p.db, p.Workspace, edits.Options{OnChange: p.proposalChanged, Permit: p.permit})
	p.recoverEdits(ctx)
	p.debouncer = indexing.StartDebouncer(p.Index, o.Logger, indexing.Debounce)
	p.vectors = newVectors(p, o.KeepVectors)
	p.indexer = indexing.Start(p.indexerOptions(o.OneCall)) // early, since the scan takes longer than what follows
	p.deps = tools.Deps{Workspace: p.Workspace, Index: p.Index, Edits: p.Edits, Diagnostics: f.Diagnostics,
		Editor:       f.EditorState,
		Checks:       func() map[string]tools.Check { return checks(o.Settings.Now()) },
		ResultTokens: func() int { return o.Settings.Now().Limits.ToolTokens }}
	p.tools = o.Tools(p.deps)
	p.toolServers = newToolServers(o, p.deps.BytesWithin)
	p.Models = NewModels(o)
	if err := p.startEngine(settings, o.BeforeCall); err != nil {
		return nil, err
	}
	p.stopAutoAccept = p.autoAccept()
	p.vectors.start(p.Engine, p.Models)
	p.peers.Start()
	if o.WatchDisk {
		watching, stop := context.WithCancel(context.Background())
		p.stopWatching = stop
		p.background.Go(func() { p.indexer.WatchDisk(watching) })
	}
	p.refreshEdits(ctx)
	questions, endQuestions := context.WithCancel(context.WithoutCancel(ctx))
	p.endQuestions = endQuestions
	o.Settings.start(p.configure, f, o.Logger,
		func(own, model string) error { return p.askForModel(questions, own, model) })
	context.AfterFunc(ctx, p.stop)
	return p, nil
}

// openStores opens the workspace, its index and the first folder's state.db.
func (p *Project) openStores(ctx context.Context, o Options, roots []string) (err error) {
	p.Workspace, err = workspace.New(nil, workspaceOptions(o.Settings.Now()))
	if err != nil {
		return err
	}
	p.addRoots(roots)
	folder := func(root string) string { return store.Folder(o.StateDir, root) }
	var opening sync.WaitGroup // both wait for the disk, most of all for new databases
	var indexErr error
	opening.Go(func() {
		p.Index, indexErr = index.Open(ctx, p.Workspace, index.Options{
			Dir: folder, Logger: o.Logger,
			Notice: func(text string) { p.bus.Publish(bus.Notice{Text: text}) },
		})
	})
	p.db, err = store.Open(ctx, filepath.Join(folder(firstRoot(p.Workspace)), "state.db"))
	opening.Wait()
	if err = cmp.Or(err, indexErr); err != nil {
		return err
	}
	p.db.OnRemoved(func(removed *store.RemovedError) { p.frontEnd.ShowMessage(Error, removed.Error()) })
	return nil
}

// startEngine starts the engine. Its model comes from the settings of the moment
// at which a turn begins.
func (p *Project) startEngine(settings config.Settings, beforeCall func(context.Context, string, string)) (err error) {
	p.Engine, err = session.New(session.Options{
		DB:          p.db,
		Bus:         p.bus,
		Tools:       p.tools,
		Model:       p.Models.Find,
		Fallback:    settings.Fallback,
		Limits:      limits(settings),
		Logger:      p.log,
		Permissions: true,
		Workspace: session.Workspace{
			ServerTools: p.serverTools,
			Context:     p.retrieveContext,
			Waiting:     p.Edits.Proposals.WaitingOn,
			Roots:       p.Workspace.Roots,
			Paths:       p.Workspace,
			Rules:       p.rules,
			NestedRules: p.nestedRules,
			FileStates:  p.fileStates,
			FileChanges: p.fileChanges,
			CurrentFile: p.currentFile,
			BeforeTurn:  p.beforeTurn,
			BeforeCall:  p.beforeCall(beforeCall),
		},
	})
	return err
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
		all[name] = tools.Check{Command: c.Command, Timeout: seconds(c.Timeout), Env: c.Env}
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
	return p.indexer.Refresh(ctx)
}

// indexing.Options are what the project's indexer works with.
func (p *Project) indexerOptions(oneScan bool) indexing.Options {
	return indexing.Options{
		Index: p.Index, Workspace: p.Workspace, Bus: p.bus, FrontEnd: indexingMessages{p.frontEnd}, Log: p.log,
		Indexed: p.vectors.indexChanged, ResumeHint: p.resumeHint, OneScan: oneScan,
	}
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
	if p.toolServers != nil {
		p.toolServers.Close()
	}
	if p.stopAutoAccept != nil {
		p.stopAutoAccept()
	}
	p.background.Wait()
	if p.peers != nil {
		p.peers.Close()
	}
	if p.indexer != nil {
		p.indexer.Close()
		p.debouncer.Close()
	}
	p.bus.Close()
	p.transcripts.wait()
	p.stopTelemetry()
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
