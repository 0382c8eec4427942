package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"ploke-lsp/index"
	"ploke-lsp/internal/config"
	"ploke-lsp/internal/shell"
	"ploke-lsp/internal/terminal"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
	"ploke-lsp/session"
)

const (
	// modelTimeout is how long doctor waits for a vector.
	modelTimeout = time.Minute
	// indexTimeout is how long doctor waits for the first scan of a workspace.
	indexTimeout = 30 * time.Second
	// writerTimeout is how often it looks meanwhile whether a process that is not met writes the index.
	writerTimeout = time.Second
)

func doctorCommand(fs *flag.FlagSet, c *common) func(context.Context, environment, []string) error {
	workspace := fs.String("workspace", ".", "`folder` to try the index with")
	asJSON := fs.Bool("json", false, "print JSON")
	return func(ctx context.Context, env environment, args []string) error {
		if err := noArguments(args); err != nil {
			return err
		}
		d := &doctor{out: env.stdout}
		if *asJSON {
			d.out = io.Discard
		}
		fmt.Fprintf(d.out, "ploke-lsp %s\n\n", version)
		d.checkAll(ctx, c, env, *workspace)
		if *asJSON {
			if err := d.printJSON(env.stdout); err != nil {
				return err
			}
		}
		if d.failed {
			return errors.New("something essential does not work")
		}
		return nil
	}
}

// A doctor checks what the server needs and reports the results. It never prints a key.
type doctor struct {
	out    io.Writer // gets each finding at once
	found  []project.Finding
	failed bool
}

// levelWords are the levels as people read them.
var levelWords = map[project.Level]string{project.Fine: "ok", project.Suspect: "warn", project.Essential: "FAIL"}

var levelStyles = map[project.Level]terminal.Style{project.Fine: terminal.Green, project.Suspect: terminal.Yellow,
	project.Essential: terminal.Red | terminal.Bold}

func (d *doctor) report(found ...project.Finding) {
	for _, f := range found {
		d.found = append(d.found, f)
		d.failed = d.failed || f.Level == project.Essential
		put(d.out, terminal.Span{Text: fmt.Sprintf("%-5s", levelWords[f.Level]), Style: levelStyles[f.Level]})
		fmt.Fprintf(d.out, " %-10s %s\n", f.What, f.Text)
		if f.Command != "" {
			fmt.Fprintf(d.out, "%-16s run: %s\n", "", f.Command)
		}
	}
}

// A doctorReport is what doctor --json prints. Scripts read it: members are added to it, and none
// changes its meaning.
type doctorReport struct {
	Version  string          `json:"version"` // of the program
	OK       bool            `json:"ok"`      // whether everything essential works
	Findings []ploke.Finding `json:"findings"`
}

