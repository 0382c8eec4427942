package tools

import (
	"context"
	_ "embed"
	"path/filepath"
	"slices"

	"ploke-lsp/edits"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/facts"
	"ploke-lsp/tools/wording"
)

//go:embed project_facts.md
var projectFactsDescription string

// ProjectFacts is a tool that requests do not describe: the embedded model calls it.
const ProjectFacts = "project_facts"

const (
	projectFacts    = 20
	maxProjectFacts = 200
)

type projectFactsArgs struct {
	About string   `json:"about"`
	Path  string   `json:"path,omitempty" secrets:"named"`
	Words []string `json:"words,omitempty"`
	Since string   `json:"since,omitempty"`
	Until string   `json:"until,omitempty"`
	Limit int      `json:"limit,omitempty" jsonschema:"default 20"`
}

func (d Deps) projectFacts(ctx context.Context, env Env, args projectFactsArgs) (Result, error) {
	limit, err := amount("limit", args.Limit, projectFacts, maxProjectFacts)
	if err != nil {
		return Result{}, err
	}
	path := ""
	if args.Path != "" {
		if path, err = placeNamed(ctx, d.sources(env), args.Path); err != nil {
			return Result{}, err
		}
	}
	g := facts.Gatherer{Files: d.sources(env)}
	result := facts.Result{OK: true, About: args.About}
	switch args.About {
	case "commits":
		err = g.PastCommits(ctx, &result, path, args.Words, facts.Period{Since: args.Since, Until: args.Until}, limit)
	case "authors":
		err = g.Authors(ctx, &result, path)
	case "uncommitted":
		err = g.Uncommitted(ctx, &result, path)
	case "lines":
		err = g.CountLines(ctx, &result, path)
	case "unused":
		err = g.Unused(ctx, &result, path)
	case "longest":
		err = g.Longest(ctx, &result, path, args.Words)
	case "uses":
		err = g.Uses(ctx, &result, args.Words, renameConfidence)
	case "proposals":
		result.Proposals, err = proposals(ctx, d)
	default:
		return Result{}, wording.BadValue("about", "about is "+wording.JSON(args.About),
			"send commits, authors, uncommitted, lines, unused, longest, uses or proposals")
	}
	if err != nil {
		return Result{}, err
	}
	result.Cut(limit)
	return OK(result, "looked at the "+args.About+" of the project")
}

// proposals returns the proposals for files of the workspace that wait, and then those that were accepted, each the
// newest first.
func proposals(ctx context.Context, d Deps) (found []facts.Proposal, err error) {
	for _, which := range []struct {
		state, verb string
		list        func(*edits.Proposals, context.Context) ([]*edits.Proposal, error)
	}{{"waiting", "reject", (*edits.Proposals).Undecided}, {"accepted", "undo", (*edits.Proposals).Applied}} {
		list, err := which.list(d.Edits.Proposals, ctx)
		if err != nil {
			return nil, err
		}
		for _, p := range list {
			if len(p.Changes) > 0 && isInside(d.Workspace.Roots(), p.Changes[0].Path) {
				found = append(found, facts.Proposal{ID: p.ID, Title: p.Title, State: which.state,
					Back: d.Decides(which.verb, p.ID)})
			}
		}
	}
	return found, nil
}

// isInside reports whether a path is in one of some folders.
func isInside(roots []string, path string) bool {
	return slices.ContainsFunc(roots, func(root string) bool {
		below, err := filepath.Rel(root, path)
		return err == nil && filepath.IsLocal(below)
	})
}

// decidesByCommand says how a person decides on a proposal in a terminal.
func decidesByCommand(verb, id string) string { return "ploke-lsp proposals " + verb + " " + id }

// placeNamed returns the path of a file, or of a folder.
func placeNamed(ctx context.Context, srcs *current.Files, name string) (string, error) {
	path, err := srcs.Path("path", name)
	if err != nil {
		return "", err
	}
	if _, err := srcs.Workspace.List(ctx, path, 1); err == nil {
		return path, nil
	}
	src, err := srcs.Named(ctx, "path", name)
	if err != nil {
		return "", err
	}
	return src.Path, nil
}
