package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"path/filepath"

	"ploke-lsp/internal/store"
	"ploke-lsp/internal/workspace"
)

func backupCommand(flags *flag.FlagSet, c *common) func(context.Context, environment, []string) error {
	folder := flags.String("workspace", ".", "`folder` whose conversations are backed up")
	return func(ctx context.Context, env environment, args []string) error {
		if len(args) != 1 {
			return errUsage
		}
		path, err := c.statePath(env, *folder)
		if err != nil {
			return err
		}
		err = store.Backup(ctx, path, args[0])
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("there are no conversations of %s to back up", *folder)
		case errors.Is(err, fs.ErrExist):
			return fmt.Errorf("%s already exists: name a new file", args[0])
		case err != nil:
			return err
		}
		fmt.Fprintf(env.stdout, "%s is a copy of %s\n", args[0], path)
		return nil
	}
}

func restoreCommand(flags *flag.FlagSet, c *common) func(context.Context, environment, []string) error {
	folder := flags.String("workspace", ".", "`folder` whose conversations are replaced")
	return func(ctx context.Context, env environment, args []string) error {
		if len(args) != 1 {
			return errUsage
		}
		path, err := c.statePath(env, *folder)
		if err != nil {
			return err
		}
		kept, err := store.Restore(ctx, path, args[0])
		if err != nil {
			return err
		}
		fmt.Fprintf(env.stdout, "restored %s from %s\n", path, args[0])
		if kept != "" {
			fmt.Fprintf(env.stdout, "the previous conversations are in %s\n", kept)
		}
		return nil
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
