package lsp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"ploke-lsp/edits"
	"ploke-lsp/index"
	"ploke-lsp/internal/config"
	"ploke-lsp/internal/store"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/session"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/telemetry"
	"ploke-lsp/tools"
)

// A project is everything that is open for the client's folders: what the
// server drives. A nil project ignores what happens to documents, and closes.
type project struct {
	workspace     *workspace.Workspace
	index         *index.Index
	db            *store.DB
	edits         *edits.Manager
	tools         *tools.Set
	diagnostics   *diagnostics
	bus           *bus.Bus
	engine        *session.Engine
	models        *Models
	typing        *typing
	vectors       *vectors
	indexer       *indexer
	turns         *turns
	telemetry     *telemetry.Telemetry // nil: none is exported
	log           *slog.Logger
	followers     sync.WaitGroup // who shows turns that no request waits for
	stopAccepting func()         // what is accepted by itself
	stop          func()         // ends what runs and waits for it; may be called again
}

// openProject opens the folders that initialize named and starts indexing them.
func openProject(ctx context.Context, s *Server) (p *project, err error) {
	p = &project{bus: bus.New(), log: s.log}
	p.stop = sync.OnceFunc(p.stopWork)
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	p.turns = followTurns(p, s.client)
	settings := s.configuration.now()
	p.startTelemetry(s, settings.Telemetry)
	p.workspace, err = workspace.New(s.opening.roots, indexed(settings))
	if err != nil {
		return nil, err
	}
	folder := func(root string) string { return store.Folder(s.options.StateDir, root) }
	p.db, err = store.Open(ctx, filepath.Join(folder(firstRoot(p.workspace)), "state.db"))
	if err != nil {
		return nil, err
	}
	p.index, err = index.Open(ctx, p.workspace, index.Options{
		Dir: folder, Logger: s.log,
		Notice: func(text string) { p.bus.Publish(bus.Notice{Text: text}) },
	})
	if err != nil {
		return nil, err
	}
	p.edits = edits.New(p.db, p.workspace, edits.Options{OnChange: func(pr *edits.Proposal) { announce(p.bus, pr) }})
	p.recoverEdits(ctx)
	p.diagnostics = newDiagnostics(s.client, p.workspace)
	p.tools = s.tools(tools.Deps{Workspace: p.workspace, Index: p.index, Edits: p.edits, Diagnostics: p.diagnostics.of, Editor: s.presence.now,
		Checks: func() map[string]tools.Check { return checks(s.configuration.now()) }})
	p.models = &Models{Settings: s.configuration.now, Keys: &config.Keys{Getenv: s.options.Getenv}, HTTP: s.options.HTTPClient, Log: s.log}
	p.engine, err = session.New(session.Options{
		DB:         p.db,
		Bus:        p.bus,
		Tools:      p.tools,
		Model:      p.models.Find,
		Fallback:   settings.Fallback,
		Limits:     limits(settings),
		Logger:     s.log,
		Context:    p.retrieve,
		Roots:      p.workspace.Roots,
		Rules:      p.rules,
		BeforeTurn: p.beforeTurn,

		Permissions: true,
	})
	if err != nil {
		return nil, err
	}
	p.stopAccepting = autoAccept(&applier{project: p, client: s.client, documents: s.documents},
		func() bool { return s.configuration.now().Edits.AutoAccept })
	p.typing = startTyping(p.index, p.workspace, s.log)
	p.vectors = startVectors(p, s)
	p.indexer = startIndexer(p, s.client, s.log)
	context.AfterFunc(ctx, p.stop)
	return p, nil
}

