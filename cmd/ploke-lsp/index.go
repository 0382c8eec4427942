package main

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"slices"

	"ploke-lsp/index"
)

func indexCommand(fs *flag.FlagSet, c *common) func(context.Context, environment, []string) error {
	folder := fs.String("workspace", ".", "`folder` to index")
	asJSON := fs.Bool("json", false, "print one JSON object")
	force := fs.Bool("force", false, "read every file again, changed or not")
	return func(ctx context.Context, env environment, args []string) error {
		if len(args) > 0 {
			return errUsage
		}
		_, x, err := openIndex(ctx, c, env, *folder)
		if err != nil {
			return err
		}
		defer x.Close()
		update := x.Update
		if *force {
			update = x.Rebuild
		}
		stats, err := update(ctx, nil)
		if err != nil {
			return err
		}
		if *asJSON {
			return printJSON(env.stdout, stats)
		}
		printStats(env, stats)
		return nil
	}
}

// printStats prints for people what index --json prints for programs.
func printStats(env environment, s *index.Stats) {
	out := env.stdout
	fmt.Fprintf(out, "%s: %d files, %d symbols, %d references; %d files read in %.2f s\n",
		s.Workspace, s.Files, s.Symbols, s.References, s.ParsedFiles, s.Seconds.Total)
	for _, name := range slices.Sorted(maps.Keys(s.Languages)) {
		l := s.Languages[name]
		fmt.Fprintf(out, "  %-12s %6d files %8d symbols\n", name, l.Files, l.Symbols)
	}
	if s.WithErrors > 0 {
		fmt.Fprintf(out, "  %d files with syntax errors, indexed as far as they parse\n", s.WithErrors)
	}
	for _, reason := range slices.Sorted(maps.Keys(s.Skipped)) {
		fmt.Fprintf(out, "  %d files skipped: %s\n", s.Skipped[reason], reason)
	}
}
