package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"ploke-lsp/internal/config"
	"ploke-lsp/lsp"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm"
)

const (
	indexPatience = 30 * time.Second // for the first scan of a workspace
	modelPatience = time.Minute      // for a tiny answer
	tinyAnswer    = 64               // tokens
)

// editorText says which declarations of an editor's matter.
const editorText = `any client of LSP will do; one that declares
    workspace/applyEdit                   applies proposals itself, with its undo
    window/showDocument                   opens the answers of code actions
    window/workDoneProgress               shows what goes on, and can stop it
    workspace/didChangeWatchedFiles       tells what changes outside of it
    workspace/configuration               changes settings without a restart
    experimental.ploke                    has a chat of its own (see the README)
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
		d.checkState(ctx, c, env, *workspace)
		models := &lsp.Models{Settings: func() config.Settings { return settings }, Keys: &config.Keys{Getenv: env.getenv}, HTTP: http.DefaultClient,
			Log: slog.New(slog.DiscardHandler)} // what is missing for it is said
		d.checkKeys(ctx, models)
		d.checkModel(ctx, models, "FAIL", "model", settings.Model)
		if settings.Fallback != "" {
			d.checkModel(ctx, models, "warn", "fallback", settings.Fallback)
		}
		if e := settings.Index.Embeddings; e.Provider != "" {
			d.checkEmbeddings(ctx, models, e)
		}
		d.say("", "editor", "%s", editorText)
		if d.failed {
			return errors.New("something essential does not work")
		}
		return nil
	}
}

// A doctor tries what the server needs and says what it found. It shows no key.
type doctor struct {
	out    io.Writer
	failed bool
}

func (d *doctor) say(level, what, format string, args ...any) {
	d.failed = d.failed || level == "FAIL"
	fmt.Fprintf(d.out, "%-5s %-10s %s\n", level, what, fmt.Sprintf(format, args...))
}

// checkSettings returns what the settings say as far as they can be read.
func (d *doctor) checkSettings(c *common, env environment) config.Settings {
	layers, err := c.settings(env)
	if err != nil {
		d.say("FAIL", "settings", "%v: name another file with --config", err)
		return config.Settings{}
	}
	settings, problems := config.Merge(layers...)
	path, err := c.configFile(env)
	switch _, statErr := os.Stat(path); {
	case err != nil:
		d.say("ok", "settings", "no file, since %v", err)
	case statErr != nil:
		d.say("ok", "settings", "no file at %s, which is where one would be read", path)
	default:
		d.say("ok", "settings", "the file is %s", path)
	}
	for _, l := range layers {
		d.failed = d.failed || l.Err != nil
	}
	for _, p := range problems {
		d.say("warn", "settings", "%s", p)
	}
	return settings
}

// checkState writes to the state folder and opens a workspace in it.
func (d *doctor) checkState(ctx context.Context, c *common, env environment, workspace string) {
	options, err := c.options(env)
	if err == nil {
		err = writable(options.StateDir)
	}
	if err != nil {
		d.say("FAIL", "state", "%v: set PLOKE_STATE_DIR, or --state-dir, to a folder that can be written", err)
		return
	}
	d.say("ok", "state", "the databases are in %s", options.StateDir)
	options.MakeNoVectors = true
	options.Logger = slog.New(slog.DiscardHandler) // it would say the settings' mistakes again
	status, standing, err := tryWorkspace(ctx, options, workspace)
	switch {
	case err != nil:
		d.say("FAIL", "index", "%v", err)
	case status.State != ploke.IndexReady:
		d.say("warn", "index", "%s is not indexed after %v: %s", workspace, indexPatience, &status)
	default:
		d.say("ok", "index", "%s: %d files, %d symbols", workspace, status.Files, status.Symbols)
	}
	d.sayStanding(standing)
}

// sayStanding names the answers that hold for ever in the workspace.
func (d *doctor) sayStanding(standing []ploke.StandingPermission) {
	for _, p := range standing {
		verdict := "rejected"
		if p.Allowed {
			verdict = "allowed"
		}
		d.say("ok", "permission", "%q is always %s, since %s; %s with the key %q takes that back",
			p.Title, verdict, p.Since.Format(time.DateTime), ploke.CommandPermissionForget, p.Key)
	}
}

// writable makes the folder if need be, and writes to it.
func writable(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "doctor-")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// tryWorkspace has a server index a workspace, for a while, and name the answers
// that hold for ever in it.
func tryWorkspace(ctx context.Context, options lsp.Options, workspace string) (
	status ploke.IndexStatus, standing []ploke.StandingPermission, err error,
) {
	client, err := connect(ctx, options, workspace, nil)
	if err != nil {
		return status, nil, err
	}
	waiting, cancel := context.WithTimeout(ctx, indexPatience)
	defer cancel()
	// A workspace that could not be opened says so when asked.
	var list ploke.PermissionListResult
	if err = client.call(ctx, ploke.MethodPermissionList, nil, &list); err == nil {
		err = client.awaitIndex(waiting)
	}
	if err == nil || waiting.Err() != nil {
		err = client.call(ctx, ploke.MethodIndexStatus, nil, &status)
	}
	return status, list.Permissions, errors.Join(err, client.close())
}

// checkKeys looks for the key of each provider. Whether it is the right one
// shows the request.
func (d *doctor) checkKeys(ctx context.Context, models *lsp.Models) {
	providers := models.Settings().Providers
	for _, name := range slices.Sorted(maps.Keys(providers)) {
		p := providers[name]
		source := p.KeySource()
		_, err := models.Keys.Find(ctx, p)
		switch {
		case err != nil:
			d.say("warn", "provider", "%s (%s) can't be used: %v", name, p.Type, err)
		case source == "":
			d.say("ok", "provider", "%s (%s) is sent no key, since none is configured", name, p.Type)
		default:
			d.say("ok", "provider", "%s (%s) has a key, from %s", name, p.Type, source)
		}
	}
}

// checkModel sends a model a tiny request; level says how bad it is if that
// fails.
func (d *doctor) checkModel(ctx context.Context, models *lsp.Models, level, what, name string) {
	model, err := models.Find(ctx, name)
	if err != nil {
		d.say(level, what, "%v", err)
		return
	}
	if _, remote := model.Provider.(llm.Remote); !remote {
		d.say("ok", what, "the embedded one, which needs no network and no key; to use another, see \"A model\" in the README")
		return
	}
	began := time.Now()
	text, usage, err := tinyRequest(ctx, model)
	if err != nil {
		d.say(level, what, "%s does not answer: %v", name, err)
		return
	}
	d.say("ok", what, "%s answered %q in %.1f s (%d tokens in, %d out)", name, text, time.Since(began).Seconds(), usage.In, usage.Out)
	if model.ContextTokens == 0 {
		provider, id, _ := strings.Cut(name, "/")
		d.say("warn", what, "how large its context window is, is not known: set providers.%s.models.%q.contextTokens", provider, id)
	}
}

// checkEmbeddings has the model for vectors make one.
func (d *doctor) checkEmbeddings(ctx context.Context, models *lsp.Models, e config.Embeddings) {
	ctx, cancel := context.WithTimeoutCause(ctx, modelPatience, fmt.Errorf("there was no answer within %v", modelPatience))
	defer cancel()
	name := e.Provider + "/" + e.Model
	model, err := models.Embeddings(ctx, e)
	if err != nil {
		d.say("warn", "vectors", "%v", err)
		return
	}
	began := time.Now()
	made, _, err := model.Embed(ctx, []string{e.QueryPrefix + "ready"})
	if err != nil {
		d.say("warn", "vectors", "%s makes none: %v", name, err)
		return
	}
	d.say("ok", "vectors", "%s made one of %d dimensions in %.1f s", name, len(made[0]), time.Since(began).Seconds())
}

// tinyRequest asks for one word. Whatever ends without an error is an answer.
func tinyRequest(ctx context.Context, model llm.Model) (text string, usage llm.Usage, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, modelPatience, fmt.Errorf("there was no answer within %v", modelPatience))
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
