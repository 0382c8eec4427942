package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"ploke-lsp/internal/disk"
	"ploke-lsp/internal/display"
	"ploke-lsp/project"
	"ploke-lsp/project/scipexport"
	"ploke-lsp/tools/wording"
)

func exportCommand(fs *flag.FlagSet, c *common) func(context.Context, environment, []string) error {
	folder := fs.String("workspace", ".", "`folder` whose index is written")
	output := fs.String("output", "index.scip", "`file` to write, in the place of one that is there; - is standard output")
	return func(ctx context.Context, env environment, args []string) error {
		if len(args) != 1 || args[0] != "scip" {
			return wrongUsage("name the format: ploke-lsp export scip")
		}
		f, err := openFolder(ctx, c, env, *folder)
		if err != nil {
			return err
		}
		defer f.Close()
		line := newProgressLine(env, env.stderr)
		_, err = f.Index.Update(ctx, line.show)
		line.clear()
		if err != nil {
			return err
		}
		if *output == "-" {
			_, err := exportTo(ctx, f, env, env.stdout)
			return err
		}
		var stats *scipexport.Stats
		err = replaceFile(*output, func(out io.Writer) (err error) {
			stats, err = exportTo(ctx, f, env, out)
			return err
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(env.stdout, "%s: %s, %s, %s, found by name\n", *output, counted(stats.Documents, "document"),
			counted(stats.Symbols, "symbol"), counted(stats.Occurrences, "place"))
		if stats.LeftOut > 0 {
			fmt.Fprintf(env.stdout, "  %s left out: not stored in UTF-8 without a byte order mark\n",
				counted(stats.LeftOut, "file"))
		}
		return nil
	}
}

func counted(n int, noun string) string { return display.Count(n) + " " + wording.NounOf(n, noun) }

func exportTo(ctx context.Context, f *project.Folder, env environment, out io.Writer) (*scipexport.Stats, error) {
	line := newProgressLine(env, env.stderr)
	defer line.clear()
	buffered := bufio.NewWriter(out)
	stats, err := scipexport.Write(ctx, scipexport.Options{Workspace: f.Workspace, Index: f.Index,
		Root: f.Workspace.Roots()[0], Version: version,
		Progress: func(done, total int) { line.print("exporting: %d %%", 100*done/total) }}, buffered)
	return stats, errors.Join(err, buffered.Flush())
}

// replaceFile writes a file beside another one, and puts it in its place once it is whole.
func replaceFile(path string, write func(io.Writer) error) error {
	part, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.part")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name()) // unless it was renamed
	err = errors.Join(write(part), part.Chmod(0o644), part.Close())
	if err != nil {
		return err
	}
	return disk.Rename(part.Name(), path)
}
