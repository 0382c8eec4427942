package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"ploke-lsp/index"
	"ploke-lsp/internal/config"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
	"ploke-lsp/session"
	"ploke-lsp/session/llm"
)

const (
	indexTimeout = 30 * time.Second // for the first scan of a workspace
	modelTimeout = time.Minute      // for a tiny answer
	tinyAnswer   = 64               // tokens
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
		d.checkKeys(ctx, models)
		d.checkModel(ctx, models, "FAIL", "model", settings.Model)
		if settings.Fallback != "" {
			d.checkModel(ctx, models, "warn", "fallback", settings.Fallback)
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
	for _, p := range problems {
		d.report("warn", "settings", "%s", p)
	}
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
	d.reportPermissions(permissions)
}

// reportPermissions lists the stored permissions of the workspace.
func (d *doctor) reportPermissions(permissions []session.StandingAnswer) {
	for _, p := range permissions {
		verdict := "rejected"
		if p.Allowed {
			verdict = "allowed"
		}
		d.report("ok", "permission", "%q is always %s, since %s; the command %s with the key %q deletes this answer",
			p.Title, verdict, p.Since.Format(time.DateTime), ploke.CommandPermissionForget, p.Key)
	}
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

// checkKeys looks up the key of each provider. It does not send the key anywhere, so it
// can't tell whether the provider accepts it.
func (d *doctor) checkKeys(ctx context.Context, models *project.Models) {
	providers := models.Settings().Providers
	for _, name := range slices.Sorted(maps.Keys(providers)) {
		p := providers[name]
		source := p.KeySource()
		_, err := models.Key(ctx, p)
		switch {
		case err != nil:
			d.report("warn", "provider", "%s (%s) can't be used: %v", name, p.Type, err)
		case source == "":
			d.report("ok", "provider", "%s (%s) gets no key, since none is configured", name, p.Type)
		default:
			d.report("ok", "provider", "%s (%s) has a key, from %s", name, p.Type, source)
		}
	}
}

// checkModel sends a tiny request to a model. level is the level of the report if the
// request fails.
func (d *doctor) checkModel(ctx context.Context, models *project.Models, level, what, name string) {
	model, err := models.Find(ctx, name)
	if err != nil {
		d.report(level, what, "%v", err)
		return
	}
	if _, remote := model.Provider.(llm.Remote); !remote {
		d.report("ok", what, "the embedded model, which needs no network and no key; to use another model, see docs/settings.md")
		return
	}
	began := time.Now()
	text, usage, err := tinyRequest(ctx, model)
	if err != nil {
		d.report(level, what, "%s does not answer: %v", name, err)
		return
	}
	d.report("ok", what, "%s answered %q in %.1f s (%d tokens in, %d out)", name, text, time.Since(began).Seconds(), usage.In, usage.Out)
	if model.ContextTokens == 0 {
		provider, id, _ := strings.Cut(name, "/")
		d.report("warn", what, "its context window is unknown: set providers.%s.models.%q.contextTokens", provider, id)
	}
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

// tinyRequest requests a one-word answer. It accepts every answer.
func tinyRequest(ctx context.Context, model llm.Model) (text string, usage llm.Usage, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, modelTimeout, fmt.Errorf("no answer within %v", modelTimeout))
	defer cancel()
	request := model.Request([]llm.Message{{Role: llm.User, Text: "Answer with the one word: ready"}}, nil, model.ContextTokens)
	request.MaxTokens, request.Reasoning = tinyAnswer, false
	for chunk, err := range model.Provider.Send(ctx, request) {
		if err != nil {
			return "", usage, err
		}
		text += chunk.Text
		if chunk.Usage != nil {
			usage = *chunk.Usage
		}
	}
	return strings.TrimSpace(text), usage, nil
}
