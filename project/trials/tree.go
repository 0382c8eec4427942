package trials

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ploke-lsp/internal/disk"
	"ploke-lsp/internal/sandbox"
)

// open makes the tree: an overlay, or a copy where the sandbox or the kernel has none.
func (t *tree) open(ctx context.Context, box sandbox.Sandbox, folder string) error {
	for _, name := range []string{"home", "temp", "caches"} {
		if err := os.MkdirAll(filepath.Join(t.dir, name), 0o700); err != nil {
			return err
		}
	}
	if t.refused = t.overlay(ctx, box, folder); t.refused == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	return t.copy(folder)
}

// command returns a command in the tree.
func (t *tree) command(box sandbox.Sandbox, c Command) (sandbox.Command, error) {
	env := slices.DeleteFunc(slices.Clone(c.Env), reachesOut)
	mounts, variables, err := box.Toolchains(env, filepath.Join(t.dir, "caches"))
	if err != nil {
		return sandbox.Command{}, err
	}
	mounts = append(mounts, t.mounts...)
	for _, folder := range gitFolders(c.Folder) {
		mounts = append(mounts, sandbox.Mount{At: folder, From: folder})
	}
	inside, err := filepath.Rel(c.Folder, cmp.Or(c.Dir, c.Folder))
	if err != nil {
		return sandbox.Command{}, err
	}
	return sandbox.Command{
		Args: c.Args, Dir: filepath.Join(t.seenAt(box, c.Folder), inside), Env: append(env, variables...), Output: c.Output,
		Mounts: mounts, Home: filepath.Join(t.dir, "home"), Temp: filepath.Join(t.dir, "temp"),
		Network: c.Network,
	}, nil
}

// seenAt returns where a command sees the tree of a folder.
func (t *tree) seenAt(box sandbox.Sandbox, folder string) string {
	if box.Protection().Mounts {
		return folder
	}
	return t.copied.Dir()
}

// reachesOut reports whether a variable names a place of the session that a command in the sandbox does not have.
func reachesOut(variable string) bool {
	name, _, _ := strings.Cut(variable, "=")
	switch name {
	case "HOME", "TMPDIR", "TMP", "TEMP", "DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "XDG_SESSION_ID",
		"XDG_STATE_HOME",
		"XDG_CONFIG_HOME", "XDG_DATA_HOME":
		return true
	}
	return false
}

// gitFolders returns the folders in which the repository of a folder is: .git, or what that names
// in a working tree of its own.
func gitFolders(folder string) (found []string) {
	git := filepath.Join(folder, ".git")
	info, err := os.Lstat(git)
	switch {
	case err != nil:
		return nil
	case info.IsDir():
		return []string{git}
	case !info.Mode().IsRegular():
		return nil
	}
	own, ok := namedBy(git, "gitdir: ", folder)
	if !ok {
		return nil
	}
	back, err := disk.ReadRegular(filepath.Join(own, "gitdir"), maxNaming)
	if err != nil || strings.TrimSpace(string(back)) != git {
		return nil // a file of the workspace could name any folder, such as one with keys; git's own names it back
	}
	found = append(found, own)
	if common, ok := namedBy(filepath.Join(own, "commondir"), "", own); ok && filepath.Dir(filepath.Dir(own)) == common {
		found = append(found, common)
	}
	return found
}

// maxNaming bounds the files of git that name a folder, in bytes.
const maxNaming = 4096

// namedBy returns the existing folder that a file of git names, relative to base.
func namedBy(file, prefix, base string) (folder string, ok bool) {
	text, err := disk.ReadRegular(file, maxNaming)
	name, ok := strings.CutPrefix(strings.TrimSpace(string(text)), prefix)
	if err != nil || !ok || name == "" {
		return "", false
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(base, name)
	}
	folder, err = filepath.EvalSymlinks(name)
	return folder, err == nil
}
