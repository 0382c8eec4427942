package main

import (
	"context"
	"encoding/json"
	"flag"
	"maps"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/project"
)

// The verbs are tools of the MCP server as commands, for agents that would rather run one. A
// verb waits for the index, and prints what the tool's text is.

func contextCommand(fs *flag.FlagSet, c *common) func(context.Context, environment, []string) error {
	folder := fs.String("workspace", ".", "`folder` to look in")
	asJSON := fs.Bool("json", false, "print one JSON object")
	tokens := fs.Int("tokens", 0, "the maximum number of tokens (default: the most)")
	return func(ctx context.Context, env environment, args []string) error {
		query := strings.Join(args, " ")
		if query == "" {
			return wrongUsage("there is no question")
		}
		if *tokens < 0 {
			return wrongUsage("--tokens is %d, and must be 0 or more", *tokens)
		}
		return c.runVerb(ctx, env, "context", *folder, *asJSON, map[string]any{"query": query, "token_budget": *tokens})
	}
}

func symbolCommand(fs *flag.FlagSet, c *common) func(context.Context, environment, []string) error {
	folder := fs.String("workspace", ".", "`folder` to look in")
	asJSON := fs.Bool("json", false, "print one JSON object")
	file := fs.String("in", "", "`file` that declares it")
	kind := fs.String("kind", "", "function, method, struct, class …")
	return func(ctx context.Context, env environment, args []string) error {
		if err := oneArgument("name", args); err != nil {
			return err
		}
		return c.runVerb(ctx, env, "symbol", *folder, *asJSON, map[string]any{"name": args[0], "file": *file, "kind": *kind})
	}
}

// directions are the values of --direction.
var directions = []string{"callers", "callees", "references", "implementers", "occurrences", "containers"}

func edgesCommand(fs *flag.FlagSet, c *common) func(context.Context, environment, []string) error {
	folder := fs.String("workspace", ".", "`folder` to look in")
	asJSON := fs.Bool("json", false, "print one JSON object")
	file := fs.String("in", "", "`file` that declares it")
	kind := fs.String("kind", "", "tells namesakes apart")
	direction := fs.String("direction", "callers", oneOf(directions))
	limit := fs.Int("limit", 100, "the maximum number of places")
	return func(ctx context.Context, env environment, args []string) error {
		if err := oneArgument("name", args); err != nil {
			return err
		}
		if !slices.Contains(directions, *direction) {
			return wrongUsage("there is no direction %q%s", *direction, nearestTo(*direction, directions))
		}
		if *limit < 1 {
			return wrongUsage("--limit is %d, and must be 1 or more", *limit)
		}
		return c.runVerb(ctx, env, "edges", *folder, *asJSON,
			map[string]any{"canon": args[0], "file": *file, "kind": *kind, "direction": *direction, "limit": *limit})
	}
}

func outlineCommand(fs *flag.FlagSet, c *common) func(context.Context, environment, []string) error {
	folder := fs.String("workspace", ".", "`folder` to look in")
	asJSON := fs.Bool("json", false, "print one JSON object")
	return func(ctx context.Context, env environment, args []string) error {
		if len(args) > 1 {
			return wrongUsage("there is more than one file or folder: %s", strings.Join(args, ", "))
		}
		return c.runVerb(ctx, env, "outline", *folder, *asJSON, map[string]any{"path": strings.Join(args, "")})
	}
}

// A verb is a call of a tool.
type verb struct {
	tool      string
	JSON      bool
	Arguments json.RawMessage
}

// runVerb calls a tool in a folder, in the process that has it open or else in this one, and prints what
// it returns. Arguments that are empty are left out.
func (c *common) runVerb(ctx context.Context, env environment, tool, folder string, asJSON bool,
	arguments map[string]any) error {
	maps.DeleteFunc(arguments, func(_ string, value any) bool { return value == "" || value == 0 })
	encoded, err := json.Marshal(arguments)
	if err != nil {
		return err
	}
	v := verb{tool, asJSON, encoded}
	r, answered, err := c.askServer(ctx, env, folder, tool, v)
	if !answered && err == nil {
		r, err = c.callHere(ctx, env, folder, v)
	}
	if err != nil {
		return err
	}
	return r.print(env)
}

// callHere calls a tool in a folder that no server has open. It waits for a scan.
func (c *common) callHere(ctx context.Context, env environment, folder string, v verb) (r reply, err error) {
	root, err := projectFolder(env.getenv, folder)
	if err != nil {
		return r, err
	}
	options, err := c.readableProject(env)
	if err != nil {
		return r, err
	}
	options.OneCall = true
	line := newProgressLine(env, env.stderr)
	p, err := project.Open(ctx, options, []string{root}, &frontEnd{stderr: env.stderr, indexing: line})
	if err != nil {
		return r, err
	}
	defer p.Close()
	err = p.AwaitIndex(ctx)
	line.clear()
	if err != nil {
		return r, err
	}
	return v.call(ctx, p)
}

// doorWords are the words of this door for those of the tools. The patterns fit no line of code, which has a number.
var doorWords = []struct {
	tools *lazyregexp.Regexp
	door  string
}{
	{lazyregexp.New(`(?m)^(of \d+ symbols) \(file or canon tells them apart\)`), "$1 (--in, --kind or the whole name tells them apart)"},
	{lazyregexp.New(`(?m)^(0 calls, .*: use) (direction \w+)$`), "$1 --$2"},
	{lazyregexp.New(`(?m)^narrow with file, kind, or the complete canon to see code$`), "narrow with --in, --kind or the whole name to see code"},
}

func inDoorWords(text string) string {
	for _, w := range doorWords {
		text = w.tools.ReplaceAllString(text, w.door)
	}
	return text
}

// failure returns the failure of a tool in the words of this door: what is wrong, a command that may help, and
// what was meant.
func (v verb) failure(a project.ToolAnswer) string {
	var f struct {
		Field, Hint string
		Candidates  []any
	}
	text := strings.TrimPrefix(a.Text, "error: ")
	if json.Unmarshal(a.Content, &f) != nil || f.Field == "" {
		return text
	}
	hint := "to look for it: ploke-lsp search"
	flag := map[string]string{"file": "--in", "kind": "--kind", "direction": "--direction", "limit": "--limit", "token_budget": "--tokens"}[f.Field]
	if flag != "" {
		hint = "it is the value of " + flag
	} else if len(f.Candidates) > 0 {
		hint = "--in, --kind or the whole name tells which is meant"
	}
	return strings.Replace(text, f.Field+": "+f.Hint, hint, 1)
}

// foundNothing tells by the fields of a tool's result whether it has found nothing.
func foundNothing(content json.RawMessage) bool {
	var found struct {
		Results, Edges *[]json.RawMessage
		Exists         *bool
	}
	return json.Unmarshal(content, &found) == nil && (found.Results != nil && len(*found.Results) == 0 ||
		found.Edges != nil && len(*found.Edges) == 0 || found.Exists != nil && !*found.Exists)
}
