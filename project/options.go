package project

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"

	"ploke-lsp/tools"
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
	// ResumeHint is what the person does to resume indexing, such as "run X".
	ResumeHint string
	Hooks      Hooks
}

// Hooks are what a front end does for a project. Each may be nil.
type Hooks struct {
	// Link returns the target of a Markdown link to a cited place; nil is the path with the line.
	Link func(Citation) string
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
	if o.Hooks.Link == nil {
		o.Hooks.Link = func(c Citation) string { return fmt.Sprintf("%s#L%d", c.Path, c.StartLine) }
	}
}
