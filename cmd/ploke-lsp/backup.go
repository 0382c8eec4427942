package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"ploke-lsp/internal/store"
	"ploke-lsp/internal/workspace"
)

func backupCommand(flags *flag.FlagSet, c *common) func(context.Context, environment, []string) error {
	folder := flags.String("workspace", ".", "`folder` whose conversations are backed up")
	return c.onDatabase(folder, func(ctx context.Context, env environment, path, file string) error {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("there are no conversations of %s to back up", *folder)
		}
		err := store.Backup(ctx, path, file)
		switch {
		case errors.Is(err, fs.ErrExist):
			return fmt.Errorf("%s already exists: name a new file", file)
		case err != nil:
			return err
		}
		fmt.Fprintf(env.stdout, "%s is a copy of %s\n", file, path)
		return nil
	})
}

func restoreCommand(flags *flag.FlagSet, c *common) func(context.Context, environment, []string) error {
	folder := flags.String("workspace", ".", "`folder` whose conversations are replaced")
	return c.onDatabase(folder, func(ctx context.Context, env environment, path, file string) error {
		kept, err := store.Restore(ctx, path, file)
		if err != nil {
			return err
		}
		fmt.Fprintf(env.stdout, "restored %s from %s\n", path, file)
		if kept != "" {
			fmt.Fprintf(env.stdout, "the previous conversations are in %s\n", kept)
		}
		return nil
	})
}

// onDatabase returns a command with one argument, a file. It calls run with the path of
// the folder's database and the file.
func (c *common) onDatabase(folder *string,
	run func(ctx context.Context, env environment, path, file string) error) func(context.Context, environment,
	[]string) error {
	return func(ctx context.Context, env environment, args []string) error {
		if err := oneArgument("file", args); err != nil {
			return err
		}
		path, err := c.statePath(env, *folder)
		if err != nil {
			return err
		}
		return run(ctx, env, path, args[0])
	}
}

// statePath returns the path of the database in which a server that opens the folder
// keeps its conversations.
func (c *common) statePath(env environment, folder string) (string, error) {
	dir, err := c.stateFolder(env)
	if err != nil {
		return "", err
	}
	root, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	w, err := workspace.New([]string{root}, workspace.Options{})
	if err != nil {
		return "", err
	}
	return filepath.Join(store.Folder(dir, w.Roots()[0]), "state.db"), nil
}
