package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"

	"ploke-lsp/internal/setup"
)

// pluginFolder returns the folder of the plugin for Neovim that belongs to this program, in the source that it was
// built from; "" if it is not there.
func pluginFolder(env environment) string {
	var programs []string
	if self, err := os.Executable(); err == nil {
		programs = append(programs, self)
	}
	if path, err := exec.LookPath(env.program); err == nil {
		programs = append(programs, path)
	}
	for _, path := range programs {
		folder := filepath.Join(filepath.Dir(path), "..", "editors", "nvim")
		if _, err := os.Stat(filepath.Join(folder, "plugin", "ploke.lua")); err == nil {
			if folder, err = filepath.Abs(folder); err == nil {
				return folder
			}
		}
	}
	return ""
}

// linkPlugin offers the plugin for Neovim, and reports whether it is there in the end.
func (g *guide) linkPlugin(ctx context.Context) (linked bool, err error) {
	link, err := setup.NeovimPlugin(setupEnvironment(g.env))
	if err != nil {
		g.say("  The plugin can't be offered: %v\n", err)
		return false, nil
	}
	if _, err := os.Lstat(link); err == nil {
		g.say("  The plugin is in %s.\n\n", link)
		return true, nil
	}
	folder := pluginFolder(g.env)
	if folder == "" {
		g.say("  There is a plugin with a chat and a review: the folder editors/nvim of ploke-lsp's source.\n" +
			"  Its README says how to add it. Without it, Neovim gets code actions, and a chat in a document:\n")
		return false, nil
	}
	g.say("  There is a plugin with a chat, a review and a status line. This links it:\n  %s -> %s\n", link, folder)
	yes, err := g.agree(ctx, "Make this link?")
	if err != nil || !yes {
		return false, err
	}
	if err = os.MkdirAll(filepath.Dir(link), 0o755); err == nil {
		err = os.Symlink(folder, link)
	}
	if err != nil {
		g.say("  Nothing was linked: %v\n", err)
		return false, nil
	}
	g.say("  %s is the plugin. In Neovim, :checkhealth ploke looks at it, and :help ploke describes it.\n\n", link)
	return true, nil
}
