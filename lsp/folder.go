package lsp

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"

	"ploke-lsp/index"
	"ploke-lsp/internal/config"
	"ploke-lsp/internal/store"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/session"
	"ploke-lsp/session/bus"
	"ploke-lsp/tools"
)

// A Folder is a workspace folder with its index, without a server: what the command
// line indexes and searches. The settings hold for it as they do for a server that no
// client has told others, and both may have it open at once.
type Folder struct {
	Workspace *workspace.Workspace
	Index     *index.Index

	embeddings config.Embeddings
	engine     *session.Engine // asks for vectors; nil if the settings want none
	db         *store.DB
}

// OpenFolder opens a folder, of an absolute path. Searches compare the vectors that there
// are; MakeVectors alone makes any. What a person should know of the index goes to notice.
func OpenFolder(ctx context.Context, o Options, root string, notice func(string)) (*Folder, error) {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	settings, problems := config.Merge(o.Config...)
	for _, p := range problems {
		o.Logger.Warn("a mistake in the settings", "problem", p.String())
	}
	w, err := workspace.New([]string{root}, indexed(settings))
	if err != nil {
		return nil, err
	}
	dir := func(root string) string { return store.Folder(o.StateDir, root) }
	x, err := index.Open(ctx, w, index.Options{Dir: dir, Logger: o.Logger, Notice: notice})
	if err != nil {
		return nil, err
	}
	f := &Folder{Workspace: w, Index: x, embeddings: settings.Index.Embeddings}
	if settings.Index.Embeddings.Provider != "" {
		if err := f.useVectors(ctx, o, settings, dir(firstRoot(w))); err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	return f, nil
}

// MakeVectors makes the vectors that are missing, as a server does beside its work, and says
// how many of how many there are. It fails where the settings name no model for it, and where
// more would be sent than their budget is: there is nobody to ask.
func (f *Folder) MakeVectors(ctx context.Context, progress func(done, total int)) error {
	if f.engine == nil {
		return errors.New("the settings name no model that makes vectors; see index.embeddings in the README")
	}
	return f.Index.Embed(ctx, index.EmbedOptions{Progress: progress, Allow: func(left index.Estimate) error {
		if tokens, budget := embeddingTokens(f.embeddings, left); tokens > budget {
			return aboveBudget(tokens, budget)
		}
		return nil
	}})
}

// useVectors has searches ask for the vectors of their questions, with the ledger and the
// day's budget that are in the folder of the databases.
func (f *Folder) useVectors(ctx context.Context, o Options, settings config.Settings, dir string) (err error) {
	if f.db, err = store.Open(ctx, filepath.Join(dir, "state.db")); err != nil {
		return err
	}
	models := &Models{Settings: func() config.Settings { return settings }, Keys: &config.Keys{Getenv: o.Getenv}, HTTP: o.HTTPClient, Log: o.Logger}
	f.engine, err = session.New(session.Options{DB: f.db, Bus: bus.New(), Tools: tools.NewSet(), Model: models.Find, Limits: limits(settings), Logger: o.Logger})
	if err != nil {
		return err
	}
	models.useEmbeddings(f.Index, f.engine, settings)
	return nil
}

// Close ends what runs and closes the databases.
func (f *Folder) Close() error {
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
