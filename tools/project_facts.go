package tools

import (
	"context"
	_ "embed"
	"fmt"

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

// factsResult has the list that was asked for.
type factsResult struct {
	OK        bool            `json:"ok"`
	About     string          `json:"about"`
	NoHistory bool            `json:"no_history,omitempty"` // no folder is in a repository with commits that git reads
	Commits   []pastCommit    `json:"commits,omitempty"`
	Tags      []tag           `json:"tags,omitempty"`
	Authors   []author        `json:"authors,omitempty"`
	Changed   []changedFile   `json:"changed,omitempty"`
	Lines     []languageLines `json:"lines,omitempty"`
	Unused    []unusedSymbol  `json:"unused,omitempty"`
	Uses      []usedSymbol    `json:"uses,omitempty"`
	Counted   int             `json:"counted,omitempty"` // commits or files that were looked at
	Omitted   int             `json:"omitted,omitempty"`
	Partial   bool            `json:"partial,omitempty"` // the index is still being built
}

func (d Deps) projectFacts(ctx context.Context, env Env, args projectFactsArgs) (Result, error) {
	limit, err := amount("limit", args.Limit, projectFacts, maxProjectFacts)
	if err != nil {
		return Result{}, err
	}
	path := ""
	if args.Path != "" {
		if path, err = d.placeNamed(ctx, env, args.Path); err != nil {
			return Result{}, err
		}
	}
	result := factsResult{OK: true, About: args.About}
	switch args.About {
	case "commits":
		err = d.pastCommits(ctx, &result, path, args.Words, limit)
	case "authors":
		err = d.authors(ctx, &result, path)
	case "uncommitted":
		err = d.uncommitted(ctx, &result, path)
	case "lines":
		err = d.countLines(ctx, &result, path)
	case "unused":
		err = d.unused(ctx, &result, path)
	case "uses":
		err = d.uses(ctx, env, &result, args.Words)
	default:
		return Result{}, wording.BadValue("about", "about is "+wording.JSON(args.About),
			"send commits, authors, uncommitted, lines, unused or uses")
	}
	if err != nil {
		return Result{}, err
	}
	result.cut(limit)
	return OK(result, "looked at the "+args.About+" of the project")
}

// placeNamed returns the path of a file, or of a folder.
func (d Deps) placeNamed(ctx context.Context, env Env, name string) (string, error) {
	srcs := d.sources(env)
	path, err := srcs.Path("path", name)
	if err != nil {
		return "", err
	}
	if _, err := d.Workspace.List(ctx, path, 1); err == nil {
		return path, nil
	}
	src, err := srcs.Named(ctx, "path", name)
	if err != nil {
		return "", err
	}
	return src.Path, nil
}

// cut leaves at most limit items in each list.
func (r *factsResult) cut(limit int) {
	cutTo(&r.Commits, limit, &r.Omitted)
	cutTo(&r.Authors, limit, &r.Omitted)
	cutTo(&r.Changed, limit, &r.Omitted)
	cutTo(&r.Lines, limit, &r.Omitted)
	cutTo(&r.Unused, limit, &r.Omitted)
}

func cutTo[T any](list *[]T, limit int, omitted *int) {
	if more := len(*list) - limit; more > 0 {
		*list, *omitted = (*list)[:limit], more
	}
}

// Text writes one line for each item.
func (r factsResult) Text(w *wording.Writer) {
	if r.NoHistory {
		w.Line("there is no history that git reads")
	}
	for _, c := range r.Commits {
		w.Linef("%.10s %s %s: %s", c.ID, c.Day, c.Author, c.Subject)
		for _, file := range c.Files {
			w.Line("  " + w.Path(file))
		}
	}
	for _, t := range r.Tags {
		w.Linef("tag %s of %s", t.Name, t.Day)
	}
	for _, a := range r.Authors {
		w.Linef("%s: %s", a.Name, wording.Plural(a.Commits, "commit"))
	}
	for _, c := range r.Changed {
		w.Linef("%s: %s", c.How, w.Path(c.File))
	}
	for _, l := range r.Lines {
		w.Linef("%s: %s in %s", l.Language, wording.Plural(l.Lines, "line"), wording.Plural(l.Files, "file"))
	}
	for _, u := range r.Unused {
		w.Linef("%s %s: %s", u.Kind, u.Canon, fmt.Sprintf("%s:%d", w.Path(u.File), u.Line))
	}
	for _, u := range r.Uses {
		w.Linef("%s: %s", w.Path(u.ID), wording.Plural(u.Uses, "use"))
	}
	if r.Omitted > 0 {
		w.Linef("%d more", r.Omitted)
	}
}
