package tools

import (
	"context"
	"errors"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/internal/trial"
	"ploke-lsp/tools/running"
	"ploke-lsp/tools/wording"
	"ploke-lsp/tools/written"
)

const (
	shownFiles   = 50      // that a command changed
	freelyStaged = 200     // files that are staged without a question
	freelyBytes  = 2 << 20 // of them all
)

// propose stages what a command has written that is text and not ignored. Afterwards the copy takes what is staged for
// what was laid.
func (c commandCall) propose(ctx context.Context, end *ran, changes []trial.Change, in *written.Copy) error {
	files, err := in.Changed(ctx, changes)
	if err != nil || len(changes) == 0 {
		return err
	}
	turn := c.env.Call().RequestID
	files = c.deps.unwanted.Without(turn, files)
	if err := c.permitMany(ctx, written.Staging(files)); err != nil {
		c.deps.unwanted.Add(turn, written.Staging(files))
		for _, f := range written.Staging(files) {
			f.Left = "the user did not want so many changes"
		}
	} else if err := c.stage(ctx, end, written.Staging(files)); err != nil {
		return err
	}
	for _, f := range files {
		end.files = append(end.files, f.Change)
	}
	texts, err := in.Texts(ctx, files)
	if err != nil {
		return err
	}
	return c.deps.LayTrial(ctx, turn, c.folder, texts)
}

// permitMany asks whether very much is to be proposed.
func (c commandCall) permitMany(ctx context.Context, files []*written.File) error {
	bytes, names := 0, []string(nil)
	for i, f := range files {
		if bytes += f.Bytes; i < shownFiles {
			names = append(names, c.deps.Workspace.Rel(f.File))
		}
	}
	if bytes <= freelyBytes && len(files) <= freelyStaged {
		return nil
	}
	return c.env.AskPermission(ctx, Permission{
		Title:  "propose the changes of " + wording.Plural(len(files), "file") + " that a command made",
		Detail: c.title + "\n" + strings.Join(names, "\n"),
		Key:    running.Key("many changes", c.folder, c.Args), OnlyOnce: true})
}

// stage stages the files, all at once, or if that is refused, each by itself.
func (c commandCall) stage(ctx context.Context, end *ran, files []*written.File) error {
	if len(files) == 0 {
		return nil
	}
	var all []edits.Operation
	for _, f := range files {
		all = append(all, f.Operations...)
	}
	result, err := c.stageBatch(ctx, all)
	var refused *wording.Failure
	if err == nil || !errors.As(err, &refused) {
		end.staged += len(files)
		end.note += result.words(&end.proposal)
		return err
	}
	said := ""
	for _, f := range files {
		one, err := c.stageBatch(ctx, f.Operations)
		switch {
		case errors.As(err, &refused):
			f.Left = refused.Message
		case err != nil:
			return err
		default:
			end.staged++
			said = one.words(&end.proposal)
		}
	}
	end.note += said
	return nil
}

// stageBatch stages operations with the command as their author.
func (c commandCall) stageBatch(ctx context.Context, operations []edits.Operation) (*stagedResult, error) {
	reason := c.title
	if c.reason != "" {
		reason += ": " + c.reason
	}
	result, _, err := c.deps.stageBatch(ctx, c.env, reason, c.title, operations)
	return result, err
}

// words says that a command's changes are staged, and in which proposal.
func (r *stagedResult) words(proposal *string) string {
	if r == nil {
		return ""
	}
	*proposal = r.ProposalID
	return "; what it changed is " + r.Note
}
