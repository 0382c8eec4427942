package workspace

import (
	"path/filepath"
	"strings"
)

// holds reports whether the condition of an include in a file of the configuration holds.
func (c *gitConfig) holds(condition, file string) bool {
	kind, pattern, _ := strings.Cut(condition, ":")
	switch kind {
	case "gitdir":
		return c.isIn(pattern, file, func(text string) string { return text })
	case "gitdir/i":
		return c.isIn(pattern, file, lowerASCII)
	case "onbranch":
		branch := c.branch()
		return branch != "" && c.left.globs.match(allBelow(pattern), branch)
	case "hasconfig":
		pattern, ok := strings.CutPrefix(pattern, "remote.*.url:")
		return ok && c.hasRemote(pattern)
	}
	return false
}

// allBelow returns a pattern which matches all that is below a folder, if it is that of a folder.
func allBelow(pattern string) string {
	if strings.HasSuffix(pattern, "/") {
		return pattern + "**"
	}
	return pattern
}

// isIn reports whether a pattern matches the folder of the repository's own files, as it is named or without links.
func (c *gitConfig) isIn(pattern, file string, fold func(string) string) bool {
	literal := "" // the beginning, in which nothing stands for anything else
	if rest, ok := strings.CutPrefix(pattern, "./"); ok {
		literal = strings.TrimSuffix(filepath.ToSlash(filepath.Dir(realPath(file))), "/") + "/"
		pattern = rest
		if rest == "" {
			pattern = "**"
		}
	} else if rest, ok := strings.CutPrefix(pattern, "~/"); ok && c.home != "" {
		pattern = filepath.ToSlash(realPath(c.home)) + "/" + rest
	} else if !filepath.IsAbs(filepath.FromSlash(pattern)) {
		pattern = "**/" + pattern
	}
	pattern = fold(allBelow(pattern))
	for _, dir := range []string{realPath(c.own), c.own} {
		below, ok := strings.CutPrefix(fold(filepath.ToSlash(dir)), fold(literal))
		if ok && c.left.globs.match(pattern, below) {
			return true
		}
	}
	return false
}

// hasRemote reports whether a pattern matches the address of a remote.
func (c *gitConfig) hasRemote(pattern string) bool {
	if c.remotes == nil {
		first := *c
		first.onlyRemote, first.remotes = true, []string{}
		first.readAll()
		c.remotes = first.remotes
	}
	for _, address := range c.remotes {
		if c.left.globs.match(allBelow(pattern), address) {
			return true
		}
	}
	return false
}

// realPath returns a path without links, or the path itself.
func realPath(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	return path
}

// lowerASCII returns a text with the capital letters of ASCII in lower case.
func lowerASCII(text string) string {
	lower := []byte(text)
	for i, c := range lower {
		if 'A' <= c && c <= 'Z' {
			lower[i] = c + 'a' - 'A'
		}
	}
	return string(lower)
}