func (d *doctor) printJSON(w io.Writer) error {
	report := doctorReport{Version: version, OK: !d.failed, Findings: []ploke.Finding{}}
	for _, f := range d.found {
		report.Findings = append(report.Findings,
			ploke.Finding{Level: ploke.FindingLevel(f.Level), What: f.What, Text: f.Text, Command: f.Command})
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(report)
}

func (d *doctor) checkAll(ctx context.Context, c *common, env environment, workspace string) {
	settings := d.checkSettings(c, env)
	options, err := c.projectOptions(env)
	options.Logger = slog.New(slog.DiscardHandler) // doctor reports the mistakes in the settings itself
	path, _ := c.statePath(env, workspace)         // "" for a workspace that does not exist
	d.checkState(ctx, options, err, workspace, path)
	if options.Settings == nil { // the settings file can't be read
		options.Settings = project.NewSettings()
	}
	models := project.NewModels(options)
	d.report(models.KeyFindings(ctx)...)
	d.report(models.ModelFindings(ctx, project.Essential, "model", settings.Model, session.TryModel)...)
	if settings.Fallback != "" {
		d.report(models.ModelFindings(ctx, project.Suspect, "fallback", settings.Fallback, session.TryModel)...)
	}
	if e := settings.Index.Embeddings; e.Provider != "" {
		d.checkEmbeddings(ctx, models, e, options.Settings.File())
	}
	d.report(project.SandboxFindings(ctx, settings, options.StateDir)...)
	d.report(project.LanguageFindings(settings)...)
	if root, err := projectFolder(env.getenv, workspace); err == nil {
		d.report(project.IndexFileFindings(ctx, settings, root)...)
	}
	d.report(project.ToolServerFindings(ctx, options, workspace)...)
	d.report(programFinding(), editorFinding(env))
}

// checkSettings reports mistakes in the settings and returns the settings that are valid.
func (d *doctor) checkSettings(c *common, env environment) config.Settings {
	layers, err := c.settings(env)
	if err != nil {
		d.report(project.Finding{Level: project.Essential, What: "settings",
			Text:    fmt.Sprintf("%v: name another file with --config", err),
			Command: "ploke-lsp doctor"})
		return config.Settings{}
	}
	settings, problems := config.Merge(layers...)
	f := project.Finding{Level: project.Fine, What: "settings"}
	path, err := c.configFile(env)
	switch _, statErr := os.Stat(path); {
	case err != nil:
		f.Text = fmt.Sprintf("no file, since %v", err)
	case statErr != nil:
		f.Text = fmt.Sprintf("no file at %s, the default place", path)
	default:
		f.Text = "the file is " + path
	}
	d.report(f)
	d.report(project.SettingsFindings(problems, path)...)
	return settings
}

// checkState checks that the state folder is writable and that a workspace can be
// indexed. path is where the workspace's state.db is.
func (d *doctor) checkState(ctx context.Context, options project.Options, err error, workspace, path string) {
	if err == nil {
		err = checkWritable(options.StateDir)
	}
	if err != nil {
		d.report(project.Finding{Level: project.Essential, What: "state",
			Text:    fmt.Sprintf("%v: set PLOKE_STATE_DIR, or --state-dir, to a folder that can be written", err),
			Command: otherState})
		return
	}
	d.report(project.Finding{Level: project.Fine, What: "state", Text: "the databases are in " + options.StateDir})
	began := time.Now()
	status, more, err := tryWorkspace(ctx, options, workspace)
	f := project.Finding{What: "index"}
	switch {
	case err != nil:
		f = unusableState(err, workspace, path)
	case status.State != index.Ready:
		f.Level, f.Text = project.Suspect, fmt.Sprintf("%s is not indexed after %v: %s", workspace,
			time.Since(began).Round(time.Second), status)
		f.Command = project.IndexCommand(workspace)
	default:
		f.Level, f.Text = project.Fine, fmt.Sprintf("%s: %d files, %d symbols", workspace, status.Files, status.Symbols)
	}
	d.report(f)
	d.report(more...)
}

// revocation says how a permanent answer is deleted.
func revocation(key string) string {
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

// tryWorkspace opens and indexes a workspace. It returns the status of the index, and what is found about other
// processes and the stored permissions.
func tryWorkspace(ctx context.Context, options project.Options, workspace string) (
	status *project.IndexStatus, found []project.Finding, err error,
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
	permissions, err := p.Engine.Permissions(ctx)
	if err != nil {
		return nil, nil, err
	}
	if err = awaitIndex(ctx, p); errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
		err = nil // the status says how far the index is
	}
	found = append(project.ProcessFindings(ctx, p), project.PermissionFindings(permissions, revocation)...)
	return p.IndexStatus(), found, err
}

// awaitIndex waits for the first scan, for indexTimeout at most. It does not wait for a process that is not met, which
// may write the index for ever.
func awaitIndex(ctx context.Context, p *project.Project) error {
	ctx, cancel := context.WithTimeout(ctx, indexTimeout)
	defer cancel()
	for {
		step, cancel := context.WithTimeout(ctx, writerTimeout)
		err := p.AwaitIndex(step)
		late := step.Err() != nil
		cancel()
		if !late || ctx.Err() != nil || project.WritesUnmet(p) {
			return err
		}
	}
}

// checkEmbeddings requests one vector from the embedding model, which the settings in file name.
func (d *doctor) checkEmbeddings(ctx context.Context, models *project.Models, e config.Embeddings, file string) {
	ctx, cancel := context.WithTimeoutCause(ctx, modelTimeout, fmt.Errorf("no answer within %v", modelTimeout))
	defer cancel()
	name := e.Provider + "/" + e.Model
	f := project.Finding{Level: project.Suspect, What: "vectors"}
	model, err := models.Embeddings(ctx, e)
	if err != nil {
		f.Text, f.Command = err.Error(), models.FixCommand(name, err, shell.Edit(file))
		d.report(f)
		return
	}
	began := time.Now()
	made, _, err := model.Embed(ctx, []string{e.QueryPrefix + "ready"})
	if err != nil {
		f.Text = fmt.Sprintf("%s does not make vectors: %v", name, err)
		f.Command = models.FixCommand(name, err, shell.Edit(file))
	} else {
		f.Level, f.Text = project.Fine, fmt.Sprintf("%s made a vector of %d dimensions in %.1f s", name, len(made[0]),
			time.Since(began).Seconds())
	}
	d.report(f)
}
