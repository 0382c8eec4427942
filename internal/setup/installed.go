package setup

import (
	"os/exec"
	"path/filepath"
)

// traces are what shows that a client is installed: one of them suffices.
type traces struct {
	programs []string                            // names of programs on the PATH
	paths    func(Environment) ([]string, error) // patterns of paths, see [filepath.Match]; nil if there are none
}

// tracesOf has the traces of each client, by its name.
var tracesOf = map[string]traces{
	"vscode":   {[]string{"code", "codium"}, inHome(".vscode", ".vscode-oss")},
	"neovim":   {[]string{"nvim"}, folderTraces(neovimFolder)},
	"helix":    {[]string{"hx", "helix"}, nextToFile(helixFile, 1)},
	"eglot":    {[]string{"emacs"}, inHome(".emacs", ".emacs.el", ".emacs.d", ".config/emacs")},
	"lsp-mode": {nil, emacsTraces("lsp-mode")},
	"kakoune":  {[]string{"kak"}, nextToFile(kakouneFile, 1)},
	"ale":      {nil, vimTraces("ale")},
	"coc":      {nil, vimTraces("coc.nvim")},
	"sublime":  {[]string{"subl"}, nextToFile(sublimeFile, 3)},
	"kate":     {[]string{"kate"}, nextToFile(kateFile, 2)},
	"zed":      {[]string{"zed", "zeditor"}, folderTraces(zedFolder)},
}

// Installed returns why the client seems to be installed, in words for people, "" if it does not.
func (c *Client) Installed(env Environment) string {
	for _, name := range tracesOf[c.Name].programs {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	paths := tracesOf[c.Name].paths
	if paths == nil {
		return ""
	}
	patterns, err := paths(env)
	if err != nil {
		return "" // without a home folder nothing is installed there
	}
	for _, pattern := range patterns {
		if found, err := filepath.Glob(pattern); err == nil && len(found) > 0 {
			return found[0]
		}
	}
	return ""
}

// folderTraces returns the traces that a folder is, if it exists.
func folderTraces(folder func(Environment) (string, error)) func(Environment) ([]string, error) {
	return func(env Environment) ([]string, error) {
		dir, err := folder(env)
		return []string{dir}, err
	}
}

// nextToFile returns the traces that the folder of the client's file is, so many levels above it.
func nextToFile(file func(Environment) (string, error), levels int) func(Environment) ([]string, error) {
	return folderTraces(func(env Environment) (string, error) {
		path, err := file(env)
		for range levels {
			path = filepath.Dir(path)
		}
		return path, err
	})
}

// inHome returns traces below the home folder.
func inHome(patterns ...string) func(Environment) ([]string, error) {
	return func(env Environment) (paths []string, err error) {
		home, err := env.Home()
		for _, p := range patterns {
			paths = append(paths, filepath.Join(home, filepath.FromSlash(p)))
		}
		return paths, err
	}
}

// emacsTraces returns the folders in which packages of Emacs are, and the patterns of one package there.
func emacsTraces(name string) func(Environment) ([]string, error) {
	return inHome(".emacs.d/elpa/"+name+"-*", ".config/emacs/elpa/"+name+"-*", ".emacs.d/straight/repos/"+name,
		".config/emacs/.local/straight/*/"+name)
}

// vimTraces returns the folders in which plugin managers of Vim and Neovim keep a plugin.
func vimTraces(name string) func(Environment) ([]string, error) {
	return inHome(".vim/pack/*/*/"+name, ".vim/plugged/"+name, ".vim/bundle/"+name, ".config/nvim/plugged/"+name,
		".local/share/nvim/plugged/"+name, ".local/share/nvim/lazy/"+name, ".local/share/nvim/site/pack/*/*/"+name)
}
