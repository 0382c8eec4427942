package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"ploke-lsp/internal/terminal"
	ploke "ploke-lsp/lsp/protocol"
)

func proposalsCommand(fs *flag.FlagSet, c *common) func(context.Context, environment, []string) error {
	workspace := fs.String("workspace", ".", "`folder` that the proposals are for")
	reason := fs.String("reason", "", "the reason of a rejection, which the model reads")
	asJSON := fs.Bool("json", false, "show prints JSON, with what the checks of the proposal say")
	return func(ctx context.Context, env environment, args []string) error {
		do, err := proposalAction(env, args, *reason, *asJSON)
		if err != nil {
			return err
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
		return errors.Join(do(ctx, client), client.close())
	}
}

// proposalAction returns the action that the arguments name.
func proposalAction(env environment, args []string, reason string,
	asJSON bool) (func(context.Context, *client) error, error) {
	if len(args) == 0 || len(args) == 1 && args[0] == "list" {
		return func(ctx context.Context, c *client) error { return listProposals(ctx, c, env) }, nil
	}
	if actions := append(slices.Sorted(maps.Keys(proposalMethods)), "list", "show"); !slices.Contains(actions, args[0]) {
		return nil, wrongUsage("there is no action %q%s", args[0], nearestTo(args[0], actions))
	}
	verb, most := args[0], map[string]int{"list": 1, "show": 2}[args[0]]
	if len(args) > cmp.Or(most, 3) {
		return nil, wrongUsage("%q is an argument too many", args[len(args)-1])
	}
	named := append(slices.Clone(args[1:]), "", "")
	return func(ctx context.Context, c *client) error {
		id, err := findProposal(ctx, c, verb, named[0])
		if err != nil {
			return err
		}
		if verb == "show" && asJSON {
			return showAsJSON(ctx, c, env, id)
		}
		if verb == "show" {
			return showToDecide(ctx, c, env, id)
		}
		version := named[1]
		if version == "" {
			if version, err = look(ctx, c, env, verb, id); err != nil {
				return err
			}
		}
		return decide(ctx, c, env, verb, decision{id, version, reason})
	}, nil
}

// proposalMethods are the requests that decide on a proposal, by what they are called here.
var proposalMethods = map[string]string{"accept": ploke.MethodProposalAccept, "reject": ploke.MethodProposalReject,
	"undo": ploke.MethodProposalUndo, "redo": ploke.MethodProposalRedo}

// A decision is the parameter of a decision on a whole proposal.
type decision struct {
	ID      string `json:"id"`
	Version string `json:"version"`
	Reason  string `json:"reason,omitempty"`
}

// look prints a proposal that is decided on without a version, and returns the version that it has printed. A person on
// a terminal is asked.
func look(ctx context.Context, c *client, env environment, verb, id string) (version string, err error) {
	shown, err := showProposal(ctx, c, env, id)
	if err != nil {
		return "", err
	}
	if in, ok := env.stdin.(*os.File); ok && isTerminal(in) && writesToTerminal(env.stdout) {
		switch yes, err := newGuide(nil, env).agree(ctx, "\n"+strings.ToUpper(verb[:1])+verb[1:]+" this?"); {
		case err != nil && !errors.Is(err, io.EOF):
			return "", err
		case !yes:
			return "", errors.New("nothing was decided")
		}
	}
	return shown.Version, nil
}

// showToDecide prints a proposal, and how to decide on what was printed.
func showToDecide(ctx context.Context, c *client, env environment, id string) error {
	shown, err := showProposal(ctx, c, env, id)
	if err != nil {
		return err
	}
	verb := map[ploke.ProposalStatus]string{ploke.ProposalApplied: "undo", ploke.ProposalVerified: "undo", ploke.ProposalUndone: "redo"}[shown.Status]
	if shown.Status == ploke.ProposalRejected || shown.Status == ploke.ProposalWithdrawn {
		return nil
	}
	fmt.Fprintf(env.stdout, "\nto decide on exactly this: ploke-lsp proposals %s %s\n", cmp.Or(verb, "accept"),
		nameToDecide(env, shown))
	return nil
}

// nameToDecide returns what names a proposal in the version that was printed. On a terminal that is the beginning of
// its id: the person is shown the proposal again, and asked.
func nameToDecide(env environment, p *ploke.Proposal) string {
	if writesToTerminal(env.stdout) {
		return shownID(env, p.ID)
	}
	return p.ID + " " + p.Version
}

// shownIDBytes is how much of an id tells the millisecond in which it was made.
const shownIDBytes = len("01a22404-a503")

// shownID returns an id, on a terminal its beginning, which names the proposal as well.
func shownID(env environment, id string) string {
	if writesToTerminal(env.stdout) {
		return id[:min(len(id), shownIDBytes)]
	}
	return id
}

func listProposals(ctx context.Context, c *client, env environment) error {
	var result ploke.ProposalListResult
	if err := c.call(ctx, ploke.MethodProposalList, ploke.ProposalListParams{}, &result); err != nil {
		return err
	}
	for _, p := range result.Proposals {
		created := time.UnixMilli(p.CreatedAt).Format(time.DateTime)
		line := fmt.Sprintf("%s  %-8s  %s  %s", shownID(env, p.ID), p.Status, created, p.Title)
		fmt.Fprintln(env.stdout, clipped(env.stdout, line, 0))
	}
	return nil
}

// showProposal prints a proposal: its preview, what is known of it, and its conflicts. It returns what it has printed.
func showProposal(ctx context.Context, c *client, env environment, id string) (*ploke.Proposal, error) {
	var result ploke.ProposalGetResult
	if err := c.call(ctx, ploke.MethodProposalGet, ploke.ProposalParams{ID: id}, &result); err != nil {
		return nil, err
	}
	put(env.stdout, terminal.Span{Text: result.Proposal.Title, Style: terminal.Bold},
		terminal.Span{Text: fmt.Sprintf(" (%s)\n", result.Proposal.Status)})
	putDiff(env.stdout, result.Preview)
	printEvidence(env.stdout, result.Proposal.Evidence)
	for _, c := range result.Conflicts {
		fmt.Fprintf(env.stdout,
			"\n%s\n<<<<<<< the proposal\n%s||||||| before the proposal\n%s=======\n%s>>>>>>> %s:%d as it is now\n",
			c.Reason, ensureNewline(c.Ours), ensureNewline(c.Base), ensureNewline(c.Theirs), c.Path, c.Line)
	}
	return &result.Proposal, nil
}

// ensureNewline appends a line break to text, unless it is empty or ends with one.
func ensureNewline(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

func decide(ctx context.Context, c *client, env environment, verb string, d decision) error {
	var outcome ploke.ProposalDecision
	if err := c.call(ctx, proposalMethods[verb], d, &outcome); err != nil {
		return err
	}
	fmt.Fprintln(env.stdout, outcome.Status)
	for _, f := range outcome.Files {
		name := f.Path
		if f.NewPath != "" {
			name += " -> " + f.NewPath
		}
		fmt.Fprintf(env.stdout, "  %s %s\n", f.Op, name)
	}
	if (verb == "accept" || verb == "redo") && writesToTerminal(env.stdout) {
		fmt.Fprintf(env.stdout, "to take it back: ploke-lsp proposals undo %s\n", shownID(env, d.ID))
	}
	return nil
}

// decidable are the states of the proposals that can be meant if a decision names none.
var decidable = map[string][]ploke.ProposalStatus{
	"show":   {ploke.ProposalStaged, ploke.ProposalStale, ploke.ProposalFailed},
	"accept": {ploke.ProposalStaged, ploke.ProposalStale, ploke.ProposalFailed},
	"reject": {ploke.ProposalStaged, ploke.ProposalStale, ploke.ProposalFailed},
	"undo":   {ploke.ProposalApplied, ploke.ProposalVerified},
	"redo":   {ploke.ProposalUndone},
	"check":  {ploke.ProposalStaged},
}

// findProposal returns the id of the only proposal whose id begins with prefix. Without a prefix it is the only one
// that the decision can be about.
func findProposal(ctx context.Context, c *client, verb, prefix string) (id string, err error) {
	var all ploke.ProposalListResult
	if err := c.call(ctx, ploke.MethodProposalList, ploke.ProposalListParams{}, &all); err != nil {
		return "", err
	}
	var found []string
	for _, p := range all.Proposals {
		if prefix != "" && strings.HasPrefix(p.ID, prefix) || prefix == "" && slices.Contains(decidable[verb], p.Status) {
			id, found = p.ID, append(found, p.ID+"  "+p.Title)
		}
	}
	switch {
	case len(found) > 1:
		return "", fmt.Errorf("there are several proposals to %s: name one\n  %s", verb, strings.Join(found, "\n  "))
	case len(found) == 1:
		return id, nil
	case prefix == "":
		return "", fmt.Errorf("there is no proposal to %s", verb)
	}
	return "", fmt.Errorf("there is no proposal %s", prefix)
}
