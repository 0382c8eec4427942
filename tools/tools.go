package tools

import (
	"context"
	"time"

	"ploke-lsp/edits"
	"ploke-lsp/index"
	"ploke-lsp/internal/sandbox"
	"ploke-lsp/internal/trial"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/facts"
	"ploke-lsp/tools/packing"
	"ploke-lsp/tools/running"
	"ploke-lsp/tools/written"
)

// Deps are the dependencies of the tools. The tools own none of them.
type Deps struct {
	Workspace *workspace.Workspace
	Index     *index.Index
	Edits     *edits.Manager
	// Checks returns the commands that the user has configured, by name. It may be nil. The map
	// is not modified.
	Checks func() map[string]Check
	// RunTrial runs a command in a sandbox, on a copy that all commands of a turn share. An error of type
	// [*sandbox.LaunchError] says why it did not start.
	RunTrial func(ctx context.Context, t Trial) (TrialResult, error)
	// Network returns what commands in a sandbox may reach if they don't say. It may be nil, for none.
	Network func() sandbox.Network
	// ReadTrial returns the text of a file that was changed in the copy, of at most limit bytes.
	ReadTrial func(turn, folder, path string, limit int64) ([]byte, error)
	// LayTrial makes files of the copy read as texts say, and others that were laid as in the folder.
	LayTrial func(ctx context.Context, turn, folder string, texts []trial.Text) error
	// Diagnostics returns the editor's diagnostics for the file at an absolute path, or for all
	// files if path is empty. It is nil if there is no editor.
	Diagnostics func(ctx context.Context, path string) (Diagnostics, error)
	// Editor returns the person's place in the editor, within a short time. It is nil if there
	// is no editor.
	Editor func(ctx context.Context) index.Editor
	// Decides says how a person decides on a proposal where they are, such as by a command. The verb is reject or undo.
	// It may be nil, for the command line.
	Decides func(verb, id string) string
	// ResultTokens returns the user's limit on the tokens of a result; 0 means none. It may be
	// nil.
	ResultTokens func() int

	// Compiler knows what a name means better than the index. It may be nil.
	Compiler Compiler

	unwanted *written.Unwanted // what commands have written
}

// sources returns the files as the turn of a call sees them.
func (d Deps) sources(env Env) *current.Files {
	return current.New(d.Workspace, d.Index, d.Edits, env.Call().turn())
}

// reading declares that a tool only reads, and makes it refuse results above the user's limit.
func (d Deps) reading(set *Set, t *Tool) *Tool {
	t.ReadOnly = true
	return d.withinLimit(set, t)
}

// mostNeeded are the tools that a small window may have no room to describe, those that are missed most first. The
// others are those without which nothing can be read, found or changed.
var mostNeeded = []string{"create_file", "code_item_lookup", RecallToolResult, "run_command", "run_check", "request_code_context", "list_dir", "delete_file", "rename_file",
	"code_item_edges", "get_diagnostics", "get_file_metadata"}

// New returns the set of all tools over deps, always in the same order.
func New(deps Deps) *Set {
	if deps.Checks == nil {
		deps.Checks = func() map[string]Check { return nil }
	}
	if deps.Diagnostics == nil {
		deps.Diagnostics = func(context.Context, string) (Diagnostics, error) { return Diagnostics{Partial: true}, nil }
	}
	if deps.Decides == nil {
		deps.Decides = decidesByCommand
	}
	if deps.Editor == nil {
		deps.Editor = func(context.Context) index.Editor { return index.Editor{} }
	}
	deps.unwanted = new(written.Unwanted)
	set := new(Set)
	reading := func(t *Tool) *Tool { return deps.reading(set, t) }
	edges := reading(Define[codeItemEdgesResult]("code_item_edges", codeItemEdgesDescription, Long, deps.codeItemEdges))
	search := reading(Define[searchTextResult]("search_text", searchTextDescription, Long, deps.searchText))
	// keeps the user's limit itself
	found := Define[packing.Result]("request_code_context", requestCodeContextDescription, Short, deps.contextWithinBudget)
	found.ReadOnly = true
	lookup := reading(Define[codeItemLookupResult]("code_item_lookup", codeItemLookupDescription, Short,
		deps.codeItemLookup))
	edit := Define[stagedResult]("apply_code_edit", applyCodeEditDescription, Staging, deps.applyCodeEdit)
	for _, t := range []*Tool{found, lookup, edges, edit} {
		t.Indexed = true
	}
	metadata := reading(Define[fileMetadataContent]("get_file_metadata", getFileMetadataDescription, Short,
		deps.getFileMetadata))
	read := reading(Define[readFileResult]("read_file", readFileDescription, Short, deps.readFile))
	list := reading(Define[listDirResult]("list_dir", listDirDescription, Short, deps.listDir))
	for _, t := range []*Tool{lookup, metadata, read, list} {
		t.NamesSource = true
	}
	check := Define[runCheckContent]("run_check", runCheckDescription, Long, deps.runCheck)
	run := Define[runCommandResult]("run_command", runCommandDescription, Long, deps.runCommand)
	check.Offered = func() bool { return len(deps.Checks()) > 0 }
	facts := reading(Define[facts.Result](ProjectFacts, projectFactsDescription, Long, deps.projectFacts))
	facts.Offered = func() bool { return false }
	facts.Timeout = time.Minute
	edges.Timeout, search.Timeout = time.Minute, time.Minute
	check.Timeout, run.Timeout = running.MaxTimeout+time.Minute, running.MaxTimeout+time.Minute
	set.tools = []*Tool{
		found,
		lookup,
		edges,
		metadata,
		read,
		list,
		search,
		reading(Define[getDiagnosticsResult]("get_diagnostics", getDiagnosticsDescription, Short, deps.getDiagnostics)),
		edit,
		Define[stagedResult]("create_file", createFileDescription, Staging, deps.createFile),
		Define[stagedResult]("rename_file", renameFileDescription, Staging, deps.renameFile),
		Define[stagedResult]("delete_file", deleteFileDescription, Staging, deps.deleteFile),
		reading(Define[recalledResult](RecallToolResult, recallToolResultDescription, Short, deps.recallFrom(set))),
		run,
		check,
		facts,
	}
	for spare, name := range mostNeeded {
		if t, ok := set.Get(name); ok {
			t.Spare = 1 + spare
		}
	}
	for _, t := range set.tools {
		t.paths = deps.Workspace
	}
	return set
}
