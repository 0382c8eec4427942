package setup

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Environment says where configurations are on a machine.
type Environment struct {
	Getenv func(string) string
	GOOS   string // as in [runtime.GOOS]
}

// Home returns the person's home folder.
func (env Environment) Home() (string, error) {
	home := env.Getenv("HOME")
	if env.GOOS == "windows" {
		home = env.Getenv("USERPROFILE")
	}
	if !filepath.IsAbs(home) {
		return "", errors.New("the home folder is not known: set HOME, or name the file with --file")
	}
	return home, nil
}

// configFolder returns the folder of configurations, which Unix editors look for on macOS, too.
// windows names the variable that holds the folder there.
func (env Environment) configFolder(windows string) (string, error) {
	if env.GOOS == "windows" {
		if dir := env.Getenv(windows); filepath.IsAbs(dir) {
			return dir, nil
		}
		return "", fmt.Errorf("the folder of configurations is not known: set %s, or name the file with --file", windows)
	}
	if dir := env.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return dir, nil
	}
	home, err := env.Home()
	return filepath.Join(home, ".config"), err
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// firstThatExists returns the first of some paths that exists, else the last.
func firstThatExists(paths ...string) string {
	for _, path := range paths {
		if exists(path) {
			return path
		}
	}
	return paths[len(paths)-1]
}

func neovimFolder(env Environment) (string, error) {
	dir, err := env.configFolder("LOCALAPPDATA")
	return filepath.Join(dir, cmp.Or(env.Getenv("NVIM_APPNAME"), "nvim")), err
}

func neovimFile(env Environment) (string, error) {
	dir, err := neovimFolder(env)
	lua, vim := filepath.Join(dir, "init.lua"), filepath.Join(dir, "init.vim")
	if err == nil && exists(vim) && !exists(lua) {
		return "", fmt.Errorf("Neovim refuses an init.lua next to %s: put the configuration there, between the lines \"lua "+
			"<< EOF\" and \"EOF\"", vim)
	}
	return lua, err
}

// NeovimPlugin returns where Neovim looks for the plugin of ploke-lsp.
func NeovimPlugin(env Environment) (string, error) {
	data := env.Getenv("XDG_DATA_HOME")
	if !filepath.IsAbs(data) {
		home, err := env.Home()
		if err != nil {
			return "", err
		}
		data = filepath.Join(home, ".local", "share")
		if local := env.Getenv("LOCALAPPDATA"); env.GOOS == "windows" && filepath.IsAbs(local) {
			data = local
		}
	}
	name := cmp.Or(env.Getenv("NVIM_APPNAME"), "nvim")
	if env.GOOS == "windows" {
		name += "-data"
	}
	return filepath.Join(data, name, "site", "pack", "ploke", "start", "ploke"), nil
}

func helixFile(env Environment) (string, error) {
	dir, err := env.configFolder("APPDATA")
	return filepath.Join(dir, "helix", "languages.toml"), err
}

// emacsFile returns the file that Emacs loads first.
func emacsFile(env Environment) (string, error) {
	home, err := env.Home()
	if err != nil {
		return "", err
	}
	config, err := env.configFolder("APPDATA")
	if err != nil {
		return "", err
	}
	if env.GOOS == "windows" {
		home = config
	}
	folder := filepath.Join(home, ".emacs.d")
	if xdg := filepath.Join(config, "emacs"); !exists(folder) && exists(xdg) {
		folder = xdg
	}
	return firstThatExists(filepath.Join(home, ".emacs.el"), filepath.Join(home, ".emacs"),
		filepath.Join(folder, "init.el")), nil
}

func kakouneFile(env Environment) (string, error) {
	if dir := env.Getenv("KAKOUNE_CONFIG_DIR"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "kakrc"), nil
	}
	dir, err := env.configFolder("APPDATA")
	return filepath.Join(dir, "kak", "kakrc"), err
}

// vimFolder returns the folder of Vim. Its newer versions use the one among the configurations
// if there is neither .vim nor .vimrc in the home folder.
func vimFolder(env Environment) (string, error) {
	home, err := env.Home()
	if err != nil {
		return "", err
	}
	if env.GOOS == "windows" {
		return filepath.Join(home, "vimfiles"), nil
	}
	config, err := env.configFolder("")
	if xdg := filepath.Join(config, "vim"); exists(xdg) && !exists(filepath.Join(home, ".vim")) &&
		!exists(filepath.Join(home, ".vimrc")) {
		return xdg, err
	}
	return filepath.Join(home, ".vim"), err
}

func aleFile(env Environment) (string, error) {
	dir, err := vimFolder(env)
	return filepath.Join(dir, "plugin", "ploke.vim"), err
}

// cocFile returns the settings of coc.nvim in Vim or, if only Neovim has some, in Neovim.
func cocFile(env Environment) (string, error) {
	const name = "coc-settings.json"
	if dir := env.Getenv("VIMCONFIG"); filepath.IsAbs(dir) {
		return filepath.Join(dir, name), nil
	}
	vim, err := vimFolder(env)
	if err != nil {
		return "", err
	}
	neovim, err := neovimFolder(env)
	if !exists(vim) && exists(neovim) {
		vim = neovim
	}
	return firstThatExists(filepath.Join(vim, name), filepath.Join(neovim, name), filepath.Join(vim, name)), err
}

func sublimeFile(env Environment) (string, error) {
	dir, err := env.configFolder("APPDATA")
	name := "sublime-text"
	switch env.GOOS {
	case "windows":
		name = "Sublime Text"
	case "darwin":
		dir, err = env.Home()
		name = filepath.Join("Library", "Application Support", "Sublime Text")
	}
	return filepath.Join(dir, name, "Packages", "User", "LanguageServers.sublime-settings"), err
}

func kateFile(env Environment) (string, error) {
	dir, err := env.configFolder("LOCALAPPDATA")
	return filepath.Join(dir, "kate", "lspclient", "settings.json"), err
}

func zedFolder(env Environment) (string, error) {
	dir, err := env.configFolder("APPDATA")
	return filepath.Join(dir, "zed"), err
}
