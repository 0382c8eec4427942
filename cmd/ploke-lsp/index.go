package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"

	"ploke-lsp/index"
	"ploke-lsp/internal/display"
)

func indexCommand(fs *flag.FlagSet, c *common) func(context.Context, environment, []string) error {
	folder := fs.String("workspace", ".", "`folder` to index")
	asJSON := fs.Bool("json", false, "print one JSON object")
	force := fs.Bool("force", false, "read every file again, even if it has not changed")
	vectors := fs.Bool("vectors", false, "also make vectors with the model that the settings name")
	return func(ctx context.Context, env environment, args []string) error {
		if err := noArguments(args); err != nil {
			return err
		}
		f, err := openFolder(ctx, c, env, *folder)
		if err != nil {
			return err
		}
		defer f.Close()
		update := f.Index.Update
		if *force {
			update = f.Index.Rebuild
		}
		line := newProgressLine(env, env.stderr)
		stats, err := update(ctx, line.show)
		line.clear()
		if err != nil {
			return err
		}
		f.Index.Settle()
		if *asJSON {
			err = printJSON(env.stdout, stats)
		} else {
			printStats(env.stdout, stats)
		}
		if err != nil || !*vectors {
			return err
		}
		made := 0
		line = newProgressLine(env, env.stderr)
		err = f.MakeVectors(ctx, func(done, total int) {
			made = done
			line.showVectors(done, total)
		})
		line.clear()
		if err == nil && !*asJSON {
			fmt.Fprintf(env.stdout, "  %s vectors made\n", display.Count(made))
		}
		return err
	}
}

// printStats prints the statistics of an indexing as text.
func printStats(out io.Writer, s *index.Stats) {
	fmt.Fprintf(out, "%s: %s files, %s symbols, %s references; %s files read in %.2f s\n",
		s.Workspace, display.Count(s.Files), display.Count(s.Symbols), display.Count(s.References),
		display.Count(s.ParsedFiles), s.Seconds.Total)
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
