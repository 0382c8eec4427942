package compiler

import "context"

// An Editor has language servers, which it started for its user, and asks them for us.
type Editor interface {
	// Name is what the editor is called, with its version.
	Name() string
	// Versions returns the versions of the texts that are open in the editor, by their absolute paths.
	Versions() map[string]int32
	// Servers returns the servers of a file. It starts none.
	Servers(ctx context.Context, path string) ([]EditorServer, error)
	// Ask returns the answer for the text of the file as it was when it was called, an [ErrChanged] if there is none, and
	// a [lspclient.RefusedError] if the server refuses.
	Ask(ctx context.Context, r EditorRequest) (*EditorAnswer, error)
}

// An EditorServer is a language server of an editor.
type EditorServer struct {
	ID             string
	Name, Version  string   // as it calls itself
	Encoding       string   // of positions, as LSP names it
	Methods        []string // of LSP, that it answers
	Running, Ended []string // titles of what it does and has done, as far as it has told
}

// An EditorRequest asks a server of an editor.
type EditorRequest struct {
	Server, Path, Method string
	Params               []byte // JSON
}

// An EditorAnswer is what a server has answered.
type EditorAnswer struct {
	Result []byte        // JSON
	Server *EditorServer // as it is now; nil if that is not known
}
