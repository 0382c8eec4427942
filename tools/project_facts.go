package tools

import (
	"context"
	_ "embed"

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
		err = g.PastCommits(ctx, &result, path, args.Words, limit)
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
	default:
		return Result{}, wording.BadValue("about", "about is "+wording.JSON(args.About),
			"send commits, authors, uncommitted, lines, unused, longest or uses")
	}
	if err != nil {
		return Result{}, err
	}
	result.Cut(limit)
	return OK(result, "looked at the "+args.About+" of the project")
}

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
