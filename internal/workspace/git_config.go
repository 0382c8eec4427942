package workspace

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Bounds of what is read of git's configuration. A repository's own configuration is a file of the workspace: it can
// name any file, itself among them, and have any patterns.
const (
	maxConfigBytes = 1 << 20 // of a file
	maxConfigTotal = 8 << 20 // bytes of all files, those that are read again counted again
	maxConfigFiles = 1000
	maxConfigDepth = 10        // of files that include others, as in git
	maxConfigSteps = 1_000_000 // of matching the patterns of conditions
)

// gitConfig is what is read of git's configuration for a repository.
type gitConfig struct {
	repository
	home     string
	persons  []string // files of the system and of the person, the weakest first
	excludes *string  // core.excludesFile; nil if nothing sets it
	perTree  bool     // the worktree has a file of its own: extensions.worktreeConfig

	remotes    []string // the addresses of remotes, if they are asked for
	onlyRemote bool     // nothing but remotes is asked for
	left       *configBudget
}

// configBudget is what may still be read and matched.
type configBudget struct {
	files int
	bytes int
	globs wildmatch
}

func newGitConfig(r repository, home string, persons []string) *gitConfig {
	return &gitConfig{repository: r, home: home, persons: persons,
		left: &configBudget{files: maxConfigFiles, bytes: maxConfigTotal, globs: wildmatch{steps: maxConfigSteps}}}
}

// readAll reads all files of the configuration, the weakest first.
func (c *gitConfig) readAll() {
	for _, file := range c.persons {
		c.read(file, 0)
	}
	c.read(c.sharedFile(), 0)
	if c.perTree {
		c.read(filepath.Join(c.own, "config.worktree"), 0)
	}
}

func (c *gitConfig) sharedFile() string { return filepath.Join(c.common, "config") }

// read reads a file of the configuration, if there is one. It may be a link.
func (c *gitConfig) read(path string, depth int) {
	if path == "" || depth > maxConfigDepth || c.left.files == 0 {
		return
	}
	c.left.files--
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return
	}
	data, err := ReadRegular(target, min(maxConfigBytes, int64(c.left.bytes)))
	if err != nil {
		return
	}
	c.left.bytes -= len(data)
	parseGitConfig(data, func(v gitVariable) { c.set(v, path, depth) })
}

// set takes a variable of a file.
func (c *gitConfig) set(v gitVariable, file string, depth int) {
	switch v.section + "." + v.name {
	case "core.excludesfile":
		if v.subsection == "" && v.valued {
			excludes := c.expand(v.value)
			c.excludes = &excludes
		}
	case "extensions.worktreeconfig":
		if file == c.sharedFile() && v.subsection == "" {
			c.perTree = v.isTrue()
		}
	case "remote.url":
		if c.onlyRemote && v.subsection != "" {
			c.remotes = append(c.remotes, v.value)
		}
	case "include.path":
		if v.subsection == "" {
			c.include(v.value, file, depth)
		}
	case "includeif.path":
		if c.holds(v.subsection, file) {
			c.include(v.value, file, depth)
		}
	}
}

func (c *gitConfig) include(path, file string, depth int) {
	if path != "" {
		c.read(resolveIn(filepath.Dir(file), c.expand(path)), depth+1)
	}
}

// isTrue reports whether the value of a variable means true.
func (v gitVariable) isTrue() bool {
	if n, err := strconv.Atoi(v.value); err == nil {
		return n != 0
	}
	return !v.valued || slices.Contains([]string{"true", "yes", "on"}, strings.ToLower(v.value))
}

// expand returns a path of the configuration, with the person's home folder for the tilde.
func (c *gitConfig) expand(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && c.home != "" {
		return filepath.Join(c.home, rest)
	}
	return path
}
