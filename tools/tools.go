package tools

import (
	"time"

	"ploke-lsp/edits"
	"ploke-lsp/index"
	"ploke-lsp/internal/workspace"
)

// Deps is what the tools work on. The tools own none of it.
type Deps struct {
	Workspace *workspace.Workspace
	Index     *index.Index
	Edits     *edits.Manager
}

// New is the set of all tools over deps, always in the same order.
func New(deps Deps) *Set {
	edges := Define("code_item_edges", codeItemEdgesWords, Long, deps.codeItemEdges)
	search := Define("search_text", searchTextWords, Long, deps.searchText)
	edges.Timeout, search.Timeout = time.Minute, time.Minute
	return NewSet(
		Define("request_code_context", requestCodeContextWords, Short, deps.requestCodeContext),
		Define("code_item_lookup", codeItemLookupWords, Short, deps.codeItemLookup),
		edges,
		Define("get_file_metadata", getFileMetadataWords, Short, deps.getFileMetadata),
		Define("read_file", readFileWords, Short, deps.readFile),
		Define("list_dir", listDirWords, Short, deps.listDir),
		search,
		Define("apply_code_edit", applyCodeEditWords, Short, deps.applyCodeEdit),
		Define("create_file", createFileWords, Short, deps.createFile),
		Define("rename_file", renameFileWords, Short, deps.renameFile),
		Define("delete_file", deleteFileWords, Short, deps.deleteFile),
		Define("recall_tool_result", recallToolResultWords, Short, recallToolResult),
	)
}
