package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// How a command sees a folder of a toolchain.
type access int

const (
	asItIs     access = iota // read-only
	asACache                 // what is written is kept next to it, for the commands of the same tree
	asProducts               // so, too; what is there can be made again
)

// toolchain is a folder in which compilers, interpreters and package managers keep programs or what they have
// fetched.
type toolchain struct {
	variable string // that names the folder; "" for none
	home     string // where it is in the home folder otherwise
	access   access
	secret   string // patterns of files and folders in it with credentials, which have nothing in them for a command
}

// toolchains are what of a home folder a command gets. The names are those of the tools' own documents.
var toolchains = []toolchain{
	{"GOROOT", "sdk", asItIs, ""},
	{"GOMODCACHE", "go/pkg/mod", asACache, ""},
	{"GOCACHE", ".cache/go-build", asProducts, ""},
	{"", "go/bin", asItIs, ""},
	{"CARGO_HOME", ".cargo", asACache, "credentials* config*"},
	{"RUSTUP_HOME", ".rustup", asItIs, ""},
	{"", ".npm", asACache, "_logs"},
	{"NVM_DIR", ".nvm", asItIs, ".npmrc"},
	{"VOLTA_HOME", ".volta", asItIs, ""},
	{"FNM_DIR", ".local/share/fnm", asItIs, ""},
	{"PNPM_HOME", ".local/share/pnpm", asACache, ""},
	{"", ".cache/yarn", asACache, ""},
	{"", ".yarn", asACache, ""},
	{"BUN_INSTALL", ".bun", asACache, ""},
	{"DENO_DIR", ".cache/deno", asACache, ""},
	{"", ".cache/node", asACache, ""},
	{"", ".cache/typescript", asACache, ""},
	{"", ".local/lib", asItIs, ""},
	{"", ".local/bin", asItIs, ""},
	{"", ".local/pipx", asItIs, ""},
	{"PYENV_ROOT", ".pyenv", asItIs, ""},
	{"", ".cache/pip", asACache, ""},
	{"UV_CACHE_DIR", ".cache/uv", asACache, ""},
	{"", ".local/share/uv", asItIs, "credentials"},
	{"", ".cache/pypoetry", asACache, ""},
	{"", ".local/share/virtualenvs", asItIs, ""},
	{"", ".conda", asItIs, ""},
	{"", "miniconda3", asItIs, ""},
	{"", "anaconda3", asItIs, ""},
	{"VIRTUAL_ENV", "", asItIs, ""},
	{"CONDA_PREFIX", "", asItIs, ""},
	{"RBENV_ROOT", ".rbenv", asItIs, ""},
	{"", ".rvm", asItIs, ""},
	{"GEM_HOME", ".gem", asACache, "credentials"},
	{"", ".bundle", asACache, "config"},
	{"", ".local/share/gem", asACache, "credentials"},
	{"", ".composer", asACache, "auth.json config.json"},
	{"", ".cache/composer", asACache, ""},
	{"JAVA_HOME", ".jdks", asItIs, ""},
	{"", ".sdkman/candidates", asItIs, ""},
	{"", ".m2", asACache, "settings*"},
	{"GRADLE_USER_HOME", ".gradle", asACache, "gradle.properties* init.*"},
	{"", ".konan", asACache, ""},
	{"ANDROID_HOME", "Android/Sdk", asItIs, ""},
	{"", ".cache/coursier", asACache, ""},
	{"", ".ivy2", asACache, ".credentials"},
	{"", ".sbt", asACache, ".credentials"},
	{"DOTNET_ROOT", ".dotnet", asItIs, ""},
	{"NUGET_PACKAGES", ".nuget/packages", asACache, ""},
	{"MIX_HOME", ".mix", asACache, ""},
	{"HEX_HOME", ".hex", asACache, "hex.config"},
	{"", ".cache/rebar3", asACache, ""},
	{"", ".opam", asItIs, ""},
	{"", ".ghcup", asItIs, ""},
	{"STACK_ROOT", ".stack", asACache, "config.yaml"},
	{"", ".cabal", asACache, "config"},
	{"ZIG_GLOBAL_CACHE_DIR", ".cache/zig", asProducts, ""},
	{"", ".pub-cache", asACache, "credentials.json pub-tokens.json"},
	{"", ".julia", asACache, "servers"},
	{"ASDF_DATA_DIR", ".asdf", asItIs, ""},
	{"MISE_DATA_DIR", ".local/share/mise", asItIs, ""},
	{"", ".nix-profile", asItIs, ""},
	{"", ".cache/ccache", asProducts, ""},
	{"", ".ccache", asProducts, ""},
}

// Toolchains implements [Sandbox].
func (s *bubblewrap) Toolchains(env []string, dir string) (mounts []Mount, variables []string, err error) {
	for i, t := range toolchains {
		folder := t.folder(env, s.home)
		if folder == "" {
			continue
		}
		m := Mount{At: folder, From: folder}
		if t.access != asItIs {
			m.Upper, m.Work = t.kept(dir, i, "upper"), t.kept(dir, i, "work")
			m.Spare, m.Empty = true, t.access == asProducts
			if err := makeAll(m.Upper, m.Work); err != nil {
				return nil, nil, err
			}
		}
		mounts = append(mounts, m)
		for _, path := range t.secrets(folder) {
			blank := filepath.Join(t.kept(dir, i, "blank"), filepath.Base(path))
			isFolder, err := makeBlank(path, blank)
			if err != nil {
				return nil, nil, err
			}
			mounts = append(mounts, Mount{At: path, From: blank, Writable: isFolder})
		}
	}
	return mounts, nil, nil
}

// makeBlank makes what a command sees in place of a file or a folder with credentials.
func makeBlank(path, blank string) (isFolder bool, err error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return true, makeAll(blank)
	}
	if err := makeAll(filepath.Dir(blank)); err != nil {
		return false, err
	}
	return false, os.WriteFile(blank, []byte(blanks[filepath.Ext(path)]), 0o600)
}

// blanks are what a tool reads as a file without settings, where it takes an empty one for damaged.
var blanks = map[string]string{".xml": "<settings/>\n", ".json": "{}\n", ".yaml": "{}\n"}

// kept returns a folder in which what is written in the toolchain with a number is kept.
func (toolchain) kept(dir string, i int, name string) string {
	return filepath.Join(dir, strconv.Itoa(i), name)
}

// secrets returns the files and folders with credentials in a toolchain's folder, also those that links name.
func (t toolchain) secrets(folder string) (paths []string) {
	for _, pattern := range strings.Fields(t.secret) {
		matches, _ := filepath.Glob(filepath.Join(folder, pattern)) // the table's patterns are right
		for _, match := range matches {
			path, err := filepath.EvalSymlinks(match)
			if err == nil && below(folder, path) && !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// folder returns the folder without links, or "" if there is none or it would let the command see
// the whole home folder.
func (t toolchain) folder(env []string, home string) string {
	folder := ""
	if home != "" && t.home != "" {
		folder = filepath.Join(home, t.home)
	}
	for _, variable := range env {
		if value, ok := strings.CutPrefix(variable, t.variable+"="); ok && t.variable != "" && filepath.IsAbs(value) {
			folder = value
		}
	}
	if folder == "" {
		return ""
	}
	folder, err := filepath.EvalSymlinks(folder)
	if err != nil || below(folder, home) {
		return "" // the whole home folder, or what it lies in
	}
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return ""
	}
	return folder
}

func makeAll(dirs ...string) error {
	for _, dir := range dirs {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	return nil
}
