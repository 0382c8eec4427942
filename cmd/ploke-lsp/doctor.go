package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"ploke-lsp/index"
	"ploke-lsp/internal/config"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
	"ploke-lsp/session"
)

const (
	indexTimeout = 30 * time.Second // for the first scan of a workspace
	modelTimeout = time.Minute      // for a vector
)

// editorText lists the client capabilities that the server uses.
const editorText = `any LSP client works; with these capabilities it can do more:
    workspace/applyEdit                   applies proposals itself, with its own undo
    window/showDocument                   opens the answers of code actions
    window/workDoneProgress               shows running work and can stop it
    workspace/didChangeWatchedFiles       reports changes on disk
    workspace/configuration               changes settings without a restart
    experimental.ploke                    has its own chat (see docs/editors.md)
`

func doctorCommand(fs *flag.FlagSet, c *common) func(context.Context, environment, []string) error {
	workspace := fs.String("workspace", ".", "`folder` to try the index with")
	return func(ctx context.Context, env environment, args []string) error {
		if len(args) > 0 {
			return errUsage
		}
		d := &doctor{out: env.stdout}
		fmt.Fprintf(env.stdout, "ploke-lsp %s\n\n", version)
		settings := d.checkSettings(c, env)
		options, err := c.projectOptions(env)
		options.Logger = slog.New(slog.DiscardHandler) // doctor reports the mistakes in the settings itself
		d.checkState(ctx, options, err, *workspace)
		if options.Settings == nil { // the settings file can't be read
			options.Settings = project.NewSettings()
		}
		models := project.NewModels(options)
		d.reportAll(models.KeyFindings(ctx))
		d.reportAll(models.ModelFindings(ctx, project.Essential, "model", settings.Model, session.TryModel))
		if settings.Fallback != "" {
			d.reportAll(models.ModelFindings(ctx, project.Suspect, "fallback", settings.Fallback, session.TryModel))
		}
		if e := settings.Index.Embeddings; e.Provider != "" {
			d.checkEmbeddings(ctx, models, e)
		}
		d.report("", "editor", "%s", editorText)
		if d.failed {
			return errors.New("something essential does not work")
		}
		return nil
	}
}

// A doctor checks what the server needs and reports the results. It never prints a key.
type doctor struct {
	out    io.Writer
	failed bool
}

func (d *doctor) report(level, what, format string, args ...any) {
	d.failed = d.failed || level == "FAIL"
	fmt.Fprintf(d.out, "%-5s %-10s %s\n", level, what, fmt.Sprintf(format, args...))
}

func (d *doctor) reportAll(found []project.Finding) {
	for _, f := range found {
		d.report(string(f.Level), f.What, "%s", f.Text)
	}
}

// checkSettings reports mistakes in the settings and returns the settings that are valid.
func (d *doctor) checkSettings(c *common, env environment) config.Settings {
	layers, err := c.settings(env)
	if err != nil {
		d.report("FAIL", "settings", "%v: name another file with --config", err)
		return config.Settings{}
	}
	settings, problems := config.Merge(layers...)
	path, err := c.configFile(env)
	switch _, statErr := os.Stat(path); {
	case err != nil:
		d.report("ok", "settings", "no file, since %v", err)
	case statErr != nil:
		d.report("ok", "settings", "no file at %s, the default place", path)
	default:
		d.report("ok", "settings", "the file is %s", path)
	}
	for _, l := range layers {
		d.failed = d.failed || l.Err != nil
	}
	d.reportAll(project.SettingsFindings(problems))
	return settings
}

// checkState checks that the state folder is writable and that a workspace can be
// indexed.
func (d *doctor) checkState(ctx context.Context, options project.Options, err error, workspace string) {
	if err == nil {
		err = checkWritable(options.StateDir)
	}
	if err != nil {
		d.report("FAIL", "state", "%v: set PLOKE_STATE_DIR, or --state-dir, to a folder that can be written", err)
		return
	}
	d.report("ok", "state", "the databases are in %s", options.StateDir)
	status, permissions, err := tryWorkspace(ctx, options, workspace)
	switch {
	case err != nil:
		d.report("FAIL", "index", "%v", err)
	case status.State != index.Ready:
		d.report("warn", "index", "%s is not indexed after %v: %s", workspace, indexTimeout, status)
	default:
		d.report("ok", "index", "%s: %d files, %d symbols", workspace, status.Files, status.Symbols)
	}
	d.reportAll(project.PermissionFindings(permissions, takeBack))
}

// takeBack says how a permanent answer is deleted.
func takeBack(key string) string {
	return fmt.Sprintf("the command %s with the key %q deletes this answer", ploke.CommandPermissionForget, key)
}

// checkWritable creates the folder if needed, and creates and removes a file in it.
func checkWritable(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "doctor-")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// tryWorkspace opens and indexes a workspace for at most indexTimeout. It returns the
// status of the index and the stored permissions.
func tryWorkspace(ctx context.Context, options project.Options, workspace string) (
	status *project.IndexStatus, permissions []session.StandingAnswer, err error,
) {
	root, err := workspaceFolder(workspace)
	if err != nil {
		return nil, nil, err
	}
	p, err := project.Open(ctx, options, []string{root}, &frontEnd{stderr: io.Discard}) // doctor reports what it finds
	if err != nil {
		return nil, nil, fmt.Errorf("the workspace could not be opened: %w", err)
	}
	defer p.Close()
	if permissions, err = p.Engine.Permissions(ctx); err != nil {
		return nil, nil, err
	}
	limited, cancel := context.WithTimeout(ctx, indexTimeout)
	defer cancel()
	if err = p.AwaitIndex(limited); limited.Err() != nil {
		err = nil // the status says how far the index is
	}
	return p.IndexStatus(), permissions, err
}

// checkEmbeddings requests one vector from the embedding model.
func (d *doctor) checkEmbeddings(ctx context.Context, models *project.Models, e config.Embeddings) {
	ctx, cancel := context.WithTimeoutCause(ctx, modelTimeout, fmt.Errorf("no answer within %v", modelTimeout))
	defer cancel()
	name := e.Provider + "/" + e.Model
	model, err := models.Embeddings(ctx, e)
	if err != nil {
		d.report("warn", "vectors", "%v", err)
		return
	}
	began := time.Now()
	made, _, err := model.Embed(ctx, []string{e.QueryPrefix + "ready"})
	if err != nil {
		d.report("warn", "vectors", "%s does not make vectors: %v", name, err)
		return
	}
	d.report("ok", "vectors", "%s made a vector of %d dimensions in %.1f s", name, len(made[0]), time.Since(began).Seconds())
}
