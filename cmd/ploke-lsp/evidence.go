package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"

	"ploke-lsp/internal/terminal"
	ploke "ploke-lsp/lsp/protocol"
)

func checkCommand(fs *flag.FlagSet, c *common) func(context.Context, environment, []string) error {
	workspace := fs.String("workspace", ".", "`folder` that the proposals are for")
	tests := fs.Bool("tests", false, "also run the tests that the change touches")
	asJSON := fs.Bool("json", false, "print JSON")
	return func(ctx context.Context, env environment, args []string) error {
		if len(args) > 1 {
			return wrongUsage("%q is an argument too many", args[1])
		}
		options, err := c.readableOptions(env)
		if err != nil {
			return err
		}
		options.KeepVectors = true
		client, err := connect(ctx, options, *workspace, handlers{indexing: &progressLine{}})
		if err != nil {
			return err
		}
		defer client.close()
		params := ploke.ProposalCheckParams{Tests: *tests}
		if len(args) > 0 {
			if params.ID, err = findProposal(ctx, client, "check", args[0]); err != nil {
				return err
			}
		}
		var result ploke.ProposalCheckResult
		if err := client.call(ctx, ploke.MethodProposalCheck, params, &result); err != nil {
			return err
		}
		return printCheck(env.stdout, &result, *asJSON)
	}
}

// printCheck prints what is known, and fails if there are new problems.
func printCheck(w io.Writer, result *ploke.ProposalCheckResult, asJSON bool) error {
	if asJSON {
		if err := printJSON(w, result); err != nil {
			return err
		}
	} else if len(result.Evidence) == 0 {
		fmt.Fprintln(w, fitting(w, result.Reason))
	} else {
		printEvidence(w, result.Evidence)
	}
	for _, e := range result.Evidence {
		if e.State == ploke.EvidenceFailed {
			return errNothing
		}
	}
	return nil
}

// showAsJSON prints a proposal as the protocol has it.
func showAsJSON(ctx context.Context, c *client, env environment, id string) error {
	var result ploke.ProposalGetResult
	if err := c.call(ctx, ploke.MethodProposalGet, ploke.ProposalParams{ID: id}, &result); err != nil {
		return err
	}
	return printJSON(env.stdout, &result)
}

// printEvidence prints a line for each source, and its new problems.
func printEvidence(w io.Writer, all []ploke.Evidence) {
	for _, e := range all {
		text, isFirst := strings.CutPrefix(fitting(w, e.Source+": "+e.Summary), e.Source)
		if isFirst {
			put(w, terminal.Span{Text: e.Source, Style: terminal.Bold})
		}
		fmt.Fprintln(w, text)
		for _, p := range e.Problems {
			place := ""
			if p.Path != "" {
				place = fmt.Sprintf("%s:%d: ", p.Path, p.Line)
			}
			fmt.Fprintln(w, fitting(w, "  "+place+p.Message))
		}
		if e.Omitted > 0 {
			fmt.Fprintf(w, "  and %d more\n", e.Omitted)
		}
	}
}
