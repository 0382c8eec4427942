package project

import (
	"context"
	"errors"
	"fmt"

	"ploke-lsp/edits"
	"ploke-lsp/edits/evidence"
	"ploke-lsp/project/proof"
	"ploke-lsp/tools"
)

// Ask asks the person for a permission.
type Ask func(context.Context, tools.Permission) error

// Standing asks nobody: the person has asked for what needs the permission, unless a standing answer forbids it.
func (e *Evidence) Standing(ctx context.Context, p tools.Permission) error {
	if allowed, known, err := e.p.Engine.Remembered(ctx, p); err != nil || !known || allowed {
		return err
	}
	return tools.ErrDenied
}

// errNotYet is why nothing ran where nobody was asked.
var errNotYet = errors.New("not allowed yet: to run it in a sandbox on a copy, check the proposal with its " +
	"code action, the command ploke.proposal.check, or ploke-lsp check")

// Allowed asks nobody, and allows what a standing answer allows: for agents without a person, and for editors that
// show no questions.
func (e *Evidence) Allowed(ctx context.Context, p tools.Permission) error {
	allowed, known, err := e.p.Engine.Remembered(ctx, p)
	switch {
	case err != nil || allowed:
		return err
	case known:
		return tools.ErrDenied
	}
	return errNotYet
}

// AllowAlways stores that commands may run in a sandbox on copies of the folders that a proposal changes.
func (e *Evidence) AllowAlways(ctx context.Context, p *edits.Proposal) error {
	box, err := e.sandbox()
	if err == nil && len(box.Lacks) > 0 {
		err = fmt.Errorf("%s does not keep commands from all that they could do, so each one is asked for", box.Way)
	}
	if err != nil {
		return err
	}
	for _, root := range e.p.Workspace.Roots() {
		if len(proof.ChangedIn(root, p)) > 0 {
			err = errors.Join(err, e.p.Engine.Allow(ctx, tools.SandboxPermission(root, nil)))
		}
	}
	return err
}

// NotAllowed reports whether no standing answer says whether the command of known may run.
func (e *Evidence) NotAllowed(ctx context.Context, known evidence.Evidence) bool {
	return len(known.Command) > 0 &&
		errors.Is(e.Allowed(ctx, tools.SandboxPermission(known.Folder, known.Command)), errNotYet)
}

// asking returns what asks whether a command may run in a sandbox.
func (e *Evidence) asking(ask Ask) proof.Ask {
	return func(ctx context.Context, folder string, command []string) error {
		box, err := e.sandbox()
		if err != nil {
			return fmt.Errorf("no sandbox: %w", err)
		}
		permission := tools.SandboxPermission(folder, command)
		if len(box.Lacks) > 0 {
			permission = tools.WeakerSandboxPermission(box, folder, command)
		}
		ctx, cancel := context.WithTimeout(ctx, e.patience)
		defer cancel()
		err = ask(ctx, permission)
		if errors.Is(err, tools.ErrDenied) {
			return errors.New("you have not allowed commands in a sandbox on copies of this folder")
		}
		return err
	}
}

// askingOnce returns what asks by itself at most once in a conversation, until the person allows it.
func (e *Evidence) askingOnce(conversation string, ask Ask) Ask {
	return func(ctx context.Context, p tools.Permission) error {
		if _, refused := e.refused.Load(conversation); refused {
			return e.Allowed(ctx, p)
		}
		err := ask(ctx, p)
		if errors.Is(err, tools.ErrDenied) {
			e.refused.Store(conversation, true)
		}
		return err
	}
}
