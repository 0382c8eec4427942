package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"time"

	ploke "ploke-lsp/lsp/protocol"
)

func proposalsCommand(fs *flag.FlagSet, c *common) func(context.Context, environment, []string) error {
	workspace := fs.String("workspace", ".", "`folder` that the proposals are for")
	reason := fs.String("reason", "", "the reason of a rejection, which the model reads")
	return func(ctx context.Context, env environment, args []string) error {
		do, err := proposalAction(env, args, *reason)
		if err != nil {
			return err
		}
		options, err := c.options(env)
		if err != nil {
			return err
		}
		options.KeepVectors = true
		client, err := connect(ctx, options, *workspace, nil)
		if err != nil {
			return err
		}
		return errors.Join(do(ctx, client), client.close())
	}
}

// proposalAction returns the action that the arguments name.
func proposalAction(env environment, args []string, reason string) (func(context.Context, *client) error, error) {
	if len(args) == 0 || len(args) == 1 && args[0] == "list" {
		return func(ctx context.Context, c *client) error { return listProposals(ctx, c, env) }, nil
	}
	if len(args) != 2 {
		return nil, errUsage
	}
	id := args[1]
	var method string
	var params any = ploke.ProposalParams{ID: id}
	switch args[0] {
	case "show":
		return func(ctx context.Context, c *client) error { return showProposal(ctx, c, env, id) }, nil
	case "accept":
		method, params = ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id}
	case "reject":
		method, params = ploke.MethodProposalReject, ploke.ProposalRejectParams{ID: id, Reason: reason}
	case "undo":
		method = ploke.MethodProposalUndo
	case "redo":
		method = ploke.MethodProposalRedo
	default:
		return nil, errUsage
	}
	return func(ctx context.Context, c *client) error { return decide(ctx, c, env, method, params) }, nil
}

func listProposals(ctx context.Context, c *client, env environment) error {
	var result ploke.ProposalListResult
	if err := c.call(ctx, ploke.MethodProposalList, ploke.ProposalListParams{}, &result); err != nil {
		return err
	}
	for _, p := range result.Proposals {
		created := time.UnixMilli(p.CreatedAt).Format(time.DateTime)
		fmt.Fprintf(env.stdout, "%s  %-8s  %s  %s\n", p.ID, p.Status, created, p.Title)
	}
	return nil
}

// showProposal prints a proposal: its preview, new syntax errors and conflicts.
func showProposal(ctx context.Context, c *client, env environment, id string) error {
	var result ploke.ProposalGetResult
	if err := c.call(ctx, ploke.MethodProposalGet, ploke.ProposalParams{ID: id}, &result); err != nil {
		return err
	}
	fmt.Fprintf(env.stdout, "%s (%s)\n%s", result.Proposal.Title, result.Proposal.Status, result.Preview)
	for _, f := range result.Proposal.Files {
		for _, p := range f.Problems {
			fmt.Fprintf(env.stdout, "\nnew syntax error in %s, line %d: %s\n", cmp.Or(f.NewPath, f.Path), p.Line, p.Message)
		}
	}
	for _, c := range result.Conflicts {
		fmt.Fprintf(env.stdout, "\n%s\n<<<<<<< the proposal\n%s||||||| before the proposal\n%s=======\n%s>>>>>>> %s:%d as it is now\n",
			c.Reason, ensureNewline(c.Ours), ensureNewline(c.Base), ensureNewline(c.Theirs), c.Path, c.Line)
	}
	return nil
}

// ensureNewline appends a line break to text, unless it is empty or ends with one.
func ensureNewline(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

func decide(ctx context.Context, c *client, env environment, method string, params any) error {
	var decision ploke.ProposalDecision
	if err := c.call(ctx, method, params, &decision); err != nil {
		return err
	}
	fmt.Fprintln(env.stdout, decision.Status)
	for _, f := range decision.Files {
		name := f.Path
		if f.NewPath != "" {
			name += " -> " + f.NewPath
		}
		fmt.Fprintf(env.stdout, "  %s %s\n", f.Op, name)
	}
	return nil
}
