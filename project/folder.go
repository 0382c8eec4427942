package project

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"ploke-lsp/index"
	"ploke-lsp/internal/config"
	"ploke-lsp/internal/store"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/project/peers"
	"ploke-lsp/session"
	"ploke-lsp/session/bus"
	"ploke-lsp/tools"
)

// A Folder is a workspace folder with its index, but without conversations: the
// command line indexes and searches it. Other processes may have the same folder
// open.
type Folder struct {
	Workspace *workspace.Workspace
	Index     *index.Index

	state      string // its state folder
	peers      *peers.Group
	embeddings config.Embeddings
	engine     *session.Engine // requests vectors; nil if no model is configured for them
	db         *store.DB
}

// OpenFolder opens a folder, of an absolute path, with what is open in the editors of other
// processes. Searches compare the vectors that exist; only MakeVectors makes more. Notices of the
// index go to f.
func OpenFolder(ctx context.Context, o Options, root string, f FrontEnd) (*Folder, error) {
	if err := CheckFolder(root, homeFolder(o.Getenv)); err != nil {
		return nil, err
	}
	o.complete()
	o.Settings.logProblems(o.Logger)
	settings := o.Settings.Now()
	w, err := workspace.New([]string{root}, workspaceOptions(settings))
	if err != nil {
		return nil, err
	}
	dir := func(root string) string { return store.Folder(o.StateDir, root) }
	x, err := index.Open(ctx, w,
		index.Options{Dir: dir, Logger: o.Logger, Notice: func(text string) { f.ShowMessage(Warning, text) }})
	if err != nil {
		return nil, err
	}
	folder := &Folder{state: dir(firstRoot(w)), Workspace: w, Index: x, embeddings: settings.Index.Embeddings}
	folder.peers = peers.New(o.peers(w, x, ignoredEvents()))
	folder.peers.Start()
	folder.peers.AwaitListed(ctx)
	if settings.Index.Embeddings.Provider != "" {
		if err := folder.useVectors(ctx, o, dir(firstRoot(w))); err != nil {
			return nil, errors.Join(err, folder.Close())
		}
	}
	return folder, nil
}

// MakeVectors makes the missing vectors and reports its progress. It fails if the
// settings name no model for vectors, and if more tokens would be sent than
// index.embeddings.budget allows, because there is no person to ask.
func (f *Folder) MakeVectors(ctx context.Context, progress func(done, total int)) error {
	if f.engine == nil {
		return errors.New("the settings name no model that makes vectors; set index.embeddings, see docs/settings.md")
	}
	return f.Index.Embed(ctx, index.EmbedOptions{Progress: progress, Allow: func(left index.Estimate) error {
		if tokens, budget := embeddingTokens(f.embeddings, left); tokens > budget {
			return aboveBudget(tokens, budget)
		}
		return nil
	}})
}

// useVectors lets searches request vectors for their queries. The requests go
// into the ledger in dir, and count against the day's budget.
func (f *Folder) useVectors(ctx context.Context, o Options, dir string) (err error) {
	f.db, f.engine, err = openEngine(ctx, o, dir)
	if err != nil {
		return err
	}
	NewModels(o).useEmbeddings(f.Index, f.engine, o.Settings.Now())
	return nil
}

// openEngine opens the state.db in dir with an engine that runs no tools. The
// database is returned even if the engine fails to start, unless it is nil.
func openEngine(ctx context.Context, o Options, dir string) (*store.DB, *session.Engine, error) {
	db, err := store.Open(ctx, filepath.Join(dir, "state.db"))
	if err != nil {
		return nil, nil, err
	}
	engine, err := session.New(session.Options{DB: db, Bus: bus.New(), Tools: tools.NewSet(), Model: NewModels(o).Find,
		Limits: engineLimits(o.Settings.Now()), Logger: o.Logger})
	return db, engine, err
}

// Close ends what runs and closes the databases.
func (f *Folder) Close() error {
	f.peers.Close()
	var errs []error
	if f.Index != nil {
		errs = append(errs, f.Index.Close())
	}
	if f.engine != nil {
		errs = append(errs, f.engine.Close())
	}
	if f.db != nil {
		errs = append(errs, f.db.Close())
	}
	return errors.Join(errs...)
}

// claimFile is the file in the folder's state whose modification time says when a process was last
// started that scans the disk.
const claimFile = "scan-claimed"

// ClaimScan reports whether no process has claimed a scan of the folder for that long, and claims it.
func (f *Folder) ClaimScan(since time.Duration) bool {
	path := filepath.Join(f.state, claimFile)
	if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) < since {
		return false
	}
	return os.WriteFile(path, []byte("claimed\n"), 0o600) == nil
}
