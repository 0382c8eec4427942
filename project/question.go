package project

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"

	"ploke-lsp/internal/peer"
	"ploke-lsp/tools"
)

// A Question is what the command line, or a project, asks a process that has its folder open. Nothing changes
// by it.
type Question struct {
	Command   string
	Arguments json.RawMessage
}

// AskServer asks a process that has a folder open, of an absolute path, alone.
// ok is false if none answers: then the caller has to open the folder.
func AskServer(ctx context.Context, o Options, root string, q Question) (answer []byte, ok bool) {
	o.complete()
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, false
	}
	question, err := json.Marshal(q)
	if err != nil {
		return nil, false
	}
	answer, err = peer.Ask(ctx, peer.Dirs(o.StateDir, real), o.Version, question)
	if err != nil {
		o.Logger.Debug("no server of the folder answers", "folder", real, "reason", err)
	}
	return answer, err == nil
}

// answer answers a question about a folder as it is now. answer has the answers for the command line, if this process
// has any. It refuses what the process that asks can answer better: a
// project of several folders searches all of them, and an editor does not have the unsaved texts of others.
func (p *Project) answer(ctx context.Context, answer func(context.Context, *Project, Question) ([]byte, error),
	root string, question []byte) ([]byte, error) {
	var q Question
	if err := json.Unmarshal(question, &q); err != nil {
		return nil, err
	}
	if q.Command == askCompiler {
		return p.languages.Answer(ctx, root, q.Arguments)
	}
	if answer == nil {
		return nil, errors.New("this process answers no commands")
	}
	if roots := p.Workspace.Roots(); len(roots) != 1 || roots[0] != root {
		return nil, errors.New("other folders are open, too")
	}
	if err := p.AwaitIndex(ctx); err != nil {
		return nil, err
	}
	p.peers.AwaitListed(ctx)
	if p.peers.Editor && p.peers.AnyOpen() {
		return nil, errors.New("files are open in another editor")
	}
	return answer(ctx, p, q)
}

// Diagnostics returns what other language servers report to the front end for the file at an absolute path, for all
// files if that is "".
func (p *Project) Diagnostics(ctx context.Context, path string) (tools.Diagnostics, error) {
	return p.frontEnd.Diagnostics(ctx, path)
}

// Refresh brings the index up to date, as before a turn.
func (p *Project) Refresh(ctx context.Context) error { return p.beforeTurn(ctx) }