// checks are the commands that the settings let a model run. They get none of the
// keys that the settings name.
func checks(settings config.Settings) map[string]tools.Check {
	var hidden []string
	for _, provider := range settings.Providers {
		hidden = append(hidden, provider.APIKeyEnv)
	}
	all := make(map[string]tools.Check)
	for name, c := range settings.Checks {
		all[name] = tools.Check{Command: c.Command, Timeout: seconds(c.Timeout), Hidden: hidden}
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

// announce publishes what became of a proposal.
func announce(b *bus.Bus, p *edits.Proposal) {
	var files []string
	for _, c := range p.Changes {
		files = append(files, c.Path)
	}
	status, turn := p.Status(), bus.TurnRef{ConversationID: p.ConversationID, RequestID: p.RequestID}
	switch status {
	case edits.Staged:
		b.Publish(bus.ProposalStaged{TurnRef: turn, CallID: p.CallID, ProposalID: p.ID, Title: p.Title, Files: files})
	case edits.Accepted, edits.Rejected, edits.Stale, edits.Withdrawn:
		b.Publish(bus.ProposalDecided{TurnRef: turn, ProposalID: p.ID, Status: string(status), Reason: p.DecisionReason})
	default:
		b.Publish(bus.ProposalApplied{TurnRef: turn, ProposalID: p.ID, Status: string(status), Files: files})
	}
}

// rules returns the project's own rules for assistants: the AGENTS.md of each
// root.
func (p *project) rules(ctx context.Context) (string, error) {
	var all []string
	for _, root := range p.workspace.Roots() {
		file, err := p.workspace.Read(ctx, filepath.Join(root, "AGENTS.md"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		all = append(all, string(file.Text))
	}
	return strings.Join(all, "\n\n"), nil
}

// beforeTurn makes the index as fresh as a turn wants it: what was typed, and
// what changed outside of the editor.
func (p *project) beforeTurn(ctx context.Context) error {
	if err := p.typing.flush(ctx); err != nil {
		return err
	}
	return p.indexer.fresh(ctx)
}

// addRoot opens one more folder.
func (p *project) addRoot(root string) error {
	if err := p.workspace.AddRoot(root); err != nil {
		return err
	}
	p.indexer.foldersChanged()
	return nil
}

func (p *project) removeRoot(root string) {
	if root == "" {
		return
	}
	p.workspace.RemoveRoot(root)
	p.indexer.foldersChanged()
}

// opened takes an opened document's text. Without any folder, the document's
// own becomes the root.
func (p *project) opened(doc *document) {
	if p == nil || doc.path == "" {
		return
	}
	if len(p.workspace.Roots()) == 0 {
		if err := p.addRoot(filepath.Dir(doc.path)); err != nil && !errors.Is(err, os.ErrNotExist) {
			p.bus.Publish(bus.Notice{Text: fmt.Sprintf("the folder of %s could not be opened: %v", doc.path, err)})
		}
	}
	p.changed(doc)
	p.indexer.active()
}

// changed takes a document's new text.
func (p *project) changed(doc *document) {
	if p == nil || doc.path == "" {
		return
	}
	p.workspace.SetBuffer(doc.path, doc.version, doc.text)
	p.typing.changed(doc.path)
}

// saved notes that the disk has changed by the editor's hand.
func (p *project) saved(path string) {
	if p == nil || path == "" {
		return
	}
	p.indexer.saved(path)
}

// diskChanged notes what the client says has changed on disk; empty paths are
// of files that are none.
func (p *project) diskChanged(paths []string) {
	if p == nil {
		return
	}
	p.indexer.diskChanged(slices.DeleteFunc(paths, func(path string) bool { return path == "" })...)
}

// closed goes back to the disk's text.
func (p *project) closed(doc *document) {
	if p == nil || doc.path == "" {
		return
	}
	p.workspace.CloseBuffer(doc.path)
	p.typing.closed(doc.path)
	p.indexer.diskChanged(doc.path)
}

// stopWork ends the turns, the indexing and those who show them.
func (p *project) stopWork() {
	if p.vectors != nil {
		p.vectors.close()
	}
	if p.engine != nil {
		p.engine.Close()
	}
	if p.stopAccepting != nil {
		p.stopAccepting()
	}
	p.followers.Wait()
	if p.indexer != nil {
		p.indexer.close()
		p.typing.close()
	}
	p.bus.Close()
	if p.turns != nil {
		p.turns.wait()
	}
	p.stopTelemetry()
}

// close stops what runs and closes the databases.
func (p *project) close() {
	if p == nil {
		return
	}
	p.stop()
	if p.index != nil {
		p.index.Close()
	}
	if p.db != nil {
		p.db.Close()
	}
}
